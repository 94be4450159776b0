import { storeAdapterOf } from '../../src/app/stores.js'
import type { Storage } from '../../src/database/storage.js'
import { aPost } from '../contracts/storage/rows.js'
import { openShop, passwordOf } from '../pages/shop-site.js'
import { withoutRowCache } from '../support/row-cache.js'

/** A request of the table in docs/performance.md. */
export interface CountedRequest {
  /** What the table calls it. */
  readonly name: string
  readonly method: string
  /** The declared route; null for a page. */
  readonly route: string | null
  readonly status: number
  /** Prepares what the request needs, and returns what sends it. */
  prepare(): Promise<() => Promise<Response>>
}

export interface CountedShop {
  readonly requests: readonly CountedRequest[]
  readonly url: string
  /** The declared routes of the shop, each with a method: `GET /shop/v1/products`. */
  readonly routes: readonly string[]
  /** See `withoutRowCache`. */
  readonly withoutRowCache: string | false
  /** Writes rows of all kinds, as another process would. */
  writeAllKinds(): Promise<void>
  close(): Promise<void>
}

/** Pages of the example shop. */
export const pages = [
  '/',
  '/?s=item',
  '/product/',
  '/product/page/2/',
  '/product/taken/',
  '/product/none/',
  '/category/tools/',
  '/category/none/',
  '/author/ed/',
  '/author/unknown-author/',
  '/none/',
  '/?p=1',
]

