import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { storeAdapterOf } from '../../src/app/stores.js'
import type { OpenedStorage } from '../../src/database/store-adapter.js'
import { storeKinds } from '../support/store-kinds.js'

const minute = 60_000

for (const kind of storeKinds)
  describe(`counters of attempts on ${kind.name}`, { skip: kind.skip }, () => {
    const storages: OpenedStorage[] = []
    let drop: () => unknown
    before(async () => {
      const database = await kind.create()
      drop = () => database.drop()
      // As two processes have it.
      for (let count = 0; count < 2; count += 1)
        storages.push(await storeAdapterOf(database.url).open(database.url, {}))
    })
    after(async () => {
      await Promise.all(storages.map((storage) => storage.close()))
      await drop()
    })
    const rows = (index = 0) => {
      const storage = storages[index]
      if (storage === undefined) throw new Error('The storage is not open.')
      return storage.attempts
    }
    const filling = (name: string, milliseconds = minute, kindOfRow = 'test') => ({
      name,
      kind: kindOfRow,
      milliseconds,
    })

    it('the clock of the database is read, and no row of a name that there is not', async () => {
      const { now, rows: attempts } = await rows().read(['nothing'])
      assert.ok(Math.abs(now - Date.now()) < 10_000, `${now}`)
      assert.ok(Number.isInteger(now))
      assert.equal(attempts.size, 0)
    })

    it('an empty counter begins at the present time, and one that is not is raised', async () => {
      const { now } = await rows().read(['x'])
      await rows().raise([filling('one')], now)
      await rows(1).raise([filling('one'), filling('two', 2 * minute)], now + 1000)
      const { rows: attempts } = await rows().read(['one', 'two', 'three'])
      assert.deepEqual(
        attempts,
        new Map([
          ['one', { emptyAt: now + 2 * minute, networks: '' }],
          ['two', { emptyAt: now + 1000 + 2 * minute, networks: '' }],
        ]),
      )
      await rows(1).raise([filling('one')], now + 5 * minute)
      assert.equal((await rows().read(['one'])).rows.get('one')?.emptyAt, now + 6 * minute)
      await rows().drain('one', minute)
      await rows().drain('nothing', minute)
      assert.equal((await rows(1).read(['one'])).rows.get('one')?.emptyAt, now + 5 * minute)
    })

    it('a row is written as it is', async () => {
      await rows().write('networks', { kind: 'trusted', emptyAt: 5, networks: 'a b' })
      await rows(1).write('networks', { kind: 'trusted', emptyAt: 7, networks: 'a b c' })
      assert.deepEqual(
        (await rows().read(['networks'])).rows,
        new Map([['networks', { emptyAt: 7, networks: 'a b c' }]]),
      )
    })

    it('none of many concurrent failures is lost, new names and orders of all kinds included', async () => {
      const { now } = await rows().read(['x'])
      const names = ['a', 'b', 'c', 'd']
      await Promise.all(
        Array.from({ length: 120 }, async (_, index) => {
          const three = names.filter((_name, place) => place !== index % 4).map((name) => filling(name))
          await rows(index % 2).raise(index % 3 === 0 ? three : three.toReversed(), now)
        }),
      )
      const { rows: attempts } = await rows().read(names)
      assert.deepEqual(
        names.map((name) => ((attempts.get(name)?.emptyAt ?? 0) - now) / minute),
        [90, 90, 90, 90],
      )
    })

    it('a sweep deletes what is empty, and what is empty first when there is too much', async () => {
      const { now } = await rows().read(['x'])
      for (const [name, milliseconds] of [
        ['long', 9 * minute],
        ['short', minute],
        ['past', -minute],
        ['middle', 5 * minute],
      ] as const)
        await rows().raise([filling(name, milliseconds, 'swept')], now)
      await rows().raise([filling('other', -minute, 'not swept')], now)
      const left = async () => [...(await rows().read(['long', 'short', 'past', 'middle', 'other'])).rows.keys()].sort()
      assert.equal(await rows(1).sweep('swept', now, 3), false)
      assert.deepEqual(await left(), ['long', 'middle', 'other', 'short'])
      assert.equal(await rows(1).sweep('swept', now, 2), true)
      assert.deepEqual(await left(), ['long', 'middle', 'other'])
    })

    it('they are no content: no version of a kind of rows changes with them', async () => {
      const [storage] = storages
      const before = await storage?.versions()
      await rows().raise([filling('none')], 0)
      assert.deepEqual(await storage?.versions(), before)
    })
  })
