import assert from 'node:assert/strict'
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

async function explained(method: string, path: string, headers: Headers = {}, body?: string): Promise<Explanation> {
  const options = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`])
  const data = body === undefined ? [] : ['--data', body]
  const words = ['explain', method, `/wp-json${path}`, app, '--database', database, '--json', ...options, ...data]
  const { code, stdout, stderr } = await runHere(words)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as Explanation
}

async function answered(method: string, path: string, headers: Headers = {}, body?: string) {
  const json = body === undefined ? {} : { 'Content-Type': 'application/json' }
  const response = await service.fetch(
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
      { name: 'measured', declaredIn: 'configuration', owner: null },
      { name: 'audited', declaredIn: 'class', owner: 'BaseApi' },
      { name: 'counted', declaredIn: 'declaration', owner: 'ShelvesApi.shelves' },
      { name: null, declaredIn: 'declaration', owner: 'ShelvesApi.shelves' },
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
        '1. measured, in around of the configuration.',
        '2. audited, in the static around of BaseApi.',
        '3. counted, in around of the declaration of ShelvesApi.shelves at shelves.ts.',
        '4. A function without a name, in around of the declaration of ShelvesApi.shelves at shelves.ts.',
        'They were not run. Each of them may refuse the request, or answer it without the handler.',
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
