import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { z } from 'zod'
import {
  AsRestRoute,
  endpoint,
  inject,
  RecordStore,
  RestError,
  type Around,
  type RestRequest,
} from '../../src/index.js'
import { startService, type StartedService } from '../support/start-service.js'

/** Built once for each service. The functions below write into the one of their service. */
class Journal {
  readonly calls: string[] = []
}

const noted =
  <T>(what: string, result: T) =>
  (): T => {
    inject(Journal).calls.push(what)
    return result
  }

const sanitized =
  (what: string) =>
  (value: unknown): string => {
    inject(Journal).calls.push(what)
    return String(value).toUpperCase()
  }

const args = {
  word: {
    type: 'string',
    required: true,
    validate_callback: noted('validator', true),
    sanitize_callback: sanitized('sanitiser'),
  },
  // The cast stands for an addition to `SanitizerTypes`, which would hold for all tests.
  named: { type: 'string', required: true, sanitize_callback: 'shouted' as 'sanitize_text_field' },
} as const
const open = { namespace: 'test/v1', permission: 'public' } as const

const byAround: Around = (_request, next) => {
  inject(Journal).calls.push('around')
  return next()
}

class WordsApi {
  constructor(private readonly journal = inject(Journal)) {}

  @AsRestRoute({ ...open, route: '/words', args })
  @AsRestRoute({ ...open, route: '/words', method: 'POST', allow_batch: true, args })
  @AsRestRoute({ ...open, route: '/words/(?P<word>\\w+)', args })
  words(request: RestRequest<{ word: string; named: string }>) {
    assert.equal(inject(Journal), this.journal)
    return { word: request.get_param('word'), named: request.get_param('named') }
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/permitted', permission: 'may', around: [byAround] })
  permitted(request: RestRequest) {
    request.defer(noted('deferred', null))
    return null
  }

  may() {
    return noted('permission', true)()
  }

  @AsRestRoute({ ...open, route: '/late' })
  async late() {
    await Promise.resolve()
    inject(Journal)
    return null
  }
}

const schemas = endpoint(
  {
    ...open,
    route: '/schemas',
    args: z.object({ n: z.string().transform((text) => noted('schema of arguments', Number(text))()) }),
    responses: { 200: z.object({ n: z.number().transform((n) => noted('schema of a response', n + 1)()) }) },
  },
  (request) => {
    inject(Journal).calls.push('endpoint')
    return { n: request.get_param('n') }
  },
)

const sources = [WordsApi, schemas]

async function start(context: TestContext): Promise<{ site: StartedService; calls: string[] }> {
  const journal = new Journal()
  const site = await startService(sources, {
    provide: [[Journal, journal]],
    sanitizers: { shouted: (value) => `${sanitized('named sanitiser')(value)}!` },
  })
  context.after(() => site.close())
  return { site, calls: journal.calls }
}

const all = ['validator', 'sanitiser', 'named sanitiser']
const post = (type: string, body: string): RequestInit => ({ method: 'POST', headers: { 'Content-Type': type }, body })
const form = 'application/x-www-form-urlencoded'
const json = 'application/json'

for (const [what, path, request] of [
  ['a query', 'words?word=a&named=b', {}],
  ['a form', 'words', post(form, 'word=a&named=b')],
  ['JSON', 'words', post(json, '{"word":"a","named":"b"}')],
  ['a path', 'words/a?named=b', {}],
] as const)
  test(`inject works in validators, sanitisers and the handler for arguments of ${what}`, async (context) => {
    const { site, calls } = await start(context)
    const response = await fetch(`${site.rest}test/v1/${path}`, request)
    assert.deepEqual(await response.json(), { word: 'A', named: 'B!' })
    assert.deepEqual(calls, all)
  })

test('inject works in validators and sanitisers of the items of a batch', async (context) => {
  const { site, calls } = await start(context)
  const items = ['a', 'c'].map((word) => ({ path: '/test/v1/words', body: { word, named: 'b' } }))
  for (const validation of ['normal', 'require-all-validate']) {
    const response = await fetch(`${site.rest}batch/v1`, post(json, JSON.stringify({ validation, requests: items })))
    const { responses } = (await response.json()) as { responses: { body: unknown }[] }
    assert.deepEqual(
      responses.map(({ body }) => body),
      [
        { word: 'A', named: 'B!' },
        { word: 'C', named: 'B!' },
      ],
    )
    assert.deepEqual(calls.splice(0), [...all, ...all])
  }
})

test('inject works in permission callbacks, functions of around and deferred functions', async (context) => {
  const { site, calls } = await start(context)
  assert.equal((await fetch(`${site.rest}test/v1/permitted`)).status, 200)
  await site.service.close()
  assert.deepEqual(calls, ['permission', 'around', 'deferred'])
})

test('inject works in the functions of schemas of a library, and in the handler of an endpoint', async (context) => {
  const { site, calls } = await start(context)
  assert.deepEqual(await (await fetch(`${site.rest}test/v1/schemas?n=1`)).json(), { n: 2 })
  assert.deepEqual(calls, ['schema of arguments', 'endpoint', 'schema of a response'])
})

test('inject does not work in a handler that has awaited something', async (context) => {
  const { site } = await start(context)
  assert.equal((await fetch(`${site.rest}test/v1/late`)).status, 500)
  assert.match(String(site.log.at(-1)?.fields['err']), /inject\(Journal\) works only while the service builds a class/)
})

test('each of two services of a process gives its functions its own objects', async (context) => {
  const [first, second] = [await start(context), await start(context)]
  // The functions of the second service run inside those of the first.
  const outer = endpoint({ ...open, route: '/outer' }, async () => {
    const before = inject(Journal)
    const inner = second.site.service.fetch(new Request(`${second.site.rest}test/v1/words?word=a&named=b`))
    assert.equal(inject(Journal), before)
    return { inner: await (await inner).json() }
  })
  const journal = new Journal()
  const site = await startService([outer], { provide: [[Journal, journal]] })
  context.after(() => site.close())
  const response = await fetch(`${site.rest}test/v1/outer`)
  assert.deepEqual(await response.json(), { inner: { word: 'A', named: 'B!' } })
  assert.deepEqual([first.calls, second.calls, journal.calls], [[], all, []])
})

const failure = new Error('from a callback')
/** How a validator or sanitiser may end, and the status of the response. */
const ends: readonly [what: string, callback: () => unknown, status: number, code: string][] = [
  [
    'throws',
    () => {
      throw failure
    },
    500,
    'internal_server_error',
  ],
  ['returns a promise', () => Promise.resolve(true), 500, 'internal_server_error'],
  ['returns a promise that rejects', () => Promise.reject(failure), 500, 'internal_server_error'],
  [
    'throws a RestError',
    () => {
      throw new RestError('own_code', 'Own message.', { status: 409 })
    },
    400,
    'rest_invalid_param',
  ],
]

for (const key of ['validate_callback', 'sanitize_callback'] as const)
  for (const [what, end, status, code] of ends)
    test(`a ${key} that has injected an object and ${what} is answered ${status}, and the next request is served`, async (context) => {
      let isCalledAgain = false
      const callback = (value: unknown): unknown => {
        assert.ok(inject(Journal))
        if (value === 'end') return end()
        isCalledAgain = true
        return true
      }
      const rules = (
        key === 'validate_callback' ? { validate_callback: callback } : { sanitize_callback: callback }
      ) as { validate_callback: () => true }
      const failing = endpoint({ ...open, route: '/failing', args: { n: rules } }, () => null)
      const site = await startService([failing])
      context.after(() => site.close())
      const response = await fetch(`${site.rest}test/v1/failing?n=end`)
      assert.equal(response.status, status)
      assert.equal(((await response.json()) as { code: string }).code, code)
      assert.throws(() => inject(Journal), /works only while/)
      assert.equal((await fetch(`${site.rest}test/v1/failing?n=go`)).status, 200)
      assert.ok(isCalledAgain)
    })

test('a transaction that a validator or sanitiser begins is its own: the handler is outside of it', async (context) => {
  const transactions: Promise<unknown>[] = []
  const releases: (() => void)[] = []
  const begin = (): void => {
    const isHandled = new Promise<void>((resolve) => releases.push(resolve))
    const work = inject(RecordStore).transaction(async (records) => {
      await records.insert({ type: 'post', title: 'Undone', status: 'publish' })
      await isHandled
      throw failure
    })
    transactions.push(work.catch((error: unknown) => error))
  }
  const counting = endpoint(
    {
      ...open,
      route: '/count',
      dependencies: { records: RecordStore },
      args: {
        n: {
          validate_callback: () => {
            begin()
            return true
          },
          sanitize_callback: (value) => {
            begin()
            return value
          },
        },
      },
    },
    async (_request, { records }) => {
      // The handler reads what is committed, and nothing of the transaction that is still open.
      const count = await records.count({ type: 'post' })
      for (const release of releases) release()
      return { count }
    },
  )
  const site = await startService([counting])
  context.after(() => site.close())
  const response = await fetch(`${site.rest}test/v1/count?n=1`)
  assert.deepEqual(await response.json(), { count: 0 })
  assert.deepEqual(await Promise.all(transactions), [failure, failure])
})
