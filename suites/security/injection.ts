import { parse, type DefaultTreeAdapterTypes } from 'parse5'
import type { Member } from './protocol.js'
import { basicOf, inParallel, type ReceivedResponse, type Target } from './target.js'

/** The name of elements and attributes that nothing but an attack makes. */
const mark = 'xss7'
/** 7 × 7,777, which no page contains unless a template computed it. */
const product = '54439'

const payloads: readonly string[] = [
  `<${mark}>`,
  `"><${mark}>`,
  `'><${mark}>`,
  `</title><${mark}>`,
  `</textarea><${mark}>`,
  `</script><${mark}>`,
  `--><${mark}>`,
  `]]><${mark}>`,
  `</style><${mark}>`,
  `<img src=x onerror=${mark}()>`,
  `<svg/onload=${mark}()>`,
  `<a href="javascript:${mark}()">a</a>`,
  `<a href="java&#115;cript:${mark}()">a</a>`,
  `<a href=" &#14;javascript:${mark}()">a</a>`,
  `<a style="background:url(javascript:${mark}())">a</a>`,
  `<iframe srcdoc="<${mark}>"></iframe>`,
  `<form action="https://evil.example"><input name=${mark}>`,
  `<base href="https://evil.example/">`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example/">`,
  `<math><mi//xlink:href="data:x,<script>${mark}()</script>">`,
  `<noscript><p title="</noscript><${mark}>">`,
  `<p title="${mark}" ${mark}=1 onclick=${mark}()>a</p>`,
  `" ${mark}="1`,
  `' ${mark}='1`,
  `x ${mark}=1 `,
  `" onfocus="${mark}()" autofocus="`,
  `&lt;${mark}&gt;`,
  `&#60;${mark}&#62;`,
  `\\u003c${mark}\\u003e`,
  `<\0${mark}>`,
  `<%= 7*7777 %>`,
  `<%~ 7*7777 %>`,
  `{{7*7777}}`,
  `\${7*7777}`,
  `#{7*7777}`,
  `<?php echo 7*7777 ?>`,
  `[gallery]<${mark}>[/gallery]`,
  `<!-- wp:html --><${mark}><!-- /wp:html -->`,
  `\ud800<${mark}>`,
  `\r\nX-Injected: 1\r\n\r\n<${mark}>`,
]

const sqlTexts: readonly string[] = [
  "' OR '1'='1",
  "' OR 1=1 -- ",
  "'; DROP TABLE wp_posts; --",
  '" OR "1"="1',
  "\\' OR 1=1 -- ",
  "%' OR 1=1 -- ",
  "' UNION SELECT user_pass FROM wp_users -- ",
  "1; UPDATE wp_users SET user_login='x'",
  '\0',
  '%',
  '_',
  '*',
  '(SELECT 1)',
  "x' AND randomblob(100000000) AND '1'='1",
]

const serializedTexts: readonly unknown[] = [
  'O:8:"stdClass":0:{}',
  'a:1:{i:0;s:1:"x";}',
  's:3:"abc";',
  'b:1;',
  'N;',
  'i:5;',
  'C:1:"X":0:{}',
  'a:1:{s:5:"admin";b:1;}',
  'x";s:4:"role";s:13:"administrator',
  'O:1:"X":1:{s:1:"a";R:1;}',
  'a:99999999:{}',
  's:999:"short";',
]

/** What one sends is shown as text, stored as text and looked up as text. */
export async function attackWithInjection(target: Target): Promise<void> {
  await pages(target)
  await contents(target)
  await headers(target)
  await sql(target)
  for (const text of serializedTexts) {
    const stored = await target.service.call<readonly unknown[]>('roundTrip', [text, 'second'])
    target.check(
      JSON.stringify(stored) === JSON.stringify([[text, 'second'], text])
        ? null
        : `Metadata ${JSON.stringify(text)} comes back as ${JSON.stringify(stored)}.`,
    )
  }
}

function drawn(target: Target, part: number): readonly string[] {
  return payloads.filter(() => target.random.chance(part * target.scale))
}

