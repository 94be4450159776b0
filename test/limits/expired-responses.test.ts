import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { describe, test, type TestContext } from 'node:test'
import { AsRestRoute, inject, RecordStore } from 'as-rest-route'
import { storeAdapterOf } from '../../src/app/stores.js'
import type { StoredResponseRows } from '../../src/database/stored-response-rows.js'
import { ServiceTable } from '../../src/database/sql/service-table.js'
import { statementsWithValues } from '../support/counted-statements.js'
import { startService } from '../support/start-service.js'
import { storeKinds, type StoreKind } from '../support/store-kinds.js'
import { until } from '../support/until.js'

type DeleteArguments = Parameters<ServiceTable['deleteFirst']>

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
const bounds = { rows: 30, characters: 1_000_000 }

class OrdersApi {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({
    namespace: 'shop/v1',
    route: '/orders',
    method: 'POST',
    permission: 'public',
    idempotency_key: 'optional',
  })
  async create() {
    return { id: (await this.records.insert({ type: 'post', title: 'Order' })).id }
  }
}

for (const kind of storeKinds)
  describe(`expired responses on ${kind.name}`, { skip: kind.skip }, () => {
    test('all of them are deleted, at most a hundred at a time, and the bound of those that are kept holds', async (t) => {
      const { storedResponses } = await opened(t, kind)
      await add(storedResponses, 'expired', numbers(450), 10)
      await add(storedResponses, 'kept', numbers(250), 1000)
      const statements = await statementsWithValues(() => storedResponses.sweep(500, bounds))
      const deletions = statements.filter(({ text }) => text.startsWith('DELETE'))
      assert.equal(deletions.length, 5 + 3)
      for (const { values } of deletions)
        assert.ok(Math.max(...values.map(Number).filter((value) => value < 500)) <= 100)
      assert.deepEqual(await left(storedResponses, 'expired', 450), [])
      assert.deepEqual(await left(storedResponses, 'kept', 250), numbers(250).slice(-bounds.rows))
    })

    test('each part is deleted in a turn of the event loop of its own, so that requests are read in between', async (t) => {
      const { storedResponses } = await opened(t, kind)
      await add(storedResponses, 'expired', numbers(450), 10)
      let turn = 0
      const nextTurn = () => {
        turn++
        immediate = setImmediate(nextTurn)
      }
      let immediate = setImmediate(nextTurn)
      const turns: number[] = []
      atEachDeletion(t, () => turns.push(turn))
      await storedResponses.sweep(500, bounds)
      clearImmediate(immediate)
      assert.equal(turns.length, 5)
      assert.equal(new Set(turns).size, turns.length)
    })

    test('requests are answered while they are deleted', async (t) => {
      const { storedResponses, url } = await opened(t, kind)
      await add(storedResponses, 'expired', numbers(250), 10)
      const site = await startService([OrdersApi], { database: url })
      t.after(() => site.close())
      const order = async (headers: Record<string, string> = {}) =>
        (await fetch(`${site.rest}shop/v1/orders`, { method: 'POST', headers })).status
      const isLeft = async () => (await storedResponses.read('expired 249', 0)) !== null
      const release = new EventEmitter()
      t.after(() => release.emit('deletion'))
      let deletions = 0
      atEachDeletion(t, () => (++deletions === 2 ? once(release, 'deletion') : undefined))
      assert.equal(await order({ 'Idempotency-Key': 'first' }), 200)
      await until(() => deletions === 2)
      assert.equal(await order(), 200)
      assert.equal(await order({ 'Idempotency-Key': 'second' }), 200)
      assert.equal(await isLeft(), true)
      release.emit('deletion')
      await until(async () => !(await isLeft()))
    })
  })

async function opened(t: TestContext, kind: StoreKind) {
  const { url, drop } = await kind.create()
  t.after(() => drop())
  const { storedResponses, ...storage } = await storeAdapterOf(url).open(url, {})
  t.after(() => storage.close())
  return { storedResponses, url }
}

/** Adds responses that expire one after the other. @param from milliseconds since 1970 at which the first one expires. */
async function add(
  storedResponses: StoredResponseRows,
  name: string,
  all: readonly number[],
  from: number,
): Promise<void> {
  const row = { owner: 'me', fingerprint: 'f', response: 'x'.repeat(100) }
  for (let first = 0; first < all.length; first += 100)
    await Promise.all(
      all
        .slice(first, first + 100)
        .map((number) => storedResponses.add(`${name} ${number}`, { ...row, expiresIn: from + number }, 0)),
    )
}

/** Calls before each part of the old responses is deleted, which waits for what it returns. */
function atEachDeletion(t: TestContext, call: () => unknown): void {
  const deleteFirst = Reflect.get(ServiceTable.prototype, 'deleteFirst') as ServiceTable['deleteFirst']
  t.mock.method(ServiceTable.prototype, 'deleteFirst', async function (this: ServiceTable, ...all: DeleteArguments) {
    await call()
    return deleteFirst.apply(this, all)
  })
}

async function left(storedResponses: StoredResponseRows, name: string, count: number): Promise<number[]> {
  const rows = await Promise.all(numbers(count).map((number) => storedResponses.read(`${name} ${number}`, 0)))
  return numbers(count).filter((number) => rows[number] !== null)
}