/** The example shop with a few records, on one database. */
export async function countedShop(database: string): Promise<CountedShop> {
  const shop = await openShop({ database, seed: async ({ terms }) => void (await terms.create({ name: 'Tools' })) })
  const { service, url } = shop
  const storage = await storeAdapterOf(database).open(database, {})
  const { records, users, applicationPasswords } = service
  const idOf = async (login: string): Promise<number> => (await users.find(login))?.id ?? 0
  const [ada, ed, sam] = [await idOf('ada'), await idOf('ed'), await idOf('sam')]
  const basic = async (id: number, login: string) => {
    const { password } = await applicationPasswords.create(id, { name: 'client' })
    return { Authorization: `Basic ${btoa(`${login}:${password}`)}` }
  }
  const [administrator, editor] = [await basic(ada, 'ada'), await basic(ed, 'ed')]
  let count = 0
  const next = (): string => `Item ${(count += 1)}`
  const terms = { category: ['tools'] }
  const product = async (status = 'publish'): Promise<number> =>
    (await records.insert({ type: 'product', status, title: next(), author: ed, meta: { price: 3 }, terms })).id
  for (let index = 0; index < 12; index += 1) {
    await product()
    await records.insert({ type: 'post', status: 'publish', title: next(), author: ed })
  }
  const [shown, draft] = [await product(), await product('draft')]
  await records.insert({ type: 'product', status: 'publish', title: 'Taken', author: ed })
  const browser = await shop.signedIn('ed')
  const cookie = {
    cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'X-WP-Nonce': (await browser.get('/wp-admin/admin-ajax.php?action=rest-nonce')).text.trim(),
  }

  interface Sending {
    readonly as?: Readonly<Record<string, string>>
    readonly json?: () => object
    readonly form?: Readonly<Record<string, string>>
    readonly status?: number
    /** Completes the path. */
    readonly of?: () => Promise<string | number>
  }
  const send = (method: string, path: string, { as = {}, json, form }: Sending): Promise<Response> =>
    fetch(url + path, {
      method,
      redirect: 'manual',
      headers: { ...(json && { 'Content-Type': 'application/json' }), ...as },
      ...(json && { body: JSON.stringify(json()) }),
      ...(form && { body: new URLSearchParams(form) }),
    })
  const requestOf = (name: string, method: string, route: string | null, path: string, sending: Sending = {}) => ({
    name,
    method,
    route,
    status: sending.status ?? 200,
    prepare: async () => {
      const whole = path + String((await sending.of?.()) ?? '')
      return () => send(method, whole, sending)
    },
  })
  const rest = (name: string, method: string, route: string, path: string, sending: Sending = {}) =>
    requestOf(name, method, route, `/wp-json${path}`, sending)

  const products = '/shop/v1/products'
  const oneProduct = '/shop/v1/products/(?P<id>\\d+)'
  const orders = '/shop/v1/products/(?P<id>\\d+)/orders'
  const me = '/wp/v2/users/me'
  const passwords = '/wp/v2/users/(?P<user_id>(?:[\\d]+|me))/application-passwords'
  const onePassword = `${passwords}/(?P<uuid>[\\w\\-]+)`
  const own = `${me}/application-passwords/`
  const uuid = async (): Promise<string> => (await applicationPasswords.create(ed, { name: next() })).item.uuid
  const login = (log: string, pwd: string) => ({ log, pwd, testcookie: '1' })
  const tested = { cookie: 'wordpress_test_cookie=WP%20Cookie%20check' }
  const changed = () => ({ title: next(), price: count })
  const requests: CountedRequest[] = [
    rest('list', 'GET', products, products),
    rest('list by title', 'GET', products, `${products}?orderby=title`),
    rest('list by price', 'GET', products, `${products}?orderby=price`),
    rest('list by popularity', 'GET', products, `${products}?orderby=popularity`),
    rest('list of a category', 'GET', products, `${products}?category=tools`),
    rest('list, application password', 'GET', products, products, { as: editor }),
    rest('one product', 'GET', oneProduct, `${products}/${shown}`),
    rest('one product, application password', 'GET', oneProduct, `${products}/${shown}`, { as: editor }),
    rest('a draft, application password', 'GET', oneProduct, `${products}/${draft}`, { as: editor }),
    rest('no such product', 'GET', oneProduct, `${products}/999999`, { status: 404 }),
    rest('methods of a product', 'OPTIONS', oneProduct, `${products}/${shown}`, { as: editor }),
    rest('new product', 'POST', products, products, { as: editor, json: changed, status: 201 }),
    rest('new product with a taken slug', 'POST', products, products, {
      as: editor,
      json: () => ({ title: 'Taken', price: 1 }),
      status: 201,
    }),
    rest('change a product', 'PUT', oneProduct, `${products}/${shown}`, { as: editor, json: changed }),
    rest('change a product, cookie', 'PUT', oneProduct, `${products}/${shown}`, { as: cookie, json: changed }),
    rest('delete a product', 'DELETE', oneProduct, `${products}/`, { as: editor, of: product, status: 204 }),
    rest('partial', 'GET', '/shop/v1/partials/posts', '/shop/v1/partials/posts'),
    rest('default permission', 'GET', '/shop/v1/items', '/shop/v1/items', { as: editor }),
    rest('default permission', 'POST', '/shop/v1/items', '/shop/v1/items', { as: editor }),
    ...['PUT', 'PATCH', 'DELETE'].map((method) =>
      rest('default permission', method, '/shop/v1/items/(?P<id>\\d+)', '/shop/v1/items/4', { as: editor }),
    ),
    rest('default permission', 'GET', '/shop/v1/drafts', '/shop/v1/drafts', { as: editor }),
    rest('capability, application password', 'GET', '/shop/v1/orders', '/shop/v1/orders', { as: editor }),
    rest('capability, cookie and nonce', 'GET', '/shop/v1/orders', '/shop/v1/orders', { as: cookie }),
    rest('capability, anonymous', 'GET', '/shop/v1/orders', '/shop/v1/orders', { status: 401 }),
    rest('capability, wrong password', 'GET', '/shop/v1/orders', '/shop/v1/orders', {
      as: { Authorization: `Basic ${btoa('ed:wrong')}` },
      status: 401,
    }),
    rest('capability, unknown login', 'GET', '/shop/v1/orders', '/shop/v1/orders', {
      as: { Authorization: `Basic ${btoa('nobody:wrong')}` },
      status: 401,
    }),
    rest('order a product', 'POST', orders, `${products}/${shown}/orders`, {
      as: editor,
      json: () => ({}),
      status: 201,
    }),
    rest('own orders', 'GET', '/shop/v1/orders', '/shop/v1/orders', { as: editor }),
    rest('capability', 'POST', '/shop/v1/admin/settings', '/shop/v1/admin/settings', { as: administrator }),
    rest('change a setting', 'POST', '/shop/v1/admin/settings', '/shop/v1/admin/settings', {
      as: administrator,
      json: () => ({ max_quantity: (count += 1) }),
    }),
    rest('index', 'GET', '/', '/'),
    rest('routes of a namespace', 'GET', '/shop/v1', '/shop/v1'),
    rest('routes of a namespace', 'GET', '/wp/v2', '/wp/v2'),
    rest('current user', 'GET', me, me, { as: editor }),
    ...['POST', 'PUT', 'PATCH'].map((method) =>
      rest('change the current user', method, me, me, { as: editor, json: () => ({ first_name: next() }) }),
    ),
    rest('own application passwords', 'GET', passwords, own.slice(0, -1), { as: editor }),
    rest('application passwords of another user', 'GET', passwords, `/wp/v2/users/${sam}/application-passwords`, {
      as: administrator,
    }),
    rest('new application password', 'POST', passwords, own.slice(0, -1), {
      as: editor,
      json: () => ({ name: next() }),
      status: 201,
    }),
    rest('delete all application passwords', 'DELETE', passwords, `/wp/v2/users/${sam}/application-passwords`, {
      as: administrator,
      of: async () => {
        await applicationPasswords.create(sam, { name: next() })
        return ''
      },
    }),
    rest('the application password of the request', 'GET', `${passwords}/introspect`, `${own}introspect`, {
      as: editor,
    }),
    rest('one application password', 'GET', onePassword, own, { as: editor, of: uuid }),
    ...['POST', 'PUT', 'PATCH'].map((method) =>
      rest('rename an application password', method, onePassword, own, {
        as: editor,
        of: uuid,
        json: () => ({ name: next() }),
      }),
    ),
    rest('delete an application password', 'DELETE', onePassword, own, { as: editor, of: uuid }),
    rest('delete the current user', 'DELETE', me, `${me}?force=true&reassign=${sam}`, {
      as: editor,
      status: 403,
    }),
    requestOf('login form', 'GET', null, '/wp-login.php'),
    requestOf('login', 'POST', null, '/wp-login.php', {
      as: tested,
      form: login('ed', passwordOf('ed')),
      status: 302,
    }),
    requestOf('login with a wrong password', 'POST', null, '/wp-login.php', { as: tested, form: login('ed', 'wrong') }),
    requestOf('login form of a signed-in user', 'GET', null, '/wp-admin/profile.php', { as: cookie }),
  ]
  return {
    requests,
    url,
    routes: await routesOf(url),
    withoutRowCache: await withoutRowCache(() => storage.options.read('siteurl')),
    writeAllKinds: () => writeAllKinds(storage, { post: shown, user: sam, text: next() }),
    async close() {
      await service.close()
      await storage.close()
    },
  }
}

async function routesOf(url: string): Promise<readonly string[]> {
  const { routes } = (await (await fetch(`${url}/wp-json/`)).json()) as {
    readonly routes: Readonly<
      Record<string, { readonly endpoints: readonly { readonly methods: readonly string[] }[] }>
    >
  }
  return Object.entries(routes).flatMap(([route, { endpoints }]) =>
    endpoints.flatMap(({ methods }) => methods.map((method) => `${method} ${route}`)),
  )
}

async function writeAllKinds(
  { posts, users, options, terms }: Storage,
  { post, user, text }: { readonly post: number; readonly user: number; readonly text: string },
): Promise<void> {
  await posts.update(post, { post_content: text })
  await posts.insert(
    aPost({ post_type: 'post', post_title: text, post_name: text.replace(' ', '-'), post_status: 'draft' }),
  )
  await users.update(user, { display_name: text })
  await options.write('written_beside', text)
  await terms.insert({ taxonomy: 'beside', name: text, slug: text.replace(' ', '-') })
}
