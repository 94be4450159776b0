import { basicOf, type ReceivedResponse, type Headers, type Target } from './target.js'

/** A host that no response may name. */
const poison = 'poison.example'

const poisonHeaders: readonly Headers[] = [
  { 'X-Forwarded-Host': poison },
  { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': poison },
  { 'X-Forwarded-Prefix': `//${poison}` },
  { Forwarded: `host=${poison};proto=https` },
  { Host: poison },
  { 'X-Host': poison },
  { 'X-Original-URL': '/wp-json/shop/v1/admin/settings' },
  { 'X-Rewrite-URL': '/wp-json/shop/v1/admin/settings' },
  { 'X-HTTP-Method-Override': 'POST' },
  { 'X-HTTP-Method-Override': 'OPTIONS' },
  { Origin: `https://${poison}` },
  { Accept: `text/html, ${poison}` },
  { 'Accept-Language': poison },
  { 'Accept-Encoding': 'gzip' },
  { Range: 'bytes=0-4' },
  { 'If-None-Match': '*' },
  { 'If-Modified-Since': 'Wed, 11 Jan 2090 05:00:00 GMT' },
  { 'Cache-Control': 'only-if-cached' },
  { Cookie: `wordpress_test_cookie=${poison}` },
  { Cookie: `unknown=${poison}` },
  { 'X-WP-Nonce': 'x' },
  { Authorization: 'Basic x' },
  { 'User-Agent': poison },
]

const poisonQueries: readonly string[] = [
  '_method=POST',
  '_method=DELETE',
  '_jsonp=alert',
  '_envelope',
  '_fields=id',
  '_embed',
  '_pretty',
  '_locale=user',
  '_wpnonce=x',
  `utm_source=${poison}`,
  'rest_route=/shop/v1/none',
  'context=edit',
  'per_page=1&per_page=2',
  'per_page=abc',
  'per_page[]=1',
  '%5Fjsonp=alert',
  'callback=alert',
  '_JSONP=alert',
]

/** Poisoned entries, entries of another caller, entries that are out of date. */
export async function attackCaches(target: Target): Promise<void> {
  const paths = ['/wp-json/shop/v1/products?per_page=3', '/wp-json/guarded/v1/echo', '/wp-json/shop/v1/partials/posts']
  for (const path of paths) await poisonEntry(target, path)
  await wrongCaller(target)
  await outOfDate(target)
}

/** The response without what differs each time. */
function essenceOf({ status, text, wire }: ReceivedResponse): string {
  const changing = new Set(['date', 'x-request-id', 'connection', 'keep-alive'])
  return JSON.stringify([status, wire.headers.filter(([name]) => !changing.has(name)), text])
}

async function poisonEntry(target: Target, path: string): Promise<void> {
  const clean = essenceOf(await target.ask('GET', path))
  const attempts: { readonly what: string; readonly send: () => Promise<ReceivedResponse> }[] = [
    ...poisonHeaders.map((headers) => ({
      what: JSON.stringify(headers),
      send: () => target.ask('GET', path, { headers, from: target.freshAddress() }),
    })),
    ...poisonQueries.map((query) => ({
      what: query,
      send: () => target.ask('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`),
    })),
    ...['HEAD', 'POST', 'OPTIONS', 'PUT'].map((method) => ({ what: method, send: () => target.ask(method, path) })),
    {
      what: 'a body',
      send: () =>
        target.ask('GET', path, { body: '{"per_page":1,"text":"x"}', headers: { 'Content-Type': 'application/json' } }),
    },
    { what: 'a double slash', send: () => target.ask('GET', path.replace('/wp-json', '//wp-json')) },
  ]
  for (const { what, send } of attempts) {
    // The entry may be new: what the attacker sends is then what is computed.
    if (target.random.chance(0.5)) await dropEntries(target)
    const response = await send()
    const after = await target.ask('GET', path)
    target.check(
      essenceOf(after) === clean ? null : `${path} answers otherwise after ${what}: ${essenceOf(after).slice(0, 300)}`,
    )
    const echoesOrigin = what.includes('Origin')
    const shown = response.wire.headers.some(
      ([name, value]) => value.includes(`//${poison}`) && !(echoesOrigin && name === 'access-control-allow-origin'),
    )
    target.check(
      shown || response.text.includes(`//${poison}`) ? `${path} with ${what} shows the host of the attacker.` : null,
    )
  }
  const vary = (await target.ask('GET', path)).header('vary') ?? ''
  for (const name of ['Origin', 'Cookie', 'Authorization', 'X-WP-Nonce'])
    target.check(vary.includes(name) ? null : `${path}: Vary does not name ${name}.`)
}

/** A write to a record of each type drops what is cached. */
async function dropEntries(target: Target): Promise<void> {
  const author = target.member('author-1').id
  for (const type of ['product', 'post']) {
    const id = await target.service.call<number>('record', { type, status: 'draft', author })
    await target.service.call('deleteRecord', id)
  }
}

async function wrongCaller(target: Target): Promise<void> {
  const admin = target.member('administrator-1')
  const basic = { Authorization: basicOf(admin, admin.applicationPassword) }
  const cookie = { Cookie: admin.cookie, 'X-WP-Nonce': admin.nonce }
  for (const [name, headers] of Object.entries({ basic, cookie })) {
    const id = await target.service.call<number>('record', {
      type: 'product',
      status: 'private',
      author: admin.id,
      title: 'Secret',
    })
    const path = `/wp-json/shop/v1/products/${id}`
    const own = await target.ask('GET', path, { headers })
    target.check(own.status === 200 ? null : `The own private product is ${own.status} by ${name}.`)
    target.check(/no-store/.test(own.header('cache-control') ?? '') ? null : `A response to ${name} may be stored.`)
    for (const attempt of [
      {},
      { 'If-None-Match': '*' },
      { Cookie: admin.cookie },
      { Origin: 'https://evil.example' },
    ]) {
      const response = await target.ask('GET', path, { headers: attempt })
      const isHidden = response.status === 404 && !response.text.includes('Secret')
      target.check(
        isHidden ? null : `A private product after ${name} is ${response.status} with ${JSON.stringify(attempt)}.`,
      )
    }
    // What an anonymous caller is told is not what the owner is told.
    const again = await target.ask('GET', path, { headers })
    target.check(
      again.text === own.text ? null : `The owner reads something else after an anonymous caller, by ${name}.`,
    )
  }
  // The page of a visitor who is logged in is nobody else's.
  const page = await target.ask('GET', '/', { headers: { Cookie: admin.cookie } })
  target.check(page.text.includes('action=logout') ? null : 'The front page does not greet its visitor.')
  target.check(
    /no-store|private/.test(page.header('cache-control') ?? '') ? null : 'The page of a visitor may be stored.',
  )
  target.check((await target.ask('GET', '/')).text.includes('action=logout') ? 'A page shows another visitor.' : null)
}

async function outOfDate(target: Target): Promise<void> {
  const admin = target.member('administrator-1')
  const headers = { Authorization: basicOf(admin, admin.applicationPassword), 'Content-Type': 'application/json' }
  for (let round = 0; round < 10 * target.scale; round += 1) {
    const title = `Round ${round}`
    const creation = await target.ask('POST', '/wp-json/shop/v1/products', {
      headers,
      body: JSON.stringify({ title, price: 1 }),
    })
    const { id } = creation.json() as { readonly id: number }
    const path = `/wp-json/shop/v1/products/${id}`
    const first = await target.ask('GET', path)
    await target.ask('PUT', path, { headers, body: JSON.stringify({ title: `${title}, changed` }) })
    const second = await target.ask('GET', path, { headers: { 'If-None-Match': first.header('etag') ?? '' } })
    target.check(
      second.status === 200 && second.text.includes('changed')
        ? null
        : `A changed product is ${second.status}: ${second.text}`,
    )
    await target.ask('DELETE', path, { headers })
    const third = await target.ask('GET', path)
    target.check(third.status === 404 ? null : `A deleted product is ${third.status}.`)
    const list = await target.ask('GET', '/wp-json/shop/v1/products?per_page=100')
    target.check(list.text.includes(`"id":${id},`) ? 'A list shows a deleted product.' : null)
  }
}
