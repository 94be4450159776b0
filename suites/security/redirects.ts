import { pageNonceOf } from './sign.js'
import { basicOf, inParallel, type ReceivedResponse, type Target } from './target.js'

/** Addresses that a browser takes to another site, or that pretend to be of this one. */
function elsewhere(own: string): readonly string[] {
  const { host, port } = new URL(own)
  return [
    'https://evil.example/',
    'http://evil.example/',
    '//evil.example/',
    '///evil.example/',
    '////evil.example/',
    '/\\evil.example/',
    '\\\\evil.example/',
    '\\/evil.example/',
    '/\t/evil.example/',
    '/\n/evil.example/',
    '\t//evil.example/',
    ' https://evil.example/',
    '\u00a0//evil.example/',
    'https:evil.example',
    'https:/evil.example',
    'https:///evil.example',
    'http:\\\\evil.example',
    `http://${host}@evil.example/`,
    `http://${host}.evil.example/`,
    `http://evil.example#@${host}/`,
    `http://evil.example?@${host}/`,
    `http://evil.example\\@${host}/`,
    `http://user@${host}/`,
    `http://user:pass@${host}/`,
    `http://127.0.0.1:${Number(port) + 1}/`,
    `http://127.1:${Number(port) + 1}/`,
    `//${host}@evil.example/`,
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    `blob:http://${host}/x`,
    'file:///etc/passwd',
    'ftp://evil.example/',
    '%2f%2fevil.example/',
    '/%5cevil.example/',
    '/%09/evil.example/',
    '/a\r\nLocation: https://evil.example/',
    '/a%0d%0aLocation:%20https://evil.example/',
    '/a\r\n\r\n<script>alert(1)</script>',
    '.evil.example',
    '/./\\evil.example',
    '/..//evil.example/',
    '/a/..//evil.example/',
    'https://evil。example/',
    'https://ⓔvil.example/',
    '\u0000//evil.example/',
  ]
}

/** No redirect leads away from the site, whatever the request says. */
export async function attackRedirects(target: Target): Promise<void> {
  const { url } = target.site
  const member = target.member('editor-1')
  const destinations = elsewhere(url)
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const logIn = (destination: string, headers: Readonly<Record<string, string>> = {}, query = '') =>
    target.ask('POST', `/wp-login.php${query}`, {
      headers: { ...form, ...headers },
      body: new URLSearchParams({ log: member.login, pwd: member.password, redirect_to: destination }).toString(),
    })
  // Each login hashes a password: a few destinations are enough for it in the quick form, and all for what is cheap.
  const drawn = destinations.filter(() => target.random.chance(0.35 * target.scale))
  for (const destination of drawn) check(target, await logIn(destination), `log-in to ${JSON.stringify(destination)}`)
  for (const headers of [
    { Host: 'evil.example' },
    { 'X-Forwarded-Host': 'evil.example' },
    { 'X-Forwarded-Proto': 'javascript' },
  ])
    check(target, await logIn('/wp-admin/', headers), `log-in with ${JSON.stringify(headers)}`)
  check(target, await logIn('', {}, '?redirect_to=//evil.example/'), 'log-in with the destination in the query')
  const inside = await logIn('/product/x/?a=b')
  target.check(
    inside.header('location') === '/product/x/?a=b' ? null : `A log-in leads to ${inside.header('location')}.`,
  )

  await inParallel(destinations, async (destination) => {
    const encoded = encodeURIComponent(destination)
    const asText = JSON.stringify(destination)
    check(target, await target.ask('GET', `/wp-login.php?action=logout&redirect_to=${encoded}`), `log-out to ${asText}`)
    for (const path of [
      `/wp-login.php?redirect_to=${encoded}`,
      `/wp-admin/profile.php?redirect_to=${encoded}`,
      `/wp-admin/?redirect_to=${encoded}`,
    ])
      check(target, await target.ask('GET', path), `${path.split('?')[0]} to ${asText}`)
    const headers = { Authorization: basicOf(member, member.applicationPassword) }
    check(target, await target.ask('GET', `/?redirect_to=${encoded}`, { headers }), `the front page to ${asText}`)
    for (const [action, fields] of [
      ['postpass', {}],
      ['postpass', { post_password: 'x' }],
      ['lostpassword', { user_login: `nobody ${destination}` }],
    ] as const) {
      const body = new URLSearchParams({ ...fields, redirect_to: destination.toWellFormed() }).toString()
      const ask = { headers: form, body, from: target.freshAddress() }
      check(target, await target.ask('POST', `/wp-login.php?action=${action}`, ask), `${action} to ${asText}`)
    }
    const referer = { Referer: destination.replaceAll(/[^\t\x20-\x7e]/g, '') }
    check(
      target,
      await target.ask('GET', '/wp-login.php?action=postpass', { headers: referer }),
      `postpass from ${asText}`,
    )
  })
  await logOuts(target, destinations)
  await addresses(target)
  await applications(target, destinations)
}

