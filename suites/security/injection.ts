import { checkPage } from './page-check.js'
import { attackForms } from './page-forms.js'
import { payloads } from './payloads.js'
import type { Member } from './protocol.js'
import { basicOf, inParallel, type Target } from './target.js'

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
  await attackForms(target)
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
      [`/wp-login.php?action=lostpassword&user_login=${encoded}&redirect_to=${encoded}`],
      [`/wp-login.php?action=lostpassword&error=${encoded}`],
      [`/wp-login.php?checkemail=${encoded}`],
      [`/wp-login.php?action=rp&login=${encoded}&key=${encoded}`],
      [`/wp-login.php?action=postpass&redirect_to=${encoded}`],
      [`/product/?s=${encoded}`],
      [`/product/page/${encoded}/`],
      [`/category/${encoded}/`],
      [`/author/${encoded}/`],
      [`/?paged=2&s=${encoded}`],
      [`/?category_name=${encoded}&paged=${encoded}`],
      [`/?author_name=${encoded}`],
      [`/?post_type=${encoded}`, cookie],
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
    const wish = {
      status: 'publish',
      author: author.id,
      title: `t ${text}`,
      content: `c ${text}`,
      excerpt: `e ${text}`,
    }
    const term = await service.call<{ slug: string }>('term', { name: `n ${text}`, description: `d ${text}` })
    const shown: readonly (readonly [wish: object, paths: readonly string[]])[] = [
      [
        { ...wish, type: 'post', terms: { category: [term.slug] } },
        ['/', `/category/${term.slug}/`, `/author/${author.login}/`, '/?s=t', '/wp-json/shop/v1/partials/posts'],
      ],
      [{ ...wish, type: 'product', terms: { category: [term.slug] } }, ['/product/', `/category/${term.slug}/`]],
      [{ ...wish, type: 'post', password: text }, ['/', '/?s=t']],
    ]
    for (const [record, paths] of shown) {
      const id = await service.call<number>('record', record)
      for (const path of [`/?p=${id}`, ...paths]) {
        const first = await target.ask('GET', path)
        const location = first.header('location')
        const response = location === null ? first : await target.ask('GET', pathIn(target, location))
        // A template of a card or a page of the shop would otherwise not be looked at.
        if (!path.startsWith('/?p=') && response.status !== 200) target.check(`${path} is ${response.status}.`)
        checkPage(target, response, `${path} with ${payload}`)
      }
      await service.call('deleteRecord', id)
    }
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

function pathIn(target: Target, location: string): string {
  const { pathname, search } = new URL(location, target.site.url)
  return pathname + search
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
