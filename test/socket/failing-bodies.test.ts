import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { test, type TestContext } from 'node:test'
import { AsRestRoute, RestResponse, type RestRequest } from '../../src/index.js'
import { ways } from '../support/three-ways.js'

// A body that fails before it is written, or that is not written at all. Its failure must not end the process.

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

type Next = () => Promise<RestResponse>

const open = { namespace: 'test/v1', permission: 'public' } as const

const bodies: Readonly<Record<string, () => unknown>> = {
  'missing-file': () => createReadStream(new URL('./no-such-file', import.meta.url)),
  destroyed: () => {
    const stream = new Readable({ read: () => undefined })
    stream.destroy(new Error('The source is gone.'))
    return stream
  },
  promise: () => ({ first: Promise.resolve(1), second: Promise.reject(new Error('The promise failed.')) }),
}

const bodyFor = (request: RestRequest<{ kind: string }>) => bodies[request.get_param('kind')]?.()

class FailingApi {
  @AsRestRoute({ ...open, route: '/body/(?P<kind>[\\w-]+)' })
  body(request: RestRequest<{ kind: string }>) {
    return new RestResponse(bodyFor(request))
  }

  @AsRestRoute({
    ...open,
    route: '/body/(?P<kind>[\\w-]+)',
    method: 'POST',
    idempotency_key: 'optional',
    allow_batch: true,
  })
  write(request: RestRequest<{ kind: string }>) {
    return new RestResponse(bodyFor(request))
  }

  @AsRestRoute({ ...open, route: '/slow-permission/(?P<kind>[\\w-]+)' })
  beside(request: RestRequest<{ kind: string }>) {
    return new RestResponse(bodyFor(request))
  }

  @AsRestRoute({ ...open, route: '/slow-permission/(?P<kind>[\\w-]+)', method: 'POST', permission: 'slowly' })
  slow() {
    return null
  }

  @AsRestRoute({ ...open, route: '/empty/(?P<kind>[\\w-]+)' })
  empty(request: RestRequest<{ kind: string }>) {
    return new RestResponse(bodyFor(request), 204)
  }

  @AsRestRoute({ ...open, route: '/failed/(?P<kind>[\\w-]+)', method: 'POST', idempotency_key: 'optional' })
  failed(request: RestRequest<{ kind: string }>) {
    return new RestResponse(bodyFor(request), 503)
  }

  @AsRestRoute({ ...open, route: '/cached/(?P<kind>[\\w-]+)', cache: 60 })
  cached(request: RestRequest<{ kind: string }>) {
    return new RestResponse(bodyFor(request))
  }

  @AsRestRoute({ ...open, route: '/late/(?P<kind>[\\w-]+)', timeout: 0.02 })
  async late(request: RestRequest<{ kind: string }>) {
    await pause(60)
    return new RestResponse(bodyFor(request))
  }

  @AsRestRoute({ ...open, route: '/linked/(?P<kind>[\\w-]+)' })
  linked(request: RestRequest<{ kind: string }>) {
    const item = new RestResponse(bodyFor(request))
    return [item.addLink('up', `${request.root}test/v1/waiting`, { embeddable: true })]
  }

  @AsRestRoute({ ...open, route: '/waiting', method: 'POST', allow_batch: true })
  waitingWrite() {
    return this.waiting()
  }

  @AsRestRoute({ ...open, route: '/waiting' })
  async waiting() {
    await pause(30)
    return { done: true }
  }

  @AsRestRoute({
    ...open,
    route: '/slow-around/(?P<kind>[\\w-]+)',
    around: [
      async function waitAfterwards(_request: RestRequest, next: Next) {
        const response = await next()
        await pause(30)
        return response
      },
    ],
  })
  slowAround(request: RestRequest<{ kind: string }>) {
    return new RestResponse(bodyFor(request))
  }

  @AsRestRoute({
    ...open,
    route: '/replaced/(?P<kind>[\\w-]+)',
    around: [
      async function replaceResponse(_request: RestRequest, next: Next) {
        await next()
        await pause(30)
        return new RestResponse({ replaced: true })
      },
    ],
  })
  replaced(request: RestRequest<{ kind: string }>) {
    return new RestResponse(bodyFor(request))
  }

  async slowly() {
    await pause(30)
    return true
  }
}

/** What would end a process of Node that does not listen for it. */
function endings(context: TestContext): unknown[] {
  const errors: unknown[] = []
  const onError = (error: unknown): unknown => errors.push(error)
  for (const event of ['unhandledRejection', 'uncaughtException']) {
    process.on(event, onError)
    context.after(() => process.off(event, onError))
  }
  return errors
}

const json = (value: object): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
})

for (const { name, open: start } of ways)
  for (const kind of Object.keys(bodies))
    test(`a body that fails unread does not end the process: ${kind}, ${name}`, async (context) => {
      const errors = endings(context)
      const { send } = await start(context, [FailingApi])
      const requests: readonly (readonly [path: string, init?: RequestInit])[] = [
        [`/test/v1/body/${kind}`],
        [`/test/v1/body/${kind}`, { method: 'HEAD' }],
        [`/test/v1/body/${kind}?_envelope`],
        [`/test/v1/body/${kind}?_jsonp=show`],
        [`/test/v1/body/${kind}?_fields=first`],
        [`/test/v1/body/${kind}`, { method: 'POST', headers: { 'Idempotency-Key': kind } }],
        [`/test/v1/failed/${kind}`, { method: 'POST', headers: { 'Idempotency-Key': kind } }],
        [`/test/v1/slow-permission/${kind}`],
        [`/test/v1/slow-around/${kind}`],
        [`/test/v1/replaced/${kind}`],
        [`/test/v1/empty/${kind}`],
        [`/test/v1/cached/${kind}`],
        [`/test/v1/late/${kind}`],
        [`/test/v1/linked/${kind}?_embed`],
        ['/batch/v1', json({ requests: [{ path: `/test/v1/body/${kind}` }, { path: '/test/v1/waiting' }] })],
      ]
      for (const [path, init] of requests) {
        const response = await send(path, init)
        await response.arrayBuffer().catch(() => undefined)
        await pause(path.includes('/late/') ? 150 : 20)
        assert.deepEqual(errors.splice(0), [], `${init?.method ?? 'GET'} ${path}`)
      }
    })
