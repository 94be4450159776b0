import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { AsRestRoute, currentUserCan, endpoint, inject, RecordStore, type RestRequest } from '../../src/index.js'
import { startService } from '../support/start-service.js'

const found = {
  namespace: 'found/v1',
  permission: 'public',
  args: { search: { type: 'string', default: '' } },
} as const

class FoundApi {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ ...found, route: '/posts' })
  async list(request: RestRequest<{ search: string }>) {
    return this.records.list({ type: 'post', search: request.get_param('search') })
  }

  /** The handler is called after its permission has waited. */
  @AsRestRoute({ ...found, route: '/counts', permission: 'after' })
  async count(request: RestRequest<{ search: string }>) {
    return this.records.count({ type: 'post', search: request.get_param('search') })
  }

  async after() {
    await new Promise((resolve) => setImmediate(resolve))
    return currentUserCan('exist')
  }
}

const functions = endpoint(
  { ...found, route: '/functions', dependencies: { records: RecordStore } },
  (request, { records }) => records.count({ type: 'post', search: request.get_param('search') }),
)

/** Connections from an address of this machine. */
async function connectionsFrom(context: TestContext, port: number, localAddress: string, count: number) {
  const sockets = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1', localAddress, noDelay: true }))
  context.after(() => sockets.forEach((socket) => socket.destroy()))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  return sockets
}

/** Sends a request at once. @returns the status of its response. */
async function statusOf(socket: Socket, path: string): Promise<string> {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  return bytes.toString('latin1', 9, 12)
}

const addresses: [what: string, path: string][] = [
  ['a list of a route', '/wp-json/found/v1/posts?search='],
  ['a count of a route whose permission waits', '/wp-json/found/v1/counts?search='],
  ['an endpoint without a class', '/wp-json/found/v1/functions?search='],
  ['the page of a search', '/?s='],
]

for (const [what, path] of addresses)
  test(`searches of one network do not keep those of another one out: ${what}`, async (context) => {
    const { port, service, close } = await startService([FoundApi, functions])
    context.after(close)
    for (let count = 0; count < 20; count += 1)
      await service.records.insert({ type: 'post', status: 'publish', title: 'Lamp', content: 'oil '.repeat(20_000) })
    const flood = await connectionsFrom(context, port, '127.0.0.2', 70)
    const [stranger] = await connectionsFrom(context, port, '127.0.0.3', 1)
    assert(stranger)

    const statuses = flood.map((socket, index) => statusOf(socket, `${path}flood${index}`))
    const status = await statusOf(stranger, `${path}lamp`)

    assert.equal(status, '200')
    const refused = (await Promise.all(statuses)).filter((each) => each === '503')
    assert(refused.length >= 70 - 40, `only ${refused.length} of the flood were refused`)
  })
