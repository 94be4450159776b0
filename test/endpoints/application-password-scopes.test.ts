import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { AsRestRoute, RestResponse, type RestRequest } from 'as-rest-route'
import { openService, type Answered } from './open-service.js'

class ShopApi {
  @AsRestRoute({ namespace: 'shop/v1', route: '/products/(?P<id>\\d+)', permission: 'public' })
  @AsRestRoute({ namespace: 'shop/v1', route: '/products/(?P<id>\\d+)', method: 'POST', allow_batch: true })
  @AsRestRoute({ namespace: 'shop/v1', route: '/products/(?P<id>\\d+)', method: 'DELETE' })
  product(request: RestRequest<{ id: string }>) {
    return new RestResponse({ id: request.pathId('id'), method: request.method })
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/linked' })
  linked(request: RestRequest) {
    return new RestResponse({}).addLink('product', `${request.root}shop/v1/products/5`, { embeddable: true })
  }
}

let now = Date.UTC(2026, 0, 15, 12)
const site = await openService([ShopApi], { clock: () => now })
after(() => site.close())
const ed = await site.join('ed', 'administrator')
const codeOf = ({ body }: Answered) => (body as { code?: string }).code
const statusAndCode = (response: Answered) => [response.status, codeOf(response)]
const basic = (password: string) => ({ Authorization: `Basic ${btoa(`ed:${password}`)}` })
const outOfScope = [403, 'rest_application_password_scope']

/** Makes an application password over REST. @returns what identifies its requests, and its item. */
async function limited(limits: Record<string, unknown>) {
  const response = await site.call('POST', '/wp/v2/users/me/application-passwords', {
    as: ed.headers,
    json: { name: 'limited', ...limits },
  })
  assert.equal(response.status, 201, JSON.stringify(response.body))
  const { password, ...item } = response.body as Record<string, unknown>
  return { as: basic(String(password)), item }
}

test('a password with scopes is accepted for these scopes only', async () => {
  const { as, item } = await limited({ scopes: ['GET /shop/v1/products/*', 'POST /shop/v1/products/7'] })
  assert.deepEqual(item['scopes'], ['GET /shop/v1/products/*', 'POST /shop/v1/products/7'])
  const product = await site.call('GET', '/shop/v1/products/5', { as })
  assert.equal(product.status, 200)
  assert.equal(product.headers.get('allow'), 'GET')
  assert.equal((await site.call('HEAD', '/shop/v1/products/5', { as })).status, 200)
  assert.equal((await site.call('POST', '/shop/v1/products/7', { as })).status, 200)
  for (const [method, path] of [
    ['POST', '/shop/v1/products/5'],
    ['DELETE', '/shop/v1/products/7'],
    ['GET', '/shop/v1/linked'],
    ['GET', '/'],
    ['GET', '/wp/v2/users/me'],
    ['POST', '/shop/v1/products/5?_method=DELETE'],
  ] as const)
    assert.deepEqual(statusAndCode(await site.call(method, path, { as })), outOfScope, `${method} ${path}`)
})

test('scopes hold for the items of a batch and for embedded resources', async () => {
  const { as } = await limited({ scopes: ['POST /batch/v1', 'POST /shop/v1/products/7', '/shop/v1/linked'] })
  const requests = ['/shop/v1/products/7', '/shop/v1/products/8'].map((path) => ({ path }))
  const batch = await site.call('POST', '/batch/v1', { as, json: { requests } })
  const { responses } = batch.body as { responses: { status: number; body: { code?: string } }[] }
  assert.deepEqual(
    responses.map(({ status, body }) => [status, body.code]),
    [[200, undefined], outOfScope],
  )
  const { body } = await site.call('GET', '/shop/v1/linked?_embed', { as })
  const { product } = (body as { _embedded: { product: { code?: string }[] } })._embedded
  assert.equal(product?.[0]?.code, outOfScope[1])
})

test('a password with scopes makes no password, and changes neither password nor address', async () => {
  const { as } = await limited({ scopes: ['/wp/v2/*'] })
  assert.equal((await site.call('GET', '/wp/v2/users/me', { as })).status, 200)
  assert.equal((await site.call('GET', '/wp/v2/users/me/application-passwords', { as })).status, 200)
  assert.equal((await site.call('POST', '/wp/v2/users/me', { as, json: { name: 'Ed' } })).status, 200)
  for (const [method, path, json] of [
    ['POST', '/wp/v2/users/me/application-passwords', { name: 'more' }],
    ['POST', `/wp/v2/users/me/application-passwords/${ed.uuid}`, { name: 'renamed' }],
    ['DELETE', '/wp/v2/users/me/application-passwords', {}],
    ['POST', '/wp/v2/users/me', { password: 'new' }],
    ['POST', '/wp/v2/users/me', { email: 'other@shop.example' }],
  ] as const)
    assert.deepEqual(statusAndCode(await site.call(method, path, { as, json })), outOfScope, `${method} ${path}`)
})

test('a password ends at its time', async () => {
  const { as, item } = await limited({ expires: '2026-01-15T13:00:00' })
  assert.equal(item['expires'], '2026-01-15T13:00:00')
  assert.equal((await site.call('GET', '/wp/v2/users/me', { as })).status, 200)
  now += 3_600_000
  assert.deepEqual(statusAndCode(await site.call('GET', '/wp/v2/users/me', { as })), [
    401,
    'application_password_ended',
  ])
  now -= 3_600_000
})

test('wrong scopes and ends are refused, and nothing is made', async () => {
  const count = async () => (await site.service.applicationPasswords.list(ed.id)).length
  const before = await count()
  for (const [limits, code] of [
    [{ scopes: [] }, 'application_password_scopes_invalid'],
    [{ scopes: ['products'] }, 'application_password_scopes_invalid'],
    [{ scopes: { a: '/x' } }, 'application_password_scopes_invalid'],
    [{ expires: 'soon' }, 'application_password_expires_invalid'],
    [{ expires: 5 }, 'application_password_expires_invalid'],
    [{ expires: '2030-02-30' }, 'application_password_expires_invalid'],
    [{ expires: '2026-01-15T11:00:00' }, 'application_password_expires_invalid'],
  ] as const) {
    const json = { name: 'wrong', ...limits }
    const response = await site.call('POST', '/wp/v2/users/me/application-passwords', { as: ed.headers, json })
    assert.deepEqual(statusAndCode(response), [400, code], JSON.stringify(limits))
  }
  assert.equal(await count(), before)
})