/** Every page with every parameter that it shows. */
async function pages(target: Target): Promise<void> {
  const member = target.member('administrator-1')
  const cookie = { Cookie: member.adminCookies }
  const jobs: (() => Promise<void>)[] = []
  for (const payload of payloads) {
    const encoded = encodeURIComponent(payload.toWellFormed())
    const reflected: readonly (readonly [path: string, headers?: Readonly<Record<string, string>>])[] = [
      [`/${encoded}`],
      [`/${encoded}/`, cookie],
      [`/?s=${encoded}`],
      [`/?p=${encoded}`],
      [`/?product=${encoded}`],
      [`/?page=${encoded}`, cookie],
      [`/product/${encoded}/`],
      [`/wp-login.php?redirect_to=${encoded}`],
      [`/wp-login.php?action=${encoded}`],
      [`/wp-login.php?loggedout=${encoded}&wp_lang=${encoded}`],
      [`/wp-login.php?action=lostpassword&user_login=${encoded}`],
      [`/wp-login.php?action=logout&_wpnonce=${encoded}`, cookie],
      [`/wp-admin/profile.php?${encoded}=${encoded}&updated=${encoded}`, cookie],
      [`/wp-admin/authorize-application.php?app_name=${encoded}`, cookie],
      [`/wp-admin/authorize-application.php?app_id=${encoded}`, cookie],
      [`/wp-admin/authorize-application.php?app_name=A&success_url=${encoded}`, cookie],
      [`/wp-admin/authorize-application.php?app_name=A&reject_url=https://a.example/${encoded}`, cookie],
      [`/wp-admin/admin-ajax.php?action=${encoded}`, cookie],
    ]
    for (const [path, headers = {}] of reflected)
      jobs.push(async () => checkPage(target, await target.ask('GET', path, { headers }), `${path} (${payload})`))
  }
  await inParallel(jobs, (job) => job())
  for (const payload of drawn(target, 0.3)) {
    const body = new URLSearchParams({
      log: payload.toWellFormed(),
      pwd: 'x',
      redirect_to: payload.toWellFormed(),
    }).toString()
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const response = await target.ask('POST', '/wp-login.php', { headers, body, from: target.freshAddress() })
    checkPage(target, response, `a failed log-in as ${payload}`)
  }
}

/** Every field that is stored, on every page that shows it. */
async function contents(target: Target): Promise<void> {
  const admin = target.member('administrator-1')
  const author = target.member('author-1')
  for (const payload of payloads) {
    const text = payload.toWellFormed()
    const { service } = target
    const id = await service.call<number>('record', {
      type: 'post',
      status: 'publish',
      author: author.id,
      title: `t ${text}`,
      content: `c ${text}`,
      excerpt: `e ${text}`,
    })
    for (const path of [`/?p=${id}`, '/', '/wp-json/shop/v1/partials/posts']) {
      const first = await target.ask('GET', path)
      const location = first.header('location')
      const response = location === null ? first : await target.ask('GET', new URL(location, target.site.url).pathname)
      checkPage(target, response, `${path} with ${payload}`)
    }
    await service.call('deleteRecord', id)
    // By an author, whose HTML is filtered.
    const body = JSON.stringify({ title: payload, content: payload, price: 1 })
    const headers = { Authorization: basicOf(author, author.applicationPassword), 'Content-Type': 'application/json' }
    const creation = await target.ask('POST', '/wp-json/shop/v1/products', { headers, body })
    target.check(
      creation.status === 201 || creation.status === 400 ? null : `A product ${payload} is ${creation.status}.`,
    )
    if (creation.status !== 201) continue
    const { id: productId, link } = creation.json() as { readonly id: number; readonly link: string }
    checkPage(target, await target.ask('GET', new URL(link).pathname), `the page of a product ${payload}`)
    checkPage(target, await target.ask('GET', '/'), `the front page with a product ${payload}`)
    await service.call('deleteRecord', productId)
  }
  await builtInPages(target, admin)
}

