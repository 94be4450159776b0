import { endpoint, RestResponse } from 'as-rest-route'
import { Random } from '../support/random.js'
import { booted } from './booted.js'
import { Report } from './report.js'

/** What handlers throw or return: each is answered, and none ends the process. */
const misbehaviour: readonly (readonly [what: string, act: () => unknown])[] = [
  ['throws undefined', () => raise(undefined)],
  ['throws null', () => raise(null)],
  ['throws a text', () => raise('text')],
  ['throws a number', () => raise(404)],
  ['throws a symbol', () => raise(Symbol('fault'))],
  ['throws a function', () => raise(() => raise('again'))],
  ['throws an error', () => raise(new Error('secret-detail'))],
  ['throws a frozen error', () => raise(Object.freeze(new Error('secret-detail')))],
  ['throws an object without a prototype', () => raise(Object.create(null))],
  ['throws an error whose message throws', () => raise(hostile('message'))],
  ['throws an error whose stack throws', () => raise(hostile('stack'))],
  ['throws an error whose status throws', () => raise(hostile('status'))],
  ['throws a proxy that throws', () => raise(new Proxy({}, traps))],
  ['throws an error that causes itself', () => raise(causingItself())],
  ['throws by recursion without an end', () => recurse(0)],
  ['rejects with undefined', () => Promise.reject()],
  ['rejects with a text', () => Promise.reject('text')],
  ['rejects later', () => new Promise((_, reject) => setImmediate(() => reject(new Error('secret-detail'))))],
  ['returns a thenable that throws', () => thenable(() => raise('text'))],
  ['returns a thenable that is rejected twice', () => thenable((_, reject) => [1, 2].map(reject))],
  ['returns a cycle', () => new RestResponse(causingItself())],
  ['returns a proxy that throws', () => new RestResponse(new Proxy({}, traps))],
  ['returns a value whose toJSON throws', () => new RestResponse({ toJSON: () => raise('text') })],
  ['returns a BigInt', () => new RestResponse(1n as never)],
  ['returns a depth of 100,000', () => new RestResponse(nested(100_000))],
  ['returns undefined', () => undefined],
  ['returns a symbol', () => Symbol('result')],
  ['returns a header with a line break', () => new RestResponse('x', 200, { 'X-A': 'a\r\nSet-Cookie: b=c' })],
  ['returns an impossible status', () => new RestResponse('x', 99_999)],
  ['returns a status that is not a number', () => new RestResponse('x', Number.NaN)],
]

function thenable(then: (resolve: unknown, reject: (error: unknown) => void) => unknown): object {
  // oxlint-disable-next-line unicorn/no-thenable -- a mistake in most programs, and so one that handlers make
  return { then }
}

function raise(value: unknown): never {
  throw value
}

function hostile(name: string): Error {
  return Object.defineProperty(new Error('secret-detail'), name, { get: () => raise('hostile'), enumerable: true })
}

function causingItself(): Error {
  const error: Error & { self?: unknown } = new Error('secret-detail')
  error.cause = error
  error.self = error
  return error
}

function recurse(depth: number): number {
  return recurse(depth + 1) + 1
}

function nested(depth: number): object {
  let value: object = {}
  for (let count = 0; count < depth; count += 1) value = [value]
  return value
}

const traps = Object.fromEntries(
  ['get', 'has', 'ownKeys', 'getPrototypeOf', 'getOwnPropertyDescriptor'].map((name) => [name, () => raise('trap')]),
)

/** Milliseconds for which a handler blocks the process. */
const blocked = 300

/** Calls handlers that throw anything, hang, or block the process, and requests that others send meanwhile. */
export async function misbehave(seed: number, rounds: number): Promise<Report> {
  const report = new Report('handlers')
  const random = new Random(seed)
  const declare = (route: string) => ({ namespace: 'faults/v1', route, permission: 'public' }) as const
  const endpoints = {
    act: endpoint({ namespace: 'faults/v1', route: '/act/(?P<index>\\d+)', permission: 'public' }, (request) => {
      return misbehaviour[Number(request.get_param('index'))]?.[1]() as RestResponse
    }),
    hang: endpoint(declare('/hang'), () => new Promise<RestResponse>(() => {})),
    block: endpoint(declare('/block'), () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blocked)
      return new RestResponse('late')
    }),
    quick: endpoint(declare('/quick'), () => new RestResponse('quick')),
  }
  const { call, close, service } = await booted(Object.values(endpoints) as never, { database: 'sqlite::memory:' })
  const outside: unknown[] = []
  const noteOutside = (error: unknown): void => void outside.push(error)
  for (const name of ['uncaughtException', 'unhandledRejection']) process.on(name, noteOutside)
  let requests = 0
  for (let round = 0; round < rounds; round += 1) {
    const index = round < misbehaviour.length ? round : random.integer(0, misbehaviour.length - 1)
    const [what = ''] = misbehaviour[index] ?? []
    const [response, other] = await Promise.all([call('GET', `act/${index}`), call('GET', 'quick')])
    const { status } = response
    const mayBeFine = what.startsWith('returns')
    report.check(
      status === 500 || (mayBeFine && status >= 200 && status < 600),
      `a handler that ${what} has a response`,
      `${status}`,
    )
    report.check(
      !JSON.stringify(response.body).includes('secret-detail'),
      `what a handler that ${what} says stays inside`,
    )
    report.check(response.headers.get('set-cookie') === null, `a handler that ${what} adds no header`)
    report.equal(other.status, 200, `others are answered while a handler ${what}`)
    requests += 2
  }
  // Handlers that hang hold up nobody, and those that block hold up nobody for longer.
  const hanging = Array.from({ length: 100 }, () => call('GET', 'hang').catch(() => null))
  const responses = await Promise.all([
    ...Array.from({ length: 5 }, () => call('GET', 'block')),
    ...Array.from({ length: 100 }, () => call('GET', 'quick')),
  ])
  report.check(
    responses.every(({ status }) => status === 200),
    'requests that arrive while the process is blocked are answered',
  )
  requests += responses.length + hanging.length
  await service.close({ gracePeriod: 200 })
  await Promise.all(hanging)
  await close()
  for (const name of ['uncaughtException', 'unhandledRejection']) process.off(name, noteOutside)
  report.equal(outside.map(String), [], 'no error gets out of a request')
  report.print(`${misbehaviour.length} kinds of misbehaviour, ${requests} requests, ${hanging.length} that hang`)
  return report
}
