import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { endpoint, RestResponse } from '../../src/index.js'
import { startService } from '../support/start-service.js'
import { withoutResponseCache } from '../support/response-cache.js'

// Written without `async`, so that the start of the service cannot recognise them. The casts are what a plain JavaScript
// application needs no compiler for.
const rejecting = (() => Promise.reject(new Error('from a callback'))) as unknown as () => boolean
const thenable = (() => ({
  // oxlint-disable-next-line unicorn/no-thenable -- a promise of another library is what is shown here
  then: (_: unknown, reject: (error: Error) => void) => reject(new Error('from a callback')),
})) as unknown as () => boolean

const handler = () => new RestResponse({ reached: true })
const namespace = 'test/v1'
const open = { namespace, permission: 'public' } as const

const endpoints = [
  endpoint({ ...open, route: '/validator', args: { n: { validate_callback: rejecting } } }, handler),
  endpoint({ ...open, route: '/sanitizer', args: { n: { sanitize_callback: rejecting } } }, handler),
  endpoint({ ...open, route: '/thenable-validator', args: { n: { validate_callback: thenable } } }, handler),
  endpoint({ ...open, route: '/thenable-sanitizer', args: { n: { sanitize_callback: thenable } } }, handler),
  endpoint({ ...open, route: '/cached', cache: 60, args: { n: { validate_callback: rejecting } } }, handler),
  endpoint({ namespace, route: '/permission', permission: rejecting }, handler),
  endpoint({ namespace, route: '/thenable-permission', permission: thenable }, handler),
  endpoint(
    { ...open, route: '/sanitizer-of-a-list', args: { n: { sanitize_callback: () => [rejecting()] } } },
    handler,
  ),
  endpoint({ ...open, route: '/handler' }, rejecting),
]

const body = () => ({ a: 1, b: rejecting(), c: [{ d: rejecting() }] })
const bodies = [
  endpoint({ ...open, route: '/body' }, body),
  endpoint({ ...open, route: '/cached-body', cache: 60 }, body),
  endpoint({ ...open, route: '/body-itself' }, () => new RestResponse(rejecting())),
  endpoint({ ...open, route: '/to-json' }, () => ({ a: { toJSON: rejecting } })),
  endpoint({ ...open, route: '/list-of-responses' }, () => new RestResponse([new RestResponse(body())])),
]

/** The rejections that this process has left unhandled since the call. The listener is removed at the end of the test. */
function unhandledRejections(context: TestContext): readonly unknown[] {
  const rejections: unknown[] = []
  const note = (reason: unknown): void => void rejections.push(reason)
  process.on('unhandledRejection', note)
  context.after(() => process.off('unhandledRejection', note))
  return rejections
}

describe('a callback that returns a rejecting promise', () => {
  for (const { route } of endpoints)
    test(`${route} is answered 500, and no rejection stays unhandled`, async (context) => {
      const rejections = unhandledRejections(context)
      const site = await startService(endpoints)
      context.after(() => site.close())
      const response = await fetch(`${site.rest}${namespace}${route}?n=1`)
      assert.equal(response.status, 500)
      assert.equal(((await response.json()) as { code: string }).code, 'internal_server_error')
      // A rejection is reported once the microtasks of its turn have run.
      await new Promise((resolve) => setImmediate(resolve))
      assert.deepEqual(rejections, [])
    })
})

describe('a body that holds rejecting promises', () => {
  const requests = bodies.flatMap(({ route }) => [
    [route, 'GET', 500],
    // A response that is cached is serialized for HEAD as well.
    [route, 'HEAD', route.startsWith('/cached') && withoutResponseCache === false ? 500 : 200],
    [`${route}?_envelope&_pretty`, 'GET', 500],
  ]) as [path: string, method: string, status: number][]
  for (const [path, method, status] of [
    ...requests,
    ['/body?_fields=a,b', 'GET', 500],
    ['/body?_fields=a,c.d', 'GET', 200],
    ['/body?_fields=a', 'GET', 200],
  ] as const)
    test(`${method} ${path} is answered ${status}, and no rejection stays unhandled`, async (context) => {
      const rejections = unhandledRejections(context)
      const site = await startService(bodies)
      context.after(() => site.close())
      assert.equal((await fetch(`${site.rest}${namespace}${path}`, { method })).status, status)
      await new Promise((resolve) => setImmediate(resolve))
      assert.deepEqual(rejections, [])
    })
})