/** What the profile shows of its user: names, passwords, browsers. */
async function builtInPages(target: Target, admin: Member): Promise<void> {
  for (const payload of drawn(target, 0.4)) {
    const text = payload.toWellFormed()
    await target.service.call('updateUser', { id: admin.id, displayName: text })
    const headers = { Authorization: basicOf(admin, admin.applicationPassword), 'Content-Type': 'application/json' }
    const profile = {
      name: payload,
      nickname: payload,
      first_name: payload,
      description: payload,
      url: payload,
      slug: payload,
    }
    const changed = await target.ask('PUT', '/wp-json/wp/v2/users/me', { headers, body: JSON.stringify(profile) })
    target.check(changed.status < 500 ? null : `A profile ${payload} is ${changed.status}: ${changed.text}`)
    const path = '/wp-json/wp/v2/users/me/application-passwords'
    const creation = await target.ask('POST', path, { headers, body: JSON.stringify({ name: payload }) })
    const agent = text.replaceAll(/[^\x20-\x7e]/g, '')
    const form = new URLSearchParams({ log: admin.login, pwd: admin.password }).toString()
    await target.ask('POST', '/wp-login.php', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'User-Agent': `Mozilla ${agent}` },
      body: form,
    })
    for (const page of [
      '/wp-admin/profile.php',
      '/',
      '/wp-login.php',
      '/wp-admin/authorize-application.php?app_name=A',
      '/wp-login.php?action=logout',
    ])
      checkPage(
        target,
        await target.ask('GET', page, { headers: { Cookie: admin.adminCookies } }),
        `${page} of a user ${payload}`,
      )
    if (creation.status === 201) {
      const { uuid } = creation.json() as { readonly uuid: string }
      await target.service.call('revoke', { id: admin.id, uuid })
    }
  }
}

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

/** Parses the page as a browser does, and looks for what the payloads would have made. */
function checkPage(target: Target, response: ReceivedResponse, what: string): void {
  if (response.wire.headers.some(([name]) => name === 'x-injected')) target.check(`${what}: a header was injected.`)
  if (response.status >= 500 && !what.startsWith('/wp-admin/authorize-application.php'))
    target.check(`${what}: ${response.status}`)
  const type = response.header('content-type') ?? ''
  if (!type.startsWith('text/html') && !type.startsWith('application/json')) {
    target.check(type.includes('javascript') || type.includes('svg') ? `${what} is ${type}.` : null)
    return
  }
  if (type.startsWith('application/json')) {
    const { html } = (response.status === 200 ? response.json() : {}) as { readonly html?: string }
    target.check(html === undefined ? null : faultIn(html, what))
    return
  }
  if (response.header('x-content-type-options') !== 'nosniff') target.check(`${what}: without nosniff.`)
  target.check(faultIn(response.text, what))
}

function faultIn(text: string, what: string): string | null {
  if (text.includes(product)) return `${what}: a template was computed.`
  const faults: string[] = []
  const visit = (node: Node): void => {
    if ('attrs' in node) faults.push(...faultsOfElement(node))
    if ('content' in node) visit(node.content)
    if ('childNodes' in node) for (const child of node.childNodes) visit(child)
  }
  visit(parse(text))
  return faults.length > 0 ? `${what}: ${faults.join(', ')}` : null
}

const active = new Set(['iframe', 'object', 'embed', 'base', 'svg', 'applet', 'frame'])

function faultsOfElement({ tagName, attrs }: Element): string[] {
  const faults: string[] = []
  if (tagName.includes(mark) || active.has(tagName)) faults.push(`the element ${tagName}`)
  if (tagName === 'meta' && attrs.some(({ name, value }) => name === 'http-equiv' && value === 'refresh'))
    faults.push('a refresh')
  for (const { name, value } of attrs) {
    if (name === mark || name.startsWith('on')) faults.push(`the attribute ${name}`)
    const isAddress = ['href', 'src', 'action', 'formaction', 'srcdoc', 'xlink:href'].includes(name)
    if (isAddress && /^[\0-\x20]*(?:j\s*a\s*v\s*a\s*s\s*c\s*r\s*i\s*p\s*t|vbscript|data:text)/i.test(value))
      faults.push(`the address ${value}`)
    if (name === 'style' && /javascript|expression/i.test(value)) faults.push(`the style ${value}`)
    if (name === 'action' && value.includes('evil.example')) faults.push('a form that leads away')
  }
  return faults
}

