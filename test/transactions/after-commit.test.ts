import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { AsRestRoute, currentUser, inject, job, RecordStore, SiteOptions, type StoredRecord } from '../../src/index.js'
import { startService, type StartedService } from '../support/start-service.js'
import { storeKinds } from '../support/store-kinds.js'
import { until } from '../support/until.js'

/** What the functions of `after_commit` were called with, in order. */
const calls: string[] = []
/** Called with each of them. */
let onCall: (call: string, record: StoredRecord) => unknown = () => undefined

const called = (call: string, record: StoredRecord): unknown => {
  calls.push(call)
  return onCall(call, record)
}

class Office {
  static opened: Office | null = null

  constructor(
    readonly records = inject(RecordStore),
    readonly options = inject(SiteOptions),
  ) {
    Office.opened = this
  }

  @AsRestRoute({ namespace: 'office/v1', route: '/tickets', method: 'POST', permission: 'public' })
  async sell() {
    const { id } = await this.records.insert(ticket('sold'))
    return { id, calls: calls.length }
  }
}

const ticket = (title: string) => ({ type: 'ticket', status: 'publish', title })

class ExpectedError extends Error {}

for (const kind of storeKinds)
  describe(`after_commit on ${kind.name}`, { skip: kind.skip }, () => {
    let started: StartedService
    let drop: () => Promise<void> | void = () => undefined
    let office: Office
    let now = Date.UTC(2030, 0, 1)

    before(async () => {
      const database = await kind.create()
      drop = database.drop
      started = await startService([Office], {
        database: database.url,
        clock: () => now,
        seed: async ({ records }) => void (await records.insert(ticket('seeded'))),
        record_types: {
          ticket: {
            after_commit: {
              inserted: (record) => called(`inserted ${record.title}`, record),
              updated: (record, old) =>
                called(`updated ${old.title} ${old.status} to ${record.title} ${record.status}`, record),
              deleted: (record) => called(`deleted ${record.title}`, record),
            },
          },
          note: {},
        },
      })
      if (Office.opened === null) throw new Error('The class was not built.')
      office = Office.opened
    })
    after(async () => {
      await started?.close()
      await drop()
    })
    beforeEach(() => {
      calls.length = 0
      onCall = () => undefined
    })

    /** Waits until all functions that are due were called: those of one record follow each other. */
    const settled = async (): Promise<string[]> => {
      const { id } = await office.records.insert(ticket('last'))
      await until(() => calls.includes('inserted last'))
      await office.records.delete(id)
      await until(() => calls.includes('deleted last'))
      return calls.filter((call) => !call.endsWith(' last'))
    }

    it('calls nothing for what seed has written', async () => {
      assert.equal(await office.records.count({ type: 'ticket', search: 'seeded' }), 1)
      assert.deepEqual(await settled(), [])
    })

    it('calls each function once, when the write is stored', async () => {
      const seen: (string | undefined)[] = []
      onCall = async (_, { id }) => seen.push((await inject(RecordStore).get(id))?.title)
      const { id } = await office.records.insert(ticket('one'))
      await office.records.update(id, { title: 'two' })
      await office.records.update(id, { title: 'three' }, { if: { status: 'publish' } })
      await until(() => seen.length === 3)
      await office.records.delete(id)
      await until(() => seen.length === 4)
      assert.deepEqual(calls, [
        'inserted one',
        'updated one publish to two publish',
        'updated two publish to three publish',
        'deleted three',
      ])
      assert.equal(seen.at(-1), undefined)
    })

    it('calls nothing for a write that is refused, and for other types', async () => {
      const { id } = await office.records.insert({ type: 'note', title: 'a note', status: 'publish' })
      await office.records.update(id, { title: 'another' })
      await office.records.delete(id)
      assert.equal(await office.records.update(id, { title: 'gone' }), null)
      assert.deepEqual(await settled(), [])
    })

    it('shows a record that goes to the trash and comes back as updated', async () => {
      const { id } = await office.records.insert(ticket('lamp'))
      await office.records.update(id, { status: 'trash' })
      await office.records.update(id, { status: 'draft' })
      await until(() => calls.length === 3)
      assert.deepEqual(calls.slice(1), ['updated lamp publish to lamp trash', 'updated lamp trash to lamp draft'])
    })

    it('calls after the outer transaction, and never for what is undone', async () => {
      let callsInside = -1
      await office.records.transaction(async (records) => {
        await records.insert(ticket('outer'))
        await records.transaction(async () => {
          await office.records.insert(ticket('inner'))
        })
        await assert.rejects(
          records.transaction(async () => {
            await records.insert(ticket('undone inner'))
            throw new ExpectedError('inner')
          }),
          ExpectedError,
        )
        await delay(20)
        callsInside = calls.length
      })
      await assert.rejects(
        office.records.transaction(async (records) => {
          await records.insert(ticket('undone'))
          throw new ExpectedError('outer')
        }),
        ExpectedError,
      )
      assert.equal(callsInside, 0)
      assert.deepEqual((await settled()).sort(), ['inserted inner', 'inserted outer'])
    })

    it('takes the writes of a transaction to one record as one', async () => {
      const old = await office.records.insert(ticket('old'))
      await until(() => calls.length === 1)
      calls.length = 0
      await office.records.transaction(async (records) => {
        const first = await records.insert(ticket('first'))
        await records.update(first.id, { title: 'second' })
        const short = await records.insert(ticket('short'))
        await records.delete(short.id)
        await records.update(old.id, { title: 'older' })
        await records.update(old.id, { title: 'oldest' })
      })
      assert.deepEqual((await settled()).sort(), ['inserted second', 'updated old publish to oldest publish'])
    })

    it('counts the work of a transaction that runs again once', async () => {
      const buyers = Array.from({ length: 8 }, (_, index) => `buyer ${index + 1}`)
      await office.options.set('office_sold', 0)
      let attempts = 0
      const buy = (title: string) =>
        office.records.transaction(async (records) => {
          attempts += 1
          const sold = Number(await office.options.get('office_sold'))
          await records.insert(ticket(title))
          // On PostgreSQL at least two have read the option before one of them sets it.
          if (kind.name === 'PostgreSQL') await until(() => attempts > 1)
          await office.options.set('office_sold', sold + 1)
        })
      await Promise.all(buyers.map(buy))
      assert.equal(Number(await office.options.get('office_sold')), 8)
      // The others let one transaction after the other read the option.
      assert.ok(kind.name !== 'PostgreSQL' || attempts > 8, `${attempts} attempts`)
      assert.deepEqual(
        (await settled()).sort(),
        buyers.map((buyer) => `inserted ${buyer}`),
      )
    })

    it('calls when a scheduled record is published', async () => {
      await office.records.insert({
        ...ticket('soon'),
        status: 'future',
        date_gmt: new Date(now + 60_000).toISOString().slice(0, 19),
      })
      await until(() => calls.length === 1)
      now += 61_000
      await until(() => calls.length === 2)
      assert.equal(calls[1], 'updated soon future to soon publish')
    })

    it('calls the functions of one record one after the other', async () => {
      let isRunning = false
      onCall = async () => {
        assert.equal(isRunning, false)
        isRunning = true
        await delay(5)
        isRunning = false
      }
      const { id } = await office.records.insert(ticket('row'))
      for (const title of ['a', 'b', 'c']) await office.records.update(id, { title })
      await until(() => calls.length === 4 && !isRunning)
      assert.deepEqual(calls.slice(1), [
        'updated row publish to a publish',
        'updated a publish to b publish',
        'updated b publish to c publish',
      ])
      assert.deepEqual(logged(started), [])
    })

    it('answers first, and logs a failure with the id of the request', async () => {
      onCall = async () => {
        assert.equal(currentUser().id, 0)
        throw new ExpectedError('no paper')
      }
      const response = await fetch(`${started.rest}office/v1/tickets`, { method: 'POST' })
      const body = (await response.json()) as { readonly id: number; readonly calls: number }
      assert.equal(response.status, 200)
      assert.equal(body.calls, 0)
      await until(() => logged(started).length === 1)
      const [{ err, ...fields } = { err: null }] = logged(started)
      assert.ok(err instanceof ExpectedError)
      assert.deepEqual(fields, {
        code: 'after-commit-failed',
        hook: 'inserted',
        type: 'ticket',
        id: body.id,
        requestId: response.headers.get('X-Request-Id'),
      })
    })

    it('is waited for by a stop', async () => {
      let isDone = false
      onCall = async () => {
        await delay(100)
        isDone = true
      }
      await office.records.insert(ticket('stopping'))
      await started.service.close({ gracePeriod: 60_000 })
      assert.equal(isDone, true)
    })
  })

