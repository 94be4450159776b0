import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { endpoint } from 'as-rest-route'
import { startService } from '../support/start-service.js'
import { storeKinds, type StoreKind } from '../support/store-kinds.js'

const atOnce = 20
const free = endpoint({ namespace: 'shop/v1', route: '/free', permission: 'public' }, () => 'free')

/** What is left of the limit of ten failures of an account from one network. */
const left = 3

for (const kind of storeKinds.filter(({ name }) => name !== 'SQLite'))
  describe(`logins at one moment, at two services with one database on ${kind.name}`, { skip: kind.skip }, () => {
    test('right ones pass as often as the limit allows attempts', async (t) => {
      const { failUntilFew, burst } = await twoServices(t, kind)
      for (let network = 1; network <= 5; network += 1) {
        const address = `192.0.2.${network}`
        await failUntilFew(address)
        const responses = await burst(address, () => 'right')
        const passed = responses.filter(({ status }) => status === 302).length
        assert.ok(passed >= left, `${passed} of ${atOnce} pass`)
      }
    })

    test('exactly as many wrong ones are answered as the limit allows, and the others wait for one of them', async (t) => {
      const { failUntilFew, burst } = await twoServices(t, kind)
      for (let network = 1; network <= 5; network += 1) {
        const address = `192.0.2.${network}`
        const begun = performance.now()
        await failUntilFew(address)
        const responses = await burst(address, () => 'wrong')
        const answered = responses.filter(({ status }) => status === 200).length
        const forgotten = Math.floor((performance.now() - begun) / 30_000)
        assert.ok(answered >= left && answered <= left + forgotten, `${answered} of ${atOnce} are answered`)
        const waits = responses.flatMap(({ headers }) => headers.get('Retry-After') ?? []).map(Number)
        assert.ok(Math.max(...waits) <= 30, waits.join())
      }
    })

    test('among wrong ones, those that the limit allows are checked', async (t) => {
      const { failUntilFew, burst } = await twoServices(t, kind)
      for (let network = 1; network <= 5; network += 1) {
        const address = `192.0.2.${network}`
        await failUntilFew(address)
        const responses = await burst(address, (index) => (index % 2 === 0 ? 'right' : 'wrong'))
        const checked = responses.filter(({ status }) => status !== 429).length
        assert.ok(checked >= left, `${checked} of ${atOnce} are checked`)
      }
    })
  })

async function twoServices(t: TestContext, kind: StoreKind) {
  const { url, drop } = await kind.create()
  t.after(() => drop())
  const start = () => startService([free], { database: url, trusted_proxies: ['127.0.0.1'] })
  const services = [await start(), await start()] as const
  t.after(() => Promise.all(services.map((service) => service.close())))
  await services[0].service.users.create({ login: 'mia', email: 'mia@shop.example', password: 'right' })
  const signIn = (index: number, pwd: string, address: string): Promise<Response> =>
    fetch(`${services[index % 2 === 0 ? 0 : 1].url}/wp-login.php`, {
      method: 'POST',
      body: new URLSearchParams({ log: 'mia', pwd }),
      headers: { 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' },
      redirect: 'manual',
    })
  return {
    async failUntilFew(address: string): Promise<void> {
      for (let count = left; count < 10; count += 1) assert.equal((await signIn(count, 'wrong', address)).status, 200)
    },
    burst: (address: string, passwordOf: (index: number) => string): Promise<Response[]> =>
      Promise.all(Array.from({ length: atOnce }, (_, index) => signIn(index, passwordOf(index), address))),
  }
}