/** What is sent back in headers and in JSON. */
async function headers(target: Target): Promise<void> {
  const texts = [
    ...payloads,
    'a\r\nX-Injected: 1',
    'a\nX-Injected: 1',
    'a\rX-Injected: 1',
    'a\0b',
    '\u0085X-Injected: 1',
    'é',
    '\u{1f4a5}',
  ]
  for (const text of texts) {
    const encoded = encodeURIComponent(text.toWellFormed())
    for (const path of [
      `/wp-json/guarded/v1/echo?text=${encoded}&page=2`,
      `/wp-json/guarded/v1/echo?page=2&other=${encoded}`,
      `/wp-json/guarded/v1/careless?text=${encoded}`,
      `/wp-json/guarded/v1/echo?_jsonp=${encoded}`,
      `/wp-json/${encoded}`,
      `/wp-json/guarded/v1/echo?_envelope&text=${encoded}`,
    ]) {
      // Bytes that are no response make the connection throw.
      const response = await target.ask('GET', path, { headers: { Origin: `https://${encoded}` } })
      const isInjected = response.wire.headers.some(([name]) => name === 'x-injected')
      target.check(isInjected ? `${path}: a header was injected.` : null)
      // A careless handler may fail, but nothing more.
      const mayFail = path.includes('careless')
      target.check(response.status >= 500 && !mayFail ? `${path}: ${response.status}` : null)
      target.check(response.header('x-content-type-options') === 'nosniff' ? null : `${path}: without nosniff.`)
      const isJsonp = (response.header('content-type') ?? '').startsWith('application/javascript')
      if (isJsonp && response.status === 200)
        target.check(/^\/\*\*\/[\w.]+\(/.test(response.text) ? null : `${path}: ${response.text.slice(0, 80)}`)
    }
  }
}

async function sql(target: Target): Promise<void> {
  const admin = target.member('administrator-1')
  const basic = { Authorization: basicOf(admin, admin.applicationPassword), 'Content-Type': 'application/json' }
  const count = async () => (await target.ask('GET', '/wp-json/shop/v1/products?per_page=100')).text
  const before = await count()
  for (const text of sqlTexts) {
    const encoded = encodeURIComponent(text)
    const list = await target.ask('GET', `/wp-json/shop/v1/products?category=${encoded}`)
    // A text of which nothing is left restricts nothing.
    const isEmpty = text === '\0'
    target.check(
      isEmpty || (list.status === 200 && list.text === '[]')
        ? null
        : `The category ${text} finds ${list.text.slice(0, 100)}`,
    )
    for (const path of [`?orderby=${encoded}`, `?per_page=${encoded}`, `?page=${encoded}`]) {
      const response = await target.ask('GET', `/wp-json/shop/v1/products${path}`)
      target.check(response.status === 400 ? null : `products${path} is ${response.status}.`)
    }
    for (const path of [
      `/?p=${encoded}`,
      `/?s=${encoded}`,
      `/${encoded}/`,
      `/product/${encoded}/`,
      `/?product=${encoded}`,
    ]) {
      const response = await target.ask('GET', path)
      target.check(
        response.status < 500 && !response.text.includes('$wp$2y$') ? null : `${path} is ${response.status}.`,
      )
    }
    const login = await target.ask('GET', '/wp-json/wp/v2/users/me', {
      headers: { Authorization: basicOf({ login: text }, text) },
      from: target.freshAddress(),
    })
    target.check(login.status === 401 ? null : `The login ${text} is ${login.status}.`)
    const creation = await target.ask('POST', '/wp-json/shop/v1/products', {
      headers: basic,
      body: JSON.stringify({ title: text, price: 1 }),
    })
    if (creation.status !== 201) continue
    const { id, title } = creation.json() as { readonly id: number; readonly title: string }
    target.check(title === text.trim() ? null : `The title ${text} is stored as ${title}.`)
    await target.service.call('deleteRecord', id)
  }
  target.check((await count()) === before ? null : 'The products are not what they were.')
}
