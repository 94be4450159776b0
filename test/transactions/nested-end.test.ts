import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AsRestRoute, inject, RecordStore, SiteOptions, Terms, Users } from '../../src/index.js'
import { startService, type StartedService } from '../support/start-service.js'
import { storeKinds } from '../support/store-kinds.js'

class Shop {
  static opened: Shop | null = null

  constructor(
    readonly records = inject(RecordStore),
    readonly terms = inject(Terms),
    readonly options = inject(SiteOptions),
    readonly users = inject(Users),
  ) {
    Shop.opened = this
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/nothing', permission: 'public' })
  nothing() {
    return null
  }
}

class ExpectedError extends Error {}

for (const kind of storeKinds)
  describe(`the end of a transaction in a transaction on ${kind.name}`, { skip: kind.skip }, () => {
    let started: StartedService | null = null
    let drop: () => Promise<void> | void = () => undefined
    let shop: Shop

    before(async () => {
      const database = await kind.create()
      drop = database.drop
      started = await startService([Shop], {
        database: database.url,
        record_types: { item: { meta: { size: { type: 'integer' } } } },
      })
      if (Shop.opened === null) throw new Error('The class was not built.')
      shop = Shop.opened
    })
    after(async () => {
      await started?.close()
      await drop()
    })

    const item = (title: string) => ({ type: 'item', status: 'publish', title, meta: { size: 1 } })
    const titlesLike = async (search: string) =>
      (await shop.records.list({ type: 'item', search })).map(({ title }) => title).sort()

    /** Each starts writes that it does not wait for, and ends. */
    const works: Record<string, (records: RecordStore, started: Promise<unknown>[]) => Promise<unknown>> = {
      'throws while its write runs': async (records, begun) => {
        begun.push(records.insert(item('inner one')), records.insert(item('inner two')))
        throw new ExpectedError('thrown')
      },
      'throws a moment after its writes began': async (records, begun) => {
        begun.push(records.insert(item('inner one')), records.insert(item('inner two')))
        await records.list({ type: 'item' })
        throw new ExpectedError('thrown')
      },
      'fails in one of several calls that run at once': (records, begun) => {
        begun.push(
          records.insert(item('inner one')),
          records.transaction(async (deeper) => {
            await deeper.insert(item('inner two'))
            throw new ExpectedError('thrown')
          }),
          records.insert(item('inner three')),
          records.insert(item('inner four')),
        )
        return Promise.all(begun)
      },
      'ends while its write runs': async (records, begun) => {
        begun.push(records.insert(item('inner one')), records.insert(item('inner two')))
      },
    }

    for (const [name, work] of Object.entries(works))
      it(`stores nothing of one that ${name}, and all of the outer one`, async () => {
        const begun: Promise<unknown>[] = []
        await shop.records.transaction(async (records) => {
          await records.insert(item(`outer before: ${name}`))
          await assert.rejects(
            records.transaction(async (inner) => {
              const running: Promise<unknown>[] = []
              try {
                return await work(inner, running)
              } finally {
                for (const each of running) begun.push(each.catch(() => undefined))
              }
            }),
          )
          await records.insert(item(`outer after: ${name}`))
          await Promise.allSettled(begun)
        })
        assert.deepEqual(await titlesLike('inner'), [])
        assert.deepEqual(await titlesLike(name), [`outer after: ${name}`, `outer before: ${name}`])
      })

    it('refuses a call that one has started and that comes after its end', async () => {
      await shop.records.transaction(async (records) => {
        let end = (): void => undefined
        const ended = new Promise<void>((resolve) => (end = resolve))
        let late: Promise<unknown> = Promise.resolve()
        await records.transaction(async (inner) => {
          await inner.insert(item('kept of the inner one'))
          late = ended.then(() => inner.insert(item('late')))
          late.catch(() => undefined)
        })
        end()
        await assert.rejects(late, /transaction is over: await everything/)
        await records.insert(item('kept of the outer one'))
      })
      assert.deepEqual(await titlesLike('late'), [])
      assert.deepEqual(await titlesLike('kept'), ['kept of the inner one', 'kept of the outer one'])
    })

    const password = 'a long password'
    const userNamed = (login: string) => ({ login, email: `${login}@example.test`, password })
    const calls: Record<string, (id: number, userId: number) => Promise<unknown>> = {
      insert: () => shop.records.insert(item('forgotten')),
      update: (id) => shop.records.update(id, { title: 'forgotten' }),
      'update with a condition': (id) => shop.records.update(id, { title: 'forgotten' }, { if: { status: 'publish' } }),
      delete: (id) => shop.records.delete(id),
      'terms.create': () => shop.terms.create({ name: 'Forgotten' }),
      'options.set': () => shop.options.set('forgotten', 'x'),
      transaction: () => shop.records.transaction((records) => records.insert(item('forgotten'))),
      'users.create': () => shop.users.create(userNamed('forgotten')),
      'users.update': (_, userId) => shop.users.update(userId, { firstName: 'Mia' }),
      'users.update with a password': (_, userId) => shop.users.update(userId, { password }),
      'users.delete': (_, userId) => shop.users.delete(userId, { reassign: null }),
    }
    for (const [index, [name, call]] of Object.entries(calls).entries())
      it(`loses no call without await while the transaction succeeds: ${name}`, async () => {
        const { id } = await shop.records.insert(item('target'))
        const user = await shop.users.create(userNamed(`target${index}`))
        let late: Promise<unknown> = Promise.resolve()
        const outcome = await shop.records
          .transaction(async (records) => {
            await records.insert(item('first'))
            late = call(id, user.id)
            late.catch(() => undefined)
          })
          .then(
            () => 'stored',
            (error: unknown) => String(error),
          )
        const result = await late.then(
          () => 'kept',
          (error: unknown) => `lost: ${String(error)}`,
        )
        assert.equal(outcome === 'stored', result === 'kept', `${outcome}; ${result}`)
      })
  })
