import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openShop } from './shop-site.js'

let shop: Awaited<ReturnType<typeof openShop>>
let path: string

before(async () => {
  shop = await openShop()
  const { id } = await shop.service.records.insert({ type: 'product', status: 'publish', title: 'Lamp' })
  path = `/wp-json/shop/v1/products/${id}`
})
after(() => shop.service.close())

const refusals: [what: string, change: Record<string, string>, error: string][] = [
  ['without title and content', { title: ' ', content: '' }, 'Content, title, and excerpt are empty.'],
  ['with more than fits', { title: 'x'.repeat(70_000) }, 'Could not update post in the database.'],
]
for (const [what, change, error] of refusals)
  test(`a change that would leave a product ${what} is refused, and the reason said`, async () => {
    const browser = await shop.signedIn('ed')
    const nonce = (await browser.get('/wp-admin/admin-ajax.php?action=rest-nonce')).text
    const headers = { 'X-WP-Nonce': nonce }
    const response = await browser.send('PUT', path, { body: new URLSearchParams(change), headers })
    assert.equal(response.status, 400, response.text)
    assert.deepEqual(JSON.parse(response.text), { error })
    assert.equal((JSON.parse((await browser.get(path)).text) as { title: string }).title, 'Lamp')
  })