/** A log-out with its nonce, which ends a session of its own. */
async function logOuts(target: Target, destinations: readonly string[]): Promise<void> {
  const now = (await target.service.call<number>('advance', 0)) / 1000
  for (const destination of destinations.filter(() => target.random.chance(0.05 * target.scale))) {
    const { login, password, id } = target.member('editor-2')
    const session = await target.service.call<{ adminCookies: string; loggedIn: string }>('logIn', { login, password })
    const nonce = pageNonceOf({ id, loggedIn: session.loggedIn }, 'log-out', now)
    const query = new URLSearchParams({ action: 'logout', _wpnonce: nonce, redirect_to: destination.toWellFormed() })
    const response = await target.ask('GET', `/wp-login.php?${query}`, { headers: { Cookie: session.adminCookies } })
    check(target, response, `a log-out to ${JSON.stringify(destination)}`)
    target.check(response.status === 302 ? null : `a log-out is answered ${response.status}.`)
  }
}

/** Addresses of the site that are spelled so that a redirect to a better spelling could lead away. */
async function addresses(target: Target): Promise<void> {
  const author = target.member('author-1').id
  const record = { type: 'post', status: 'publish', author, title: 'evil.example' }
  const id = await target.service.call<number>('record', record)
  const slug = 'evil-example'
  const paths = [
    `//evil.example`,
    `//evil.example/${slug}`,
    `//${slug}`,
    `///${slug}`,
    `/\\evil.example/${slug}`,
    `/%5cevil.example`,
    `/%2f%2fevil.example/%2e%2e`,
    `//evil.example/?p=${id}`,
    `//evil.example/wp-admin/`,
    `//evil.example/index.php`,
    `//evil.example//wp-login.php?action=logout`,
    `/${slug.toUpperCase()}`,
    `/?p=${id}`,
    `/${slug}%0d%0aX-Injected:%201`,
    `/product//evil.example`,
    `/wp-admin//evil.example`,
    `/wp-admin/..//evil.example`,
    `/index.php//evil.example/`,
  ]
  const hosts = [{}, { Host: 'evil.example' }, { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' }]
  for (const path of paths)
    for (const headers of hosts)
      check(target, await target.ask('GET', path, { headers }), `GET ${path} with ${JSON.stringify(headers)}`)
  // The request line may hold a whole address.
  check(target, await target.ask('GET', `http://evil.example/?p=${id}`), 'a whole address in the request line')
}

/** `success_url` of an application is another site by design; it must not be a script, nor be used unasked. */
async function applications(target: Target, destinations: readonly string[]): Promise<void> {
  const { adminCookies } = target.member('editor-1')
  const own = await target.ask('GET', '/wp-admin/authorize-application.php?app_name=A', {
    headers: { Cookie: adminCookies },
  })
  target.check(own.status === 200 ? null : `The form for an application is ${own.status}.`)
  for (const destination of destinations) {
    const path = `/wp-admin/authorize-application.php?app_name=A&success_url=${encodeURIComponent(destination)}`
    const response = await target.ask('GET', path, { headers: { Cookie: adminCookies } })
    target.check(
      response.status >= 300 && response.status < 400 && response.header('location')?.includes('evil') === true
        ? `${path} redirects unasked.`
        : null,
    )
    const isScript = /^\s*(?:java\s*script|data|vbscript|blob|file)/i.test(destination)
    target.check(
      isScript && response.status === 200 ? `The destination ${JSON.stringify(destination)} is offered.` : null,
    )
  }
}

function check(target: Target, response: ReceivedResponse, what: string): void {
  const injected = response.wire.headers.some(([name]) => name === 'x-injected')
  const location = response.header('location')
  const locations = response.wire.headers.filter(([name]) => name === 'location')
  let fault: string | null = null
  if (injected || locations.length > 1) fault = 'a header was injected'
  else if (location !== null) {
    const own = new URL(target.site.url)
    const resolved = URL.canParse(location, own.href) ? new URL(location, own.href) : null
    const isOwn = resolved?.origin === own.origin && resolved.username === '' && resolved.password === ''
    if (!isOwn) fault = `it leads to ${JSON.stringify(location)}`
  }
  if (response.status >= 500) fault = `the status is ${response.status}`
  target.check(fault === null ? null : `${what}: ${fault}`)
}
