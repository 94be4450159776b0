import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startTestService } from 'as-rest-route/testing'
import { Payments } from '../app/payments.js'

let signatureOf = (_body: Uint8Array) => ''

/** The payments of the service, whose signatures the tests need. */
class KnownPayments extends Payments {
  override async start() {
    await super.start()
    signatureOf = (body) => this.signatureOf(body)
  }
}

const service = await startTestService(new URL('../app/', import.meta.url), { provide: [[Payments, KnownPayments]] })
after(() => service.close())

const [jazz] = await service.records.list({ type: 'event', search: 'jazz' })
const event = `/events/v1/events/${jazz?.id}`

/** Buys tickets as a visitor. */
const buy = (body: object, headers: Record<string, string> = {}) => service.post(`${event}/tickets`, body, { headers })

/** A form with a picture of this name. */
function posterNamed(name: string): FormData {
  const form = new FormData()
  form.append('poster', new File(['the picture'], name, { type: 'image/png' }))
  return form
}

/** The subjects of the mails to an address. What runs after an answer, or after a write is stored, is waited for. */
async function subjectsTo(address: string, count: number): Promise<string[]> {
  const end = performance.now() + 60_000
  for (;;) {
    const subjects = service.mails.filter(({ to }) => to === address).map(({ subject }) => subject)
    if (subjects.length >= count) return subjects
    if (performance.now() > end)
      throw new Error(`Mails to ${address} after a minute: ${subjects.join(', ') || 'none'}.`)
    await pause(5)
  }
}

test('visitors list events by date, price and category', async () => {
  const titles = async (query: Record<string, string>) =>
    (await service.get('/events/v1/events', { query })).body.map(({ title }: { title: string }) => title)
  assert.deepEqual(await titles({}), ['Jazz in the cellar', 'Poems after midnight', 'The long night of organs'])
  assert.deepEqual(await titles({ from: '2027-03-12' }), ['Poems after midnight', 'The long night of organs'])
  assert.deepEqual(await titles({ until: '2027-03-31', max_price: '10' }), ['Poems after midnight'])
  const page = await service.get('/events/v1/events', { query: { per_page: '1', page: '2', category: 'concerts' } })
  assert.equal(page.headers.get('x-wp-total'), '3')
  assert.deepEqual(Object.keys(page.body[0]), ['id', 'title', 'starts_at', 'price', 'seats_left', 'poster', 'link'])
})

test('no more seats are sold than there are', async () => {
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, index) => buy({ email: `guest-${index}@example.com`, seats: 8 })),
  )
  const statuses = responses.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [201, 201, 201, 201, 201, 201, 409, 409])
  const refused = responses.find(({ status }) => status === 409)
  assert.deepEqual(refused?.body, {
    code: 'sold_out',
    message: '2 seats are left.',
    data: { status: 409, seats_left: 2 },
  })
  assert.equal((await service.get(event)).body.seats_left, 2)
})

test('a repeated purchase is one purchase', async () => {
  const key = { 'Idempotency-Key': 'b0b9a9d2' }
  const first = await buy({ email: 'twice@example.com' }, key)
  const second = await buy({ email: 'twice@example.com' }, key)
  assert.equal(first.status, 201)
  assert.deepEqual(second.body, first.body)
  assert.equal((await service.get(event)).body.seats_left, 1)
  assert.equal((await buy({ email: 'other@example.com' }, key)).status, 422)
})

test('a misspelt argument is refused, and a 429 has Retry-After', async () => {
  const misspelt = await buy({ emial: 'a@example.com' })
  assert.match(misspelt.body.data.params.emial, /Did you mean email\?/)
  let response = misspelt
  for (let times = 0; times < 20 && response.status !== 429; times += 1) response = await buy({})
  assert.equal(response.status, 429)
  assert.ok(Number(response.headers.get('retry-after')) > 0)
  service.clock.advance(60_000)
})

/** Sends a message of the payment provider, with a signature of `signed`. */
const pay = (body: string, signed: string, query: Record<string, string> = {}) =>
  service.post('/events/v1/payments', body, {
    query,
    headers: { 'Content-Type': 'application/json', 'X-Signature': signatureOf(new TextEncoder().encode(signed)) },
  })

test('the signature of one payment confirms no ticket that the query names', async () => {
  const ticket = await service.records.insert({ type: 'ticket', status: 'publish', title: 'Ticket' })
  for (const body of ['{"ticket":0}', ''])
    assert.equal((await pay(body, body, { ticket: String(ticket.id) })).status, 401)
  assert.equal((await service.records.get(ticket.id))?.status, 'publish')
})

test('a paid ticket is mailed once the payment is stored', async () => {
  const { body: ticket } = await buy({ email: 'paid@example.com' })
  const payment = JSON.stringify({ ticket: ticket.id })
  assert.equal((await pay(payment, 'another payment')).status, 401)
  assert.equal((await pay(payment, payment)).body.status, 'paid')
  assert.equal((await pay(payment, payment)).status, 409)
  const reserved = 'Reserved: Jazz in the cellar: 1'
  assert.deepEqual(await subjectsTo('paid@example.com', 1), [reserved])
  await service.runJobs()
  assert.deepEqual(await subjectsTo('paid@example.com', 2), [reserved, 'Your ticket: Jazz in the cellar'])
  const list = await service.as('editor').get('/events/v1/tickets', { query: { event: String(jazz?.id) } })
  assert.deepEqual(list.body, [{ id: ticket.id, event: jazz?.id, seats: 1, status: 'paid' }])
  assert.equal((await service.get('/events/v1/tickets')).status, 401)
})

