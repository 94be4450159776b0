import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { AsRestRoute, boot, RestResponse, type RestRequest, type Service } from 'as-rest-route'
import { temporaryDatabase } from '../support/test-database.js'
import { typescriptArguments } from '../support/typescript.js'

const folder = new URL('../fixtures/start/sound/', import.meta.url)
let service: Service

before(async () => {
  service = await boot(folder, { database: await temporaryDatabase() })
})
after(() => service.close())

async function read(path: string): Promise<unknown> {
  const response = await service.fetch(new Request(`http://localhost/wp-json/shop/v1${path}`))
  return response.status === 200 ? response.json() : response.status
}

const results: [path: string, result: unknown][] = [
  ['/collection', ['red', 'blue']],
  ['/collection/replaced', 404],
  ['/collection/own', 'own'],
  ['/many/a', '/shop/v1/many/a'],
  ['/many/b', '/shop/v1/many/b'],
  ['/colors:batch', 'batch'],
  ['/frozen', 7],
  ['/frozen?page=3', 3],
  ['/mutable', 'as declared'],
  ['/changed-later', 404],
]
for (const [path, result] of results)
  test(`GET ${path} has ${result === 404 ? 'the status 404' : `the body ${JSON.stringify(result)}`}`, async () =>
    assert.deepEqual(await read(path), result))

test('routes have the order of their declarations, those of a base class first', () => {
  assert.deepEqual(
    service.routes.map(({ method, route }) => `${method} ${route}`),
    [
      'GET /collection',
      'GET /collection/own',
      'GET /many/a',
      'GET /many/b',
      'POST /many/c',
      'GET /colors:batch',
      'GET /frozen',
      'GET /mutable',
    ],
  )
})

test('boot accepts a list of classes', async () => {
  class Greeting {
    @AsRestRoute({ namespace: 'shop/v1', route: '/greeting/(?P<name>\\w+)', permission: 'public' })
    greet(request: RestRequest<{ name: string }>) {
      return new RestResponse(`Hello ${request.get_param('name')}`)
    }
  }
  const other = await boot([Greeting], { database: await temporaryDatabase() })
  const response = await other.fetch(new Request('http://localhost/wp-json/shop/v1/greeting/Ada'))
  assert.equal(await response.json(), 'Hello Ada')
  await other.close()
})

test('an absent argument is null in get_param, and is left out of get_params', async () => {
  class Absent {
    @AsRestRoute({
      namespace: 'shop/v1',
      route: '/absent',
      permission: 'public',
      args: { price: { type: 'number' }, page: { type: 'integer', default: 1 } },
    })
    read(request: RestRequest<{ price: number | null; page: number }>) {
      const all = request.get_params()
      return new RestResponse([request.get_param('price'), 'price' in all, all.price === undefined, all.page])
    }
  }
  const other = await boot([Absent], { database: await temporaryDatabase() })
  const response = await other.fetch(new Request('http://localhost/wp-json/shop/v1/absent'))
  assert.deepEqual(await response.json(), [null, false, true, 1])
  await other.close()
})

test('a second copy of the package stops the start', async () => {
  const program = fileURLToPath(new URL('../fixtures/start/second-copy/start.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [...typescriptArguments, program])
  assert.match(stdout, /as-rest-route: 2 copies of the package are loaded: .* Install one, and leave it out of bundles/)
})
