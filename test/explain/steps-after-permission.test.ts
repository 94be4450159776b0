import assert from 'node:assert/strict'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { boot, type Service } from '../../src/index.js'
import type { Explanation, Step } from '../../src/explain/explanation.js'
import { silent } from '../../src/log/log.js'
import { application } from '../cli/application-folder.js'
import { emptyFolder, removeFolders, runHere } from '../cli/command-line.js'

const app = application({
  'package.json': '{ "type": "module" }',
  'around.ts': `
    import type { Around } from 'as-rest-route'
    const named = async (name, next) => (await next()).header('X-Around', name, false)
    export const measured: Around = (request, next) => named('measured', next)
    export const audited: Around = (request, next) => named('audited', next)
    export const counted: Around = (request, next) => named('counted', next)`,
  'as-rest-route.config.ts': `
    import { measured } from './around.js'
    export default { around: [measured] }`,
  'shelves.ts': `
    import { AsRestRoute } from 'as-rest-route'
    import { audited, counted } from './around.js'
    abstract class BaseApi {
      static readonly around = [audited]
    }
    export class ShelvesApi extends BaseApi {
      @AsRestRoute({ namespace: 'lib/v1', route: '/shelves', permission: 'public', around: [counted, async (request, next) => next()] })
      shelves() { return [] }
    }`,
  'loans.ts': `
    import { AsRestRoute, RestError } from 'as-rest-route'
    const loan = { namespace: 'lib/v1', method: 'POST', permission: 'public' } as const
    export class LoansApi {
      @AsRestRoute({ ...loan, route: '/loans', idempotency_key: 'required', args: { book: { type: 'integer', required: true } } })
      borrow() { return { borrowed: true } }

      @AsRestRoute({ ...loan, route: '/sold-out', idempotency_key: 'optional' })
      soldOut() { throw new RestError('sold_out', 'Nothing is left.', { status: 409 }) }

      @AsRestRoute({ ...loan, route: '/members', idempotency_key: 'required', permission: 'may' })
      members() { return {} }

      may() { return false }

      @AsRestRoute({ ...loan, route: '/waiting', idempotency_key: 'required' })
      async waiting(request) {
        process.emit('a loan waits', request)
        await new Promise((resolve) => process.once('a loan goes on', resolve))
        return {}
      }
    }`,
})
const database = `sqlite:${join(emptyFolder(), 'site.sqlite')}`

let service: Service
before(async () => {
  service = await boot(app, { database, log: silent, base_url: 'http://library.example', seed: async () => {} })
})
after(async () => {
  await service.close()
  removeFolders()
})

type Headers = Readonly<Record<string, string>>

async function explained(
  method: string,
  path: string,
  headers: Headers = {},
  body?: string,
  { folder, url } = { folder: app, url: database },
): Promise<Explanation> {
  const options = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`])
  const data = body === undefined ? [] : ['--data', body]
  const words = ['explain', method, `/wp-json${path}`, folder, '--database', url, '--json', ...options, ...data]
  const { code, stdout, stderr } = await runHere(words)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as Explanation
}

async function answered(method: string, path: string, headers: Headers = {}, body?: string, from = service) {
  const json = body === undefined ? {} : { 'Content-Type': 'application/json' }
  const response = await from.fetch(
    new Request(`http://library.example/wp-json${path}`, {
      method,
      headers: { ...json, ...headers },
      ...(body !== undefined && { body }),
    }),
  )
  const text = await response.text()
  const { code = null, message = null } = (text === '' ? {} : JSON.parse(text)) as { code?: string; message?: string }
  return { status: response.status, code, message, allow: response.headers.get('Allow') }
}

const responseIn = ({ status, code, message, allow }: Explanation) => ({ status, code, message, allow })

const stepOf = ({ steps }: Explanation, name: Step['name']): Step | undefined =>
  steps.find((step) => step.name === name)