test('the office hears once of an event that is sold out', async () => {
  assert.equal((await service.get(event)).body.seats_left, 0)
  await service.as('editor').post(`${event}/poster`, posterNamed('Sold out.png'))
  assert.equal((await buy({ email: 'late@example.com' })).body.code, 'sold_out')
  assert.deepEqual(await subjectsTo('office@example.com', 1), ['Sold out: Jazz in the cellar'])
})

test('an editor changes an event only as it was read', async () => {
  const editor = service.as('editor')
  const created = await editor.post('/events/v1/events', {
    title: 'Swing',
    starts_at: '2027-05-01T20:00',
    capacity: 80,
    price: 12,
  })
  assert.equal(created.status, 201)
  const path = `/events/v1/events/${created.body.id}`
  const tag = (await editor.get(path)).headers.get('etag') ?? ''
  const change = (title: string) => editor.patch(path, { title }, { headers: { 'If-Match': tag } })
  const { title, price, seats_left } = (await change('Swing and jive')).body
  assert.deepEqual({ title, price, seats_left }, { title: 'Swing and jive', price: 12, seats_left: 80 })
  assert.equal((await change('Lost')).status, 412)
  assert.equal((await service.as('subscriber').patch(path, { title: 'Mine' })).status, 403)
})

test('an editor sends the poster of an event, and everybody sees it', async () => {
  const send = (role: string, name: string) => service.as(role).post(`${event}/poster`, posterNamed(name))
  const { status, body } = await send('editor', 'Jazz im Keller.png')
  assert.deepEqual([status, new URL(body.poster).pathname], [201, `/uploads/posters/${jazz?.id}/Jazz-im-Keller.png`])
  const picture = await service.fetch(new Request(body.poster))
  assert.deepEqual([await picture.text(), picture.headers.get('Content-Type')], ['the picture', 'image/png'])
  assert.equal((await service.get(event)).body.poster, body.poster)
  assert.match((await send('editor', 'script.html')).body.data.params.poster, /image\/png/)
  assert.equal((await send('subscriber', 'Mine.png')).status, 403)
})

/** Sells a seat as the handler does, without its limit of requests. */
async function sellSeat(id: number) {
  const event = await service.records.get(id, { type: 'event', lock: true })
  await service.records.update<'event'>(id, { meta: { sold: (event?.meta.sold ?? 0) + 1 } })
}

test('tickets that are sold while a poster is sent stay sold', async () => {
  const [poems] = await service.records.list({ type: 'event', search: 'poems' })
  const path = `/events/v1/events/${poems?.id}`
  const before = (await service.get(path)).body.seats_left
  let sold = 0
  for (let posters = 0; posters < 5; posters += 1) {
    const ended = new AbortController()
    const sending = service
      .as('editor')
      .post(`${path}/poster`, posterNamed('Poems.png'))
      .finally(() => ended.abort())
    for (; !ended.signal.aborted; sold += 1) await service.records.transaction(() => sellSeat(poems?.id ?? 0))
    assert.equal((await sending).status, 201)
  }
  assert.equal((await service.get(path)).body.seats_left, before - sold)
})

test('editors read all tickets as CSV', async () => {
  await service.records.insert({ type: 'ticket', status: 'paid', title: 'x', meta: { email: '=1+1@example.com' } })
  const { text, headers } = await service.as('editor').get('/events/v1/tickets.csv')
  assert.equal(headers.get('content-type'), 'text/csv; charset=UTF-8')
  assert.match(text, /^id,event,email,seats,status\r\n/)
  assert.match(text, /,"'=1\+1@example\.com",1,paid\r\n/)
  assert.equal((await service.get('/events/v1/tickets.csv')).status, 401)
})

test('the box office sees tickets as they are sold', async () => {
  const { url } = await service.service.listen({ port: 0 })
  const {
    body: { password },
  } = await service.as('editor').post('/wp/v2/users/me/application-passwords', {
    name: 'Box office',
    scopes: ['GET /events/v1/sales'],
    expires: new Date(service.clock.now() + 60_000).toISOString(),
  })
  const Authorization = `Basic ${btoa(`editor:${password}`)}`
  assert.equal((await service.get('/events/v1/tickets', { headers: { Authorization } })).status, 403)
  const watching = new AbortController()
  const response = await fetch(`${url}/wp-json/events/v1/sales`, {
    headers: { Authorization, 'Last-Event-ID': '0' },
    signal: watching.signal,
  })
  assert.equal(response.headers.get('content-type'), 'text/event-stream')
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk)
    if (/event: ticket\nid: \d+\ndata: \{"id":\d+,/.test(text)) break
  }
  assert.match(text, /retry: 3000\n/)
  watching.abort()
  service.clock.advance(60_000)
  for (const headers of [{ Authorization }, {}])
    assert.equal((await service.get('/events/v1/sales', { headers })).status, 401)
})

test('each route that answers with JSON has response schemas', () => {
  const own = service.service.routes.filter(({ namespace }) => namespace === 'events/v1')
  const without = own.filter(({ responses }) => Object.keys(responses).length === 0).map(({ handler }) => handler)
  assert.ok(own.length >= 9, `${own.length} routes`)
  assert.deepEqual(without.sort(), ['LiveApi.sales', 'ReportsApi.csv'], 'but for a stream of events and a CSV file')
})
