import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  AsRestRoute,
  inject,
  RecordConflictError,
  RecordStore,
  RestResponse,
  SiteOptions,
  Terms,
  Users,
  type RestRequest,
  type StoredRecord,
} from '../../src/index.js'
import { startService, type StartedService } from '../support/start-service.js'
import { storeKinds } from '../support/store-kinds.js'

/** What handlers inject. */
class Office {
  static opened: Office | null = null

  constructor(
    readonly records = inject(RecordStore),
    readonly terms = inject(Terms),
    readonly users = inject(Users),
    readonly options = inject(SiteOptions),
  ) {
    Office.opened = this
  }

  @AsRestRoute({ namespace: 'office/v1', route: '/conflict', method: 'POST', permission: 'public' })
  async conflict() {
    const { id } = await this.records.insert({ title: 'Contested', status: 'publish' })
    await this.records.delete(id, { if: { status: 'trash' } })
    return null
  }

  @AsRestRoute({ namespace: 'office/v1', route: '/tickets/(?P<id>\\d+)', method: 'DELETE', permission: 'public' })
  async cancel(request: RestRequest<{ id: string }>) {
    const isDeleted = await this.records.delete(request.pathId('id'), { if: { status: 'publish' } })
    return new RestResponse(null, isDeleted ? 204 : 404)
  }

  @AsRestRoute({ namespace: 'office/v1', route: '/tickets/(?P<id>\\d+)/trash', method: 'POST', permission: 'public' })
  async trash(request: RestRequest<{ id: string }>) {
    await this.records.update(request.pathId('id'), { status: 'trash' }, { if: { status: 'publish' } })
    return new RestResponse(null, 204)
  }
}

class ExpectedError extends Error {}

