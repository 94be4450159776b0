import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { AsRestRoute, RestResponse, type RestRequest } from 'as-rest-route'
import { openService } from './open-service.js'

const ticket = {
  type: 'object',
  properties: { seat: { type: 'object', properties: { row: { type: 'integer' } } } },
} as const
const tickets = { type: 'array', items: ticket } as const
type Seat = { row: number; secret?: string }

/** A seat that two requests share. */
const shared: { seat: Seat } = { seat: { row: 1 } }

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Handlers that change the object which they have returned. */
class TicketsApi {
  @AsRestRoute({ namespace: 'events/v1', route: '/ticket', permission: 'public', responses: { 200: ticket } })
  show() {
    const seat: Seat = { row: 1 }
    setTimeout(() => (seat.secret = 'later'), 0)
    return { seat }
  }

  // Its verdict, which `Allow` waits for, comes after the change.
  @AsRestRoute({ namespace: 'events/v1', route: '/ticket', method: 'POST', permission: 'mayBuy' })
  buy() {
    return new RestResponse(null)
  }

  async mayBuy() {
    for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setTimeout(resolve, 1))
    return true
  }

  @AsRestRoute({
    namespace: 'events/v1',
    route: '/shared',
    method: 'POST',
    permission: 'public',
    allow_batch: true,
    responses: { 200: ticket },
    args: { secret: { type: 'string' } },
  })
  async share(request: RestRequest<{ secret: string | null }>) {
    await turn()
    const secret = request.get_param('secret')
    if (secret !== null) shared.seat.secret = secret
    return shared
  }

  @AsRestRoute({ namespace: 'events/v1', route: '/linked', permission: 'public', responses: { 200: ticket } })
  linked(request: RestRequest) {
    const seat: Seat = { row: 2 }
    setTimeout(() => (seat.secret = 'later'), 0)
    return new RestResponse({ seat }).addLink('other', `${request.root}events/v1/slow`, { embeddable: true })
  }

  @AsRestRoute({ namespace: 'events/v1', route: '/self', permission: 'public', responses: { 200: ticket } })
  self(request: RestRequest) {
    const seat: Seat = { row: 3 }
    setTimeout(() => (seat.secret = 'later'), 0)
    // For the link, the service determines which methods its target allows, and the permission callback takes a while.
    return new RestResponse({ seat }).addLink('self', `${request.root}events/v1/ticket`)
  }

  @AsRestRoute({ namespace: 'events/v1', route: '/items', permission: 'public', responses: { 200: tickets } })
  items(request: RestRequest) {
    const seat: Seat = { row: 4 }
    setTimeout(() => (seat.secret = 'later'), 0)
    return new RestResponse([new RestResponse({ seat }).addLink('self', `${request.root}events/v1/ticket`)])
  }

  @AsRestRoute({
    namespace: 'events/v1',
    route: '/keyed',
    method: 'POST',
    permission: 'public',
    idempotency_key: 'required',
    responses: { 200: ticket },
  })
  keyed() {
    const seat: Seat = { row: 5 }
    setImmediate(() => (seat.secret = 'later'))
    return { seat }
  }

  @AsRestRoute({ namespace: 'events/v1', route: '/soon', permission: 'public', responses: { 200: ticket } })
  async soon() {
    const seat: Seat = { row: 6 }
    const later = async () => {
      for (let steps = 0; steps < 3; steps += 1) await Promise.resolve()
      seat.secret = 'soon'
    }
    void later()
    return { seat }
  }

  @AsRestRoute({ namespace: 'events/v1', route: '/getter', permission: 'public', responses: { 200: ticket } })
  getter() {
    let reads = 0
    return {
      get seat(): Seat {
        reads += 1
        return reads < 3 ? { row: 7 } : { row: 7, secret: 'third' }
      },
    }
  }

  @AsRestRoute({ namespace: 'events/v1', route: '/text', permission: 'public', responses: { 200: ticket } })
  text() {
    const body = {
      async *[Symbol.asyncIterator]() {
        yield Buffer.from('abc')
      },
    }
    return new RestResponse(body).header('Content-Type', 'text/plain')
  }

  @AsRestRoute({ namespace: 'events/v1', route: '/slow', permission: 'public' })
  async slow() {
    await new Promise((resolve) => setTimeout(resolve, 20))
    return 1
  }
}

const site = await openService([TicketsApi])
after(() => site.close())

test('an addition to a body while Allow waits for a verdict is not sent', async () => {
  assert.deepEqual((await site.call('GET', '/events/v1/ticket')).body, { seat: { row: 1 } })
})

test('an addition by a later item of a batch to the body of an earlier one is not sent', async () => {
  const requests = ['', '?secret=a'].map((query) => ({ path: `/events/v1/shared${query}` }))
  const { body } = await site.call('POST', '/batch/v1', { json: { requests } })
  assert.deepEqual(
    (body as { responses: { body: unknown }[] }).responses.map((response) => response.body),
    [{ seat: { row: 1 } }, { seat: { row: 1 } }],
  )
})

test('an addition to a body while links are embedded is not sent', async () => {
  const { body } = await site.call('GET', '/events/v1/linked?_embed')
  const { seat, _embedded } = body as { seat: unknown; _embedded: unknown }
  assert.deepEqual([seat, _embedded], [{ row: 2 }, { other: [1] }])
})

for (const [path, row] of [
  ['/events/v1/self', 3],
  ['/events/v1/items', 4],
] as const)
  test(`an addition to a body while the methods of its links are determined is not sent: ${path}`, async () => {
    const { body } = await site.call('GET', path)
    const [item] = (Array.isArray(body) ? body : [body]) as readonly { readonly seat: unknown }[]
    assert.deepEqual(item?.seat, { row })
  })

test('an addition to a body while the response to an idempotency key is stored is not sent', async () => {
  for (const _ of ['first', 'repeated']) {
    const { body } = await site.call('POST', '/events/v1/keyed', { as: { 'Idempotency-Key': 'one' } })
    assert.deepEqual(body, { seat: { row: 5 } })
  }
})

test('an addition to a body before it is written is not sent', async () => {
  assert.deepEqual((await site.call('GET', '/events/v1/soon')).body, { seat: { row: 6 } })
})

test('a getter whose value has more when it is read again sends what was checked', async () => {
  assert.deepEqual((await site.call('GET', '/events/v1/getter')).body, { seat: { row: 7 } })
})

test('a body that is not JSON is sent as it is', async () => {
  const response = await fetch(`${site.root}events/v1/text?_embed`)
  assert.equal(await response.text(), 'abc')
})
