import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { boot } from 'as-rest-route'
import { startTestService } from 'as-rest-route/testing'
import { silent } from '../../../src/log/log.js'
import { storeKinds } from '../../../test/support/store-kinds.js'

const app = new URL('../app/', import.meta.url)
const start = (database: string) => startTestService(app, { database, seed: async () => {} })

for (const { name, skip, create } of storeKinds)
  describe(`orders and settings of the shop on ${name}`, { skip }, () => {
    let database: Awaited<ReturnType<typeof create>>
    let service: Awaited<ReturnType<typeof start>>
    let subscriber: ReturnType<typeof service.as>
    let administrator: typeof subscriber
    let mug: number
    before(async () => {
      database = await create()
      service = await start(database.url)
      subscriber = service.as('subscriber')
      administrator = service.as('administrator')
      const product = {
        type: 'product',
        status: 'publish',
        title: 'Mug',
        meta: { price: 9.5, total_sales: 3 },
      } as const
      mug = (await service.records.insert(product)).id
    })
    after(async () => {
      await service?.close()
      await database?.drop()
    })

    const settings = (body: object) => administrator.post('/shop/v1/admin/settings', body)
    const order = (body: object, product = mug) => subscriber.post(`/shop/v1/products/${product}/orders`, body)
    const sales = async () => (await service.records.get(mug, { type: 'product' }))?.meta['total_sales']

    it('leaves out the members `orders` and `settings` while there are none', async () => {
      const { body } = await subscriber.get('/shop/v1/orders')
      assert.deepEqual(body, { route: 'orders', method: 'GET' })
      assert.deepEqual((await settings({})).body, { route: 'admin/settings', method: 'POST' })
    })

    it('stores an order, counts the sale, and shows it to its customer only', async () => {
      const placed = await order({ quantity: 2 })
      assert.equal(placed.status, 201)
      const { id, date, ...others } = placed.body
      assert.deepEqual(others, { product: mug, title: 'Mug', quantity: 2, price: 9.5, currency: 'EUR' })
      assert.equal(await sales(), 5)
      const stored = { id, date, ...others }
      assert.deepEqual((await subscriber.get('/shop/v1/orders')).body, {
        route: 'orders',
        method: 'GET',
        orders: [stored],
      })
      assert.equal((await service.as('author').get('/shop/v1/orders')).body.orders, undefined)
      const another = await boot(app, { database: database.url, log: silent })
      const record = await another.records.get(id, { type: 'purchase' })
      await another.close()
      assert.deepEqual({ ...record?.meta }, { quantity: 2, price: 9.5, currency: 'EUR' })
    })

    it('counts each of twelve concurrent orders', async () => {
      const before = Number(await sales())
      const responses = await Promise.all(Array.from({ length: 12 }, () => order({})))
      assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([201]))
      assert.equal(await sales(), before + 12)
    })

    it('stores settings, and new orders obey them', async () => {
      const { body } = await settings({ currency: 'USD', max_quantity: 2 })
      assert.deepEqual(body.settings, { currency: 'USD', is_open: true, max_quantity: 2 })
      assert.equal((await order({ quantity: 2 })).body.currency, 'USD')
      assert.deepEqual((await order({ quantity: 3 })).body, {
        code: 'too_many',
        message: 'An order has at most 2 items.',
        data: { status: 409, max_quantity: 2 },
      })
      await settings({ is_open: false })
      assert.equal((await order({})).body.code, 'shop_closed')
      assert.deepEqual((await settings({ is_open: null, max_quantity: null })).body.settings, {
        currency: 'USD',
        is_open: true,
        max_quantity: 10,
      })
    })

    it('stores none of several settings when one is invalid', async () => {
      const before = (await settings({ currency: 'GBP' })).body.settings
      const refused = await settings({ currency: 'EUR', max_quantity: 0 })
      assert.equal(refused.status, 400)
      assert.equal(refused.body.code, 'invalid_meta_value')
      assert.deepEqual((await settings({ currency: 'GBP' })).body.settings, before)
    })

    it('refuses orders without a login, of an unpublished or unknown product, and of quantity 0', async () => {
      const before = await sales()
      const draft = (await service.records.insert({ type: 'product', title: 'Draft', meta: { price: 1 } })).id
      assert.equal((await service.post(`/shop/v1/products/${mug}/orders`, {})).status, 401)
      assert.equal((await order({}, draft)).body.code, 'no_product')
      assert.equal((await order({}, 999_999)).status, 404)
      assert.equal((await order({ quantity: 0 })).status, 400)
      assert.equal((await order({ quantitty: 2 })).status, 400)
      assert.equal((await service.as('editor').post('/shop/v1/admin/settings', { is_open: false })).status, 403)
      assert.equal(await sales(), before)
    })
  })