test('a stop waits for the functions of records that a job writes, and for what these write', async () => {
  const ended: string[] = []
  const issue = job({
    name: 'issue',
    async run() {
      const records = inject(RecordStore)
      begun = true
      // The stop has begun to wait for the work that goes on.
      await until(() => isStopping)
      await delay(300)
      await records.insert(ticket('of a job'))
    },
  })
  let begun = false
  let isStopping = false
  const service = await startService([Office], {
    jobs: [issue],
    record_types: {
      ticket: {
        after_commit: {
          inserted: async (record) => {
            const records = inject(RecordStore)
            await delay(100)
            await records.update(record.id, { title: 'read' })
          },
          updated: async ({ title }) => {
            await delay(100)
            ended.push(title)
          },
        },
      },
    },
  })
  await (Office.opened as Office).records.enqueue(issue, null)
  await until(() => begun)
  const closed = service.service.close({ gracePeriod: 60_000 })
  isStopping = true
  await closed
  assert.deepEqual([ended, cutOff(service)], [['read'], []])
})

test('functions that outlast the grace period are cut off and logged', async () => {
  let begun = 0
  const service = await startService([Office], {
    record_types: {
      ticket: {
        after_commit: {
          inserted: () => {
            begun += 1
            return new Promise(() => {})
          },
        },
      },
    },
  })
  const { records } = Office.opened as Office
  await records.insert(ticket('first'))
  await records.insert(ticket('second'))
  await until(() => begun === 2)
  await service.service.close({ gracePeriod: 100 })
  assert.deepEqual(cutOff(service), [{ code: 'hooks-cut-off', hooks: 2 }])
})

const cutOff = ({ log }: StartedService) =>
  log.map(({ fields }) => fields).filter(({ code }) => code === 'hooks-cut-off')

const logged = ({ log }: StartedService) =>
  log.filter(({ fields }) => fields['code'] === 'after-commit-failed').map(({ fields }) => fields)
