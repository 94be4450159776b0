import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openShop } from './shop-site.js'

type Shop = Awaited<ReturnType<typeof openShop>>
type Product = { readonly title: string; readonly content: string; readonly price: number }

const sentence = 'There is no excerpt because this is a protected post.'
const secret = {
  title: 'Guarded',
  status: 'publish',
  password: 'sesame',
  content: '<p>Once in full</p>',
  excerpt: 'Once in short',
  meta: { price: 5 },
}
let shop: Shop
let product: number
let post: number

before(async () => {
  shop = await openShop()
  const { records } = shop.service
  const { id: author } = (await shop.service.users.find('cora')) ?? { id: 0 }
  product = (await records.insert({ ...secret, type: 'product', status: 'publish', author })).id
  post = (await records.insert({ ...secret, author })).id
  await records.insert({ ...secret, type: 'product', title: 'Open', password: '' })
  await records.insert({ ...secret, title: 'Open', password: '' })
})
after(() => shop.service.close())

/** What REST answers to a cookie and its nonce, or to nobody. */
async function responseTo<T>(login: string | null, path: string): Promise<T> {
  const browser = login === null ? shop.browser() : await shop.signedIn(login)
  const nonce = login === null ? '' : (await browser.get('/wp-admin/admin-ajax.php?action=rest-nonce')).text
  const { status, text } = await browser.get(`/wp-json/shop/v1/${path}`, nonce === '' ? {} : { 'X-WP-Nonce': nonce })
  assert.equal(status, 200, text)
  return JSON.parse(text) as T
}

const readers: [login: string | null, sees: boolean][] = [
  [null, false],
  ['sam', false],
  // Her own, but published: contributors may edit no more what everybody can see.
  ['cora', false],
  ['ed', true],
  ['ada', true],
]
for (const [login, sees] of readers) {
  const who = login ?? 'nobody'

  test(`${who} ${sees ? 'gets' : 'does not get'} the content of a protected product`, async () => {
    const content = sees ? secret.content : ''
    const one = await responseTo<Product>(login, `products/${product}`)
    assert.deepEqual([one.title, one.content, one.price], ['Guarded', content, 5])
    const contents = (await responseTo<Product[]>(login, 'products?orderby=title')).map((each) => each.content)
    assert.deepEqual(contents, [content, secret.content])
  })

  test(`${who} ${sees ? 'gets' : 'does not get'} the excerpt of a protected post`, async () => {
    const { html } = await responseTo<{ html: string }>(login, 'partials/posts')
    assert.equal(html.match(/<article/g)?.length, 2)
    assert.match(html, />Guarded</)
    assert.equal(html.split('Once in short').length - 1, sees ? 2 : 1)
    assert.equal(html.includes(sentence), !sees)
  })

  test(`${who} sees that a story is protected ${sees ? 'beside' : 'instead of'} its content`, async () => {
    const browser = login === null ? shop.browser() : await shop.signedIn(login)
    const { text } = await browser.get('/guarded/')
    assert.match(text, /<h1>Protected: Guarded<\/h1>/)
    assert.equal(text.includes('Once in full'), sees)
    assert.equal(text.includes('is password-protected'), !sees)
    assert.equal((await browser.get('/')).text.includes(sentence), !sees)
  })
}

test('a response that is kept in memory is not shown any more once a password protects the record', async () => {
  const { records } = shop.service
  const { id } = await records.insert({ ...secret, type: 'product', title: 'Later', password: '' })
  assert.equal((await responseTo<Product>(null, `products/${id}`)).content, secret.content)
  assert.equal((await records.update(id, { password: 'sesame' }))?.isProtected, true)
  assert.equal((await responseTo<Product>(null, `products/${id}`)).content, '')
  assert.equal((await records.update(id, { password: '' }))?.isProtected, false)
  assert.equal((await responseTo<Product>(null, `products/${id}`)).content, secret.content)
  await records.delete(id)
})

test('after an editor has read a protected record, a visitor still gets no content', async () => {
  assert.equal((await responseTo<Product>('ed', `products/${product}`)).content, secret.content)
  assert.equal((await responseTo<Product>(null, `products/${product}`)).content, '')
  assert.equal((await shop.service.records.get(post))?.content, secret.content)
})
