import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoint, EventStream } from 'as-rest-route'
import { startService } from '../../test/support/start-service.js'
import { exampleRequests } from './example-requests.js'

const open = { namespace: 'media/v1', method: 'POST', permission: 'public' } as const
const cover = endpoint({ ...open, route: '/covers', args: { cover: { type: 'file', required: true } } }, () => null)
const pages = endpoint(
  { ...open, route: '/pages', args: { pages: { type: 'array', items: { type: 'file' }, required: true } } },
  () => null,
)
const note = endpoint({ ...open, route: '/notes', args: { title: { type: 'string', required: true } } }, () => null)

const ownRoute = /-d '\{"name":"My first program"\}' '\/wp\/v2\/users\/me\/application-passwords'$/

for (const [what, source, expected] of [
  ['routes that require a file', { cover }, ownRoute],
  ['routes that require a list of files', { pages }, ownRoute],
  ['a route of text among them', { cover, pages, note }, /-d '\{"title":"My first title"\}' '\/media\/v1\/notes'$/],
] as const)
  test(`the example of a write sends no JSON to a route of files: ${what}`, async (context) => {
    const site = await startService(Object.values(source))
    context.after(() => site.close())
    const commands = exampleRequests(site.service.routes, '', 'ann:password')
    assert.equal(commands.length, 3)
    assert.match(commands[2] ?? '', expected)
  })

async function* noEvents() {}
const stream = { namespace: 'media/v1', event_stream: true } as const
const feed = endpoint({ ...stream, route: '/feed', permission: 'public' }, () => new EventStream(noEvents()))
const ownFeed = endpoint({ ...stream, route: '/own-feed', permission: null }, () => new EventStream(noEvents()))
const order = endpoint(
  { ...open, route: '/orders', idempotency_key: 'required', args: { title: { type: 'string', required: true } } },
  () => null,
)

test('the examples open no stream, which would not end, and need no Idempotency-Key', async (context) => {
  const site = await startService([feed, ownFeed, order])
  context.after(() => site.close())
  assert.deepEqual(exampleRequests(site.service.routes, '', 'ann:password'), [
    "curl '/'",
    "curl -u ann:password '/wp/v2/users/me'",
    `curl -u ann:password -H 'Content-Type: application/json' -d '{"name":"My first program"}' '/wp/v2/users/me/application-passwords'`,
  ])
})