describe('an explanation has the response that the idempotency key decides', () => {
  const book = '{"book":1}'
  /** `key`: of the header. `first`: the body of an earlier request with the same key. */
  const requests: readonly {
    readonly what: string
    readonly path: string
    readonly key?: string
    readonly first?: string
    readonly code: string | null
    readonly outcome: Step['outcome']
  }[] = [
    { what: 'no key', path: '/lib/v1/loans', code: 'rest_idempotency_key_required', outcome: 'refused' },
    {
      what: 'an invalid key',
      path: '/lib/v1/loans',
      key: 'a b',
      code: 'rest_idempotency_key_invalid',
      outcome: 'refused',
    },
    {
      what: 'an invalid optional key',
      path: '/lib/v1/sold-out',
      key: 'é',
      code: 'rest_idempotency_key_invalid',
      outcome: 'refused',
    },
    { what: 'a repeat', path: '/lib/v1/loans', key: 'repeat', first: book, code: null, outcome: 'answered' },
    {
      what: 'a repeat of a refusal',
      path: '/lib/v1/sold-out',
      key: 'refused',
      first: book,
      code: 'sold_out',
      outcome: 'answered',
    },
    {
      what: 'the key of another request',
      path: '/lib/v1/loans',
      key: 'other',
      first: '{"book":2}',
      code: 'rest_idempotency_key_reused',
      outcome: 'refused',
    },
    { what: 'a refused caller without a key', path: '/lib/v1/members', code: 'rest_forbidden', outcome: 'not reached' },
  ]
  for (const { what, path, key, first, code, outcome } of requests)
    it(what, async () => {
      const headers = { 'Content-Type': 'application/json', ...(key !== undefined && { 'Idempotency-Key': key }) }
      if (first !== undefined) await answered('POST', path, headers, first)
      const explanation = await explained('POST', path, headers, book)
      const response = await answered('POST', path, headers, book)
      assert.deepEqual(responseIn(explanation), response)
      assert.equal(response.code, code)
      assert.equal(stepOf(explanation, 'idempotency key')?.outcome, outcome)
      assert.equal(stepOf(explanation, 'handler')?.outcome, 'not reached')
    })

  it('a key whose first request is still running', async () => {
    const headers = { 'Idempotency-Key': 'running' }
    const waits = once(process, 'a loan waits')
    const first = answered('POST', '/lib/v1/waiting', headers)
    try {
      await waits
      const explanation = await explained('POST', '/lib/v1/waiting', headers)
      const response = await answered('POST', '/lib/v1/waiting', headers)
      assert.deepEqual(responseIn(explanation), response)
      assert.deepEqual([response.status, response.code], [409, 'rest_idempotency_key_in_use'])
      assert.equal(stepOf(explanation, 'idempotency key')?.outcome, 'refused')
    } finally {
      process.emit('a loan goes on' as never)
    }
    assert.equal((await first).status, 200)
  })

  it('an explained request is not stored under its key, and later runs', async () => {
    const headers = { 'Idempotency-Key': 'new' }
    for (const body of [book, '{"book":2}', book]) {
      const { status, summary } = await explained('POST', '/lib/v1/loans', headers, body)
      assert.equal(status, null)
      assert.match(summary, /^LoansApi\.borrow is called/)
    }
    assert.equal((await answered('POST', '/lib/v1/loans', headers, '{"book":3}')).status, 200)
  })
})

describe('the functions around a handler', () => {
  it('are named in the order in which they run, each with its list', async () => {
    const { around, summary, status } = await explained('GET', '/lib/v1/shelves')
    assert.deepEqual(around, [
      { name: 'measured', declaredIn: 'configuration', owner: null, outcome: 'not run' },
      { name: 'audited', declaredIn: 'class', owner: 'BaseApi', outcome: 'not run' },
      { name: 'counted', declaredIn: 'declaration', owner: 'ShelvesApi.shelves', outcome: 'not run' },
      { name: null, declaredIn: 'declaration', owner: 'ShelvesApi.shelves', outcome: 'not run' },
    ])
    assert.equal(status, null)
    assert.equal(
      summary,
      'ShelvesApi.shelves is called, unless a function around it answers first: such functions were not run. Nothing else before it refuses the request.',
    )
    const response = await service.fetch(new Request('http://library.example/wp-json/lib/v1/shelves'))
    const innermostFirst = around.flatMap(({ name }) => name ?? []).reverse()
    assert.equal(response.headers.get('X-Around'), innermostFirst.join(', '))
  })

  it('are lines of the text, with the place of the declaration', async () => {
    const { stdout } = await runHere(['explain', 'GET', '/wp-json/lib/v1/shelves', app, '--database', database])
    const [, step = ''] = /^\+ around +([^]*?)\n\+ handler /m.exec(stdout) ?? []
    assert.deepEqual(
      step.split('\n').map((line) => line.trim().replace(/at .*(shelves\.ts):\d+/, 'at $1')),
      [
        '1. measured, in around of the configuration. Not run.',
        '2. audited, in the static around of BaseApi. Not run.',
        '3. counted, in around of the declaration of ShelvesApi.shelves at shelves.ts. Not run.',
        '4. A function without a name, in around of the declaration of ShelvesApi.shelves at shelves.ts. Not run.',
        'A function that was not run may refuse the request, or answer it without the functions after it and the handler.',
      ],
    )
  })

  it('are not named when a step before them refuses the request', async () => {
    const explanation = await explained('POST', '/lib/v1/members')
    assert.deepEqual([explanation.around, stepOf(explanation, 'around')?.outcome], [[], 'not reached'])
  })

  it('a route without one is reported so', async () => {
    const explanation = await explained('GET', '/')
    assert.match(stepOf(explanation, 'around')?.lines.join() ?? '', /^No function is declared around the handler\.$/)
    assert.match(explanation.summary, / is called: nothing before it refuses the request\.$/)
  })
})