for (const kind of storeKinds)
  describe(`transactions on ${kind.name}`, { skip: kind.skip }, () => {
    let started: StartedService | null = null
    let drop: () => Promise<void> | void = () => undefined
    let office: Office

    before(async () => {
      const database = await kind.create()
      drop = database.drop
      started = await startService([Office], {
        database: database.url,
        record_types: {
          ticket: {
            meta: { seat: { type: 'integer' }, rows: { type: 'array' }, gate: { type: 'string', default: 'A' } },
            taxonomies: ['category'],
          },
        },
      })
      if (Office.opened === null) throw new Error('The class was not built.')
      office = Office.opened
    })
    after(async () => {
      await started?.close()
      await drop()
    })

    const ticket = (title: string) => ({ type: 'ticket', status: 'publish', title, meta: { seat: 1 } })
    const titlesLike = async (search: string) =>
      (await office.records.list({ type: 'ticket', search })).map(({ title }) => title)

    it('stores all writes, and returns what the work returns', async () => {
      const ids = await office.records.transaction(async (records) => {
        const first = await records.insert(ticket('committed one'))
        const second = await records.insert(ticket('committed two'))
        return [first.id, second.id]
      })
      assert.equal((await office.records.list({ type: 'ticket', ids })).length, 2)
    })

    it('undoes all writes when the work fails, those of terms, users and options as well', async () => {
      await office.options.set('office_name', 'before')
      const work = office.records.transaction(async (records) => {
        await records.insert(ticket('undone'))
        await office.terms.create({ name: 'Undone' })
        await office.users.create({ login: 'undone', email: 'undone@example.test', password: 'a long password' })
        await office.options.set('office_name', 'after')
        throw new ExpectedError('enough')
      })
      await assert.rejects(work, ExpectedError)
      assert.deepEqual(await titlesLike('undone'), [])
      assert.equal(await office.terms.find('undone'), null)
      assert.equal(await office.users.find('undone'), null)
      assert.equal(await office.options.get('office_name'), 'before')
    })

    it('reads its own writes, by every service, and other requests do not', async () => {
      const atSea = await office.records.transaction(async (records) => {
        const { id } = await records.insert(ticket('unseen'))
        const { term } = await office.terms.findOrCreate({ name: 'Unseen' })
        const inside = [await titlesLike('unseen'), (await office.terms.find('unseen'))?.id === term.id]
        const outside = await outsideOf(async () => [await titlesLike('unseen'), await office.terms.find('unseen')])
        return { id, inside, outside }
      })
      assert.deepEqual(atSea.inside, [['unseen'], true])
      assert.deepEqual(atSea.outside, [[], null])
      assert.deepEqual(await titlesLike('unseen'), ['unseen'])
    })

    it('joins a transaction of another service, whose failure undoes its own writes only', async () => {
      const reserve = (title: string) =>
        office.records.transaction(async (records) => {
          await records.insert(ticket(title))
          if (title.endsWith('fails')) throw new ExpectedError(title)
        })
      await office.records.transaction(async (records) => {
        await records.insert(ticket('nested outer'))
        await reserve('nested inner')
        await assert.rejects(reserve('nested inner fails'), ExpectedError)
      })
      assert.deepEqual((await titlesLike('nested')).sort(), ['nested inner', 'nested outer'])
    })

    it('holds a record that it has locked until its end', async () => {
      const { id } = await office.records.insert({ ...ticket('locked'), meta: { seat: 0 } })
      let attempts = 0
      const take = () =>
        office.records.transaction(async (records) => {
          attempts += 1
          const locked = await records.get(id, { lock: true, fields: ['meta'] })
          const seat = Number(locked?.meta['seat'])
          await records.update(id, { meta: { seat: seat + 1 } })
          return seat
        })
      const seats = await Promise.all(Array.from({ length: 10 }, take))
      assert.deepEqual(
        seats.sort((a, b) => a - b),
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      )
      assert.equal((await office.records.get(id))?.meta['seat'], 10)
      // Without the lock, those that have read the same number would run again.
      assert.equal(attempts, 10)
    })

    it('lets others wait that change, delete or lock a locked record, and not those that change another one', async () => {
      const { id } = await office.records.insert(ticket('held'))
      const other = await office.records.insert(ticket('free'))
      const steps: string[] = []
      const waiting: Promise<unknown>[] = []
      let attempts = 0
      await office.records.transaction(async (records) => {
        attempts += 1
        await records.get(id, { lock: true })
        const begin = (step: string, work: () => Promise<unknown>) =>
          outsideOf(async () => {
            waiting.push(work().then(() => steps.push(step)))
          })
        await begin('changed', () => office.records.update(id, { title: 'held no longer' }))
        await begin('locked', () => office.records.transaction((outside) => outside.get(id, { lock: true })))
        // On SQLite one transaction runs at a time.
        if (kind.name !== 'SQLite') await outsideOf(() => office.records.update(other.id, { title: 'freed' }))
        await delay(200)
        await records.update(id, { meta: { seat: 8 } })
        steps.push('held')
      })
      await Promise.all(waiting)
      assert.deepEqual([steps[0], [...steps].sort(), attempts], ['held', ['changed', 'held', 'locked'], 1])
      const { title, meta } = (await office.records.get(id)) ?? assert.fail()
      assert.deepEqual([title, meta['seat']], ['held no longer', 8])
    })

    it('loses no update of work that reads without a lock', async () => {
      const { id } = await office.records.insert({ ...ticket('unlocked'), meta: { seat: 0 } })
      const take = () =>
        office.records.transaction(async (records) => {
          const seat = Number((await records.get(id))?.meta['seat'])
          await records.update(id, { meta: { seat: seat + 1 } })
        })
      await Promise.all(Array.from({ length: 5 }, take))
      assert.equal((await office.records.get(id))?.meta['seat'], 5)
    })

    it('refuses a lock outside a transaction, and a call after its end', async () => {
      const { id } = await office.records.insert(ticket('late'))
      await assert.rejects(office.records.get(id, { lock: true }), /call records\.transaction/)
      await assert.rejects(
        office.records.get(id, { lock: 'yes' as never }),
        /'lock' .* must be a boolean; it is a string/,
      )
      let late: Promise<unknown> = Promise.resolve()
      let end = (): void => undefined
      const ended = new Promise<void>((resolve) => (end = resolve))
      await office.records.transaction(async (records) => {
        await records.get(id)
        late = ended.then(() => records.update(id, { title: 'too late' }))
        late.catch(() => undefined)
      })
      end()
      await assert.rejects(late, /transaction is over|await everything/)
      assert.equal((await office.records.get(id))?.title, 'late')
    })

    it('stores nothing of work that ends while a write that it has started runs', async () => {
      const forgotten: Promise<unknown>[] = []
      const forget = (started: Promise<unknown>): void => {
        started.catch(() => undefined)
        forgotten.push(started)
      }
      const { id } = await office.records.insert(ticket('forgotten'))
      const works = [
        async (records: RecordStore) => forget(records.insert(ticket('forgotten insert'))),
        async (records: RecordStore) => {
          await records.insert(ticket('forgotten waited'))
          forget(records.update(id, { title: 'forgotten update', meta: { seat: 5 } }))
        },
        (records: RecordStore) => records.transaction(async (inner) => forget(inner.insert(ticket('forgotten inner')))),
      ]
      for (const work of works)
        await assert.rejects(office.records.transaction(work), {
          code: 'storage-transaction',
          message:
            /ended while a write that it had started was running, so nothing was stored: write 'await' before it/,
        })
      for (const result of await Promise.allSettled(forgotten)) assert.equal(result.status, 'rejected')
      assert.deepEqual(await titlesLike('forgotten'), ['forgotten'])
      assert.equal((await office.records.get(id))?.meta['seat'], 1)
    })

    it('deletes and updates only a record that meets the condition', async () => {
      const read = await office.records.insert({ ...ticket('conditional'), meta: { seat: 4, rows: [1, 2] } })
      const { id } = read
      const refused = (field: string) => ({ name: 'RecordConflictError', code: 'record_conflict', field, id })
      await assert.rejects(office.records.delete(id, { if: { status: 'trash' } }), refused('status'))
      await assert.rejects(
        office.records.update(id, { title: 'x' }, { if: { meta: { seat: 5 } } }),
        refused('meta.seat'),
      )
      const changed = await office.records.update(id, { title: 'changed' }, { if_unchanged: read })
      assert.equal(changed?.title, 'changed')
      await assert.rejects(office.records.update(id, { title: 'lost' }, { if_unchanged: read }), refused('title'))
      await assert.rejects(
        office.records.update(id, {}, { if: { title: undefined } as never }),
        /The field 'title' of 'if' is undefined/,
      )
      assert.equal(await office.records.delete(id, { if: { title: 'changed', meta: { rows: [1, 2] } } }), true)
      assert.equal(await office.records.delete(id, { if: { title: 'changed' } }), false)
    })

    it('refuses a change of a record that has metadata now which it did not have', async () => {
      const { id } = await office.records.insert({ type: 'ticket', status: 'publish', title: 'absent metadata' })
      const selections = [
        {},
        { fields: ['meta'] },
        { meta_keys: ['seat'] },
        { fields: ['meta'], meta_keys: ['seat'] },
      ] as const
      for (const selection of selections) {
        await office.records.update(id, { remove_meta: ['seat'] })
        const read = await office.records.get(id, selection)
        const [listed] = await office.records.list({ ...selection, ids: [id] })
        assert.ok(read !== null && listed !== undefined)
        const changes = [1, 2, 3].map((seat) => office.records.update(id, { meta: { seat } }, { if_unchanged: read }))
        const results = await Promise.allSettled(changes)
        const conflicts = results.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
        assert.equal(conflicts.length, 2, JSON.stringify(selection))
        for (const conflict of conflicts)
          assert.ok(conflict instanceof RecordConflictError && ['meta.seat', 'modified'].includes(conflict.field))
        const write = office.records.update(id, { meta: { seat: 9 } }, { if_unchanged: listed })
        await assert.rejects(write, RecordConflictError)
        // A record of a list with fewer fields does not tell which metadata was read.
        if (!('fields' in selection))
          await assert.rejects(office.records.delete(id, { if_unchanged: listed }), RecordConflictError)
      }
    })

    it('compares metadata that was read, with its default where there is no value', async () => {
      const inserted = await office.records.insert({ type: 'ticket', status: 'publish', title: 'default metadata' })
      const { id } = inserted
      const unchanged = (read: Partial<StoredRecord>) => office.records.update(id, {}, { if_unchanged: read })
      await unchanged(inserted)
      const { modified: _, ...whole } = (await unchanged({ ...(await office.records.get(id)) })) ?? {}
      await unchanged(whole)
      await unchanged(JSON.parse(JSON.stringify(await office.records.get(id))) as StoredRecord)
      const gate = await office.records.get(id, { fields: ['title', 'meta'], meta_keys: ['gate'] })
      await office.records.update(id, { meta: { seat: 7 } })
      await assert.rejects(unchanged(whole), { field: 'meta.seat' })
      for (const selection of [{ meta_keys: ['gate'] }, { fields: ['title', 'meta'], meta_keys: ['gate'] }] as const) {
        const [listed] = await office.records.list({ ...selection, ids: [id] })
        assert.ok(listed !== undefined)
        await unchanged(listed)
      }
      assert.ok(gate !== null)
      await unchanged(gate)
      await unchanged({ title: 'default metadata', meta: { gate: 'A' } })
      await office.records.update(id, {}, { if: { meta: { gate: 'A' } } })
      await office.records.update(id, { meta: { gate: 'B' } })
      await assert.rejects(unchanged(gate), { field: 'meta.gate' })
    })

    it('answers one of five parallel cancellations with 204, and the others with a refusal', async () => {
      const { id } = await office.records.insert(ticket('cancelled'))
      const statusesOf = (method: string, path: string) =>
        Promise.all(
          Array.from({ length: 5 }, async () => (await fetch(`${started?.rest}office/v1/${path}`, { method })).status),
        )
      assert.deepEqual((await statusesOf('POST', `tickets/${id}/trash`)).sort(), [204, 409, 409, 409, 409])
      assert.deepEqual(await statusesOf('DELETE', `tickets/${id}`), [409, 409, 409, 409, 409])
      await office.records.update(id, { status: 'publish' })
      assert.deepEqual((await statusesOf('DELETE', `tickets/${id}`)).sort(), [204, 404, 404, 404, 404])
    })

    it('answers an uncaught conflict with 409', async () => {
      const response = await fetch(`${started?.rest}office/v1/conflict`, { method: 'POST' })
      const body = (await response.json()) as { code: string; data: unknown }
      assert.equal(response.status, 409)
      assert.deepEqual([body.code, body.data], ['record_conflict', { status: 409 }])
    })

    it('creates a term once for parallel callers', async () => {
      // The last one makes no slug.
      for (const name of ['Shared', '!?']) {
        const results = await Promise.all(Array.from({ length: 8 }, () => office.terms.findOrCreate({ name })))
        assert.equal(results.filter(({ created }) => created).length, 1, name)
        assert.equal(new Set(results.map(({ term }) => term.id)).size, 1, name)
      }
      const other = await office.terms.findOrCreate({ name: '!!' })
      assert.equal(other.created, true)
    })

    it('gives a slug to one of ten records that want it at once', async () => {
      const claim = () =>
        office.records.transaction(async (records) => {
          const { slug } = await records.insert({ ...ticket('Claim'), slug: 'row-1-seat-7' })
          if (slug !== 'row-1-seat-7') throw new ExpectedError('taken')
        })
      const claims = await Promise.allSettled(Array.from({ length: 10 }, claim))
      assert.equal(claims.filter(({ status }) => status === 'fulfilled').length, 1)
      for (const one of claims)
        if (one.status === 'rejected') assert.ok(one.reason instanceof ExpectedError, one.reason)
      assert.equal((await office.records.list({ type: 'ticket', search: 'Claim' })).length, 1)
    })

    it('keeps options as WordPress returns them', async () => {
      await office.options.set('office_hours', { monday: [8, 17], closed: false })
      assert.deepEqual(JSON.parse(JSON.stringify(await office.options.get('office_hours'))), {
        monday: [8, 17],
        closed: false,
      })
      await office.options.set('office_floor', 3)
      assert.equal(await office.options.get('office_floor'), '3')
      assert.equal(await office.options.delete('office_floor'), true)
      assert.equal(await office.options.get('office_floor'), null)
      await assert.rejects(office.options.set('office_floor', null), /delete\('office_floor'\)/)
      await assert.rejects(office.options.set('', 'x'), { code: 'invalid_option_name' })
    })
  })

/** Runs work in an async context without a transaction, as another request would. */
const outsideOf = <T>(work: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    outsideJobs.push(() => work().then(resolve, reject))
  })
const outsideJobs: (() => void)[] = []
const outsideTimer = setInterval(() => {
  for (const job of outsideJobs.splice(0)) job()
}, 5)
after(() => clearInterval(outsideTimer))