describe('a request with preconditions', () => {
  const versions = application({
    'package.json': '{ "type": "module" }',
    'items.ts': `
      import { AsRestRoute, conditional, currentUser, inject, RecordStore, RestError } from 'as-rest-route'
      const stored = async (request) => {
        const record = await inject(RecordStore).get(request.pathId('id'))
        if (record === null && request.method === 'DELETE') throw new RestError('gone', 'It is gone.', { status: 410 })
        return record && record.title
      }
      const item = { namespace: 'stock/v1', route: '/items/(?P<id>\\\\d+)', permission: 'public' } as const
      const audited = async (request, next) => next()
      export class ItemsApi {
        @AsRestRoute({ ...item, around: [conditional(stored), audited] })
        show() { return {} }
        @AsRestRoute({ ...item, method: 'PUT', around: [conditional(stored)] })
        put() { return {} }
        @AsRestRoute({ ...item, method: 'DELETE', around: [conditional(stored)] })
        remove() { return {} }
        @AsRestRoute({ ...item, method: 'PATCH', around: [audited, conditional(stored)] })
        patch() { return {} }
        @AsRestRoute({ ...item, route: '/writing', method: 'PUT', around: [conditional(() => inject(RecordStore).insert({ type: 'post', title: 'x' }))] })
        writing() { return {} }
      }`,
  })
  const itemsDatabase = `sqlite:${join(emptyFolder(), 'items.sqlite')}`
  let items: Service
  let path = ''
  before(async () => {
    items = await boot(versions, { database: itemsDatabase, log: silent, seed: async () => {} })
    const { id } = await items.records.insert({ type: 'post', status: 'publish', title: 'v1' })
    path = `/stock/v1/items/${id}`
  })
  after(() => items.close())
  const here = { folder: versions, url: itemsDatabase }

  const decided: readonly (readonly [method: string, headers: Headers, status: number, id?: number])[] = [
    ['PUT', { 'If-Match': '"v0"' }, 412],
    ['PUT', { 'If-None-Match': '*' }, 412],
    ['PUT', { 'If-Match': '*' }, 412, 999],
    ['DELETE', { 'If-Match': '"v0"' }, 412],
    ['DELETE', {}, 410, 999],
    ['GET', { 'If-None-Match': '"v1"' }, 304],
  ]
  for (const [method, headers, expected, id] of decided)
    it(`${method} ${JSON.stringify(headers)} is a ${expected}${id === undefined ? '' : ' without the record'}`, async () => {
      const to = id === undefined ? path : `/stock/v1/items/${id}`
      const explanation = await explained(method, to, headers, undefined, here)
      const response = await answered(method, to, headers, undefined, items)
      assert.deepEqual(responseIn(explanation), response)
      assert.equal(response.status, expected)
      assert.equal(stepOf(explanation, 'around')?.outcome, expected === 304 ? 'answered' : 'refused')
    })

  it('passes for the version of the record, and the handler is called', async () => {
    const explanation = await explained('PUT', path, { 'If-Match': '"v1"' }, undefined, here)
    assert.equal(explanation.summary, 'ItemsApi.put is called: nothing before it refuses the request.')
    assert.deepEqual(
      explanation.around.map(({ name, outcome }) => [name, outcome]),
      [['conditional', 'passed']],
    )
  })

  it('may be a 412 when another function runs before the comparison', async () => {
    const explanation = await explained('PATCH', path, { 'If-Match': '"v0"' }, undefined, here)
    assert.equal(explanation.status, null)
    assert.match(explanation.summary, /^ItemsApi\.patch is called, unless a function around it answers first/)
    assert.match(
      stepOf(explanation, 'around')?.lines.join('\n') ?? '',
      /^1\. audited, .* Not run\.\n2\. conditional, .* Not run\.\nThe response may be 412 rest_precondition_failed: If-Match is compared/,
    )
  })

  it('a function of conditional that tries to write is stopped', async () => {
    const explanation = await explained('PUT', '/stock/v1/writing', {}, undefined, here)
    assert.match(explanation.summary, /tried to change data/)
  })
})
