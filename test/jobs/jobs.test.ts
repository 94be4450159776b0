import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { currentUser, type JobContext } from '../../src/index.js'
import { runHere } from '../cli/command-line.js'
import { startService, type StartedService } from '../support/start-service.js'
import { storeKinds } from '../support/store-kinds.js'
import { until } from '../support/until.js'
import { bind, blank, brief, done, onAttempt, PressApi, print, unlisted } from './jobs-api.js'

class ExpectedError extends Error {}

for (const kind of storeKinds)
  describe(`jobs on ${kind.name}`, { skip: kind.skip }, () => {
    let url: string
    let drop: () => Promise<void> | void = () => undefined
    let started: StartedService
    let press: PressApi

    const start = (jobs: readonly object[]) =>
      startService([PressApi], { database: url, jobs: jobs as never, record_types: { book: {} } })
    before(async () => {
      const database = await kind.create()
      ;({ url, drop } = database)
      started = await start([print, bind, brief, blank])
      if (PressApi.opened === null) throw new Error('The class was not built.')
      press = PressApi.opened
    })
    after(async () => {
      await started?.close()
      await drop()
    })
    beforeEach(() => {
      done.length = 0
      onAttempt.work = () => undefined
    })

    it('does a job of a request at once, with its id and its log', async () => {
      const contexts: JobContext[] = []
      onAttempt.work = (_, context) => {
        assert.equal(currentUser().id, 0)
        context.log.info({ pages: 3 }, 'printed')
        contexts.push(context)
      }
      const response = await fetch(`${started.rest}press/v1/books`, {
        method: 'POST',
        body: JSON.stringify({ title: 'Momo' }),
        headers: { 'Content-Type': 'application/json' },
      })
      const { id } = (await response.json()) as { readonly id: number }
      await until(() => done.length === 1)
      const requestId = response.headers.get('X-Request-Id') ?? ''
      const [context] = contexts
      assert.deepEqual([context?.id, context?.attempt, context?.requestId], [id, 1, requestId])
      assert.deepEqual(
        started.log.filter(({ message }) => message === 'printed').map(({ fields }) => fields),
        [{ pages: 3, job: 'print', jobId: id, requestId }],
      )
    })

    it('looks for a job at once, not with the next look', async (t) => {
      // A look that was planned before may still come. The looks after it would be planned by timers that never end.
      t.mock.timers.enable({ apis: ['setTimeout'] })
      for (let number = 1; number <= 6; number += 1) {
        await press.records.enqueue(print, { title: String(number) })
        for (let turns = 0; done.length < number; turns += 1) {
          assert.ok(turns < 1_000_000, `job ${number} was not done`)
          await nextTurn()
        }
      }
    })

    it('stores a job with its transaction or not at all', async () => {
      await assert.rejects(
        press.records.transaction(async (records) => {
          await records.enqueue(print, { title: 'undone' })
          throw new ExpectedError()
        }),
        ExpectedError,
      )
      let doneInside = -1
      await press.records.transaction(async (records) => {
        await records.enqueue(print, { title: 'stored' })
        const nested = records.transaction(async (inner) => {
          await inner.enqueue(print, { title: 'undone inside' })
          throw new ExpectedError()
        })
        await assert.rejects(nested, ExpectedError)
        await delay(50)
        doneInside = done.length
      })
      await until(() => done.length === 1)
      await delay(50)
      assert.equal(doneInside, 0)
      assert.deepEqual(done, ['stored'])
    })

    it('takes a job by its name, and jobs may enqueue others', async () => {
      await press.records.enqueue('bind', { title: 'atlas' })
      await until(() => done.length === 2)
      assert.deepEqual(done, ['atlas', 'page of atlas'])
    })

    it('tries a job again, later and later, and keeps it as failed after the last attempt', async () => {
      const times: number[] = []
      onAttempt.work = () => {
        times.push(performance.now())
        throw new ExpectedError(`no paper ${times.length}`)
      }
      const id = await press.records.enqueue(print, { title: 'never' })
      await until(() => logged('job-failed').length > 0)
      assert.equal(times.length, 3)
      const [first = 0, second = 0, third = 0] = times
      // Half of 1 s and of 2 s is certain.
      assert.ok(second - first >= 490 && third - second >= 990, `${second - first} and ${third - second} ms`)
      assert.deepEqual(
        logged('job-attempt-failed').map(({ job, jobId }) => [job, jobId]),
        [
          ['print', id],
          ['print', id],
        ],
      )
      assert.ok(logged('job-failed')[0]?.['err'] instanceof ExpectedError)
      await delay(1_500)
      assert.equal(times.length, 3)
    })

    it('keeps a job as failed that throws what has no text', async () => {
      const id = await press.records.enqueue(blank, null)
      await until(() => logged('job-failed').some(({ jobId }) => jobId === id))
      const errorOfJob = async () => {
        const { stdout } = await runHere(['jobs', 'list', '--failed', '--json', '--database', url])
        const rows = JSON.parse(stdout) as readonly { readonly id: number; readonly error: string }[]
        return rows.find((row) => row.id === id)?.error
      }
      await until(async () => (await errorOfJob()) !== undefined)
      assert.equal(await errorOfJob(), 'What was thrown has no text.')
    })

    it('does a job not before it is due', async () => {
      const waits = async (title: string, options: object) => {
        const begun = performance.now()
        await press.records.enqueue(print, { title }, options)
        await until(() => done.includes(title))
        return performance.now() - begun
      }
      const [later, at] = await Promise.all([
        waits('later', { delay: 1.5 }),
        waits('at', { run_at: new Date(Date.now() + 700) }),
        waits('now', {}),
      ])
      assert.deepEqual([...done].sort(), ['at', 'later', 'now'])
      assert.ok(at >= 650, `${at} ms`)
      assert.ok(later >= 1_450, `${later} ms`)
    })

    it('ends the wait for an attempt that takes too long', async () => {
      let signal: AbortSignal | null = null
      onAttempt.work = async (_, context) => {
        ;({ signal } = context)
        await delay(60_000, undefined, { signal: context.signal })
      }
      await press.records.enqueue(brief, null)
      await until(() => logged('job-failed').some(({ job }) => job === 'brief'))
      assert.equal((signal as AbortSignal | null)?.aborted, true)
      const [{ err } = { err: null }] = logged('job-failed').filter(({ job }) => job === 'brief')
      assert.match(String(err), /The time limit of 0\.1 s is over/)
    })

    it('refuses what no process would do, and what cannot be stored', async () => {
      const { records } = press
      await assert.rejects(records.enqueue(unlisted), /no process does the job 'unlisted'\. List it in the option jobs/)
      await assert.rejects(records.enqueue('prnt', null), /'prnt'\. Did you mean 'print'\?/)
      await assert.rejects(records.enqueue('print', { at: new Date() }), /a value that JSON cannot represent/)
      await assert.rejects(
        records.enqueue(print, { title: 'x'.repeat(65_536) }),
        /has 65548 bytes as JSON; 65536 are allowed/,
      )
      await assert.rejects(records.enqueue(print, { title: '' }, { delay: -1 }), /delay of 'print' is -1/)
      await assert.rejects(
        records.enqueue(print, { title: '' }, { delay: '5' as never }),
        /delay of 'print' is a string; give seconds/,
      )
      await assert.rejects(records.enqueue(print, { title: '' }, { delay: 1, run_at: 5 }), /both delay and run_at/)
      await assert.rejects(
        records.enqueue(print, { title: '' }, { run_at: new Date(NaN) }),
        /run_at of 'print' is Invalid Date/,
      )
      await delay(50)
      assert.deepEqual(done, [])
    })

    it('stores every text exactly', async () => {
      for (const title of ['\0', '\ud800', '€ 😀', '"\\\n\u2028', 'x'.repeat(60_000)]) {
        await press.records.enqueue(print, { title })
        await until(() => done.length > 0)
        assert.equal(done.pop(), title)
      }
    })

    it('does each of many jobs once, in several processes', async () => {
      const others = [await start([print]), await start([print])]
      try {
        await press.records.transaction(async (records) => {
          for (let number = 0; number < 100; number += 1) await records.enqueue(print, { title: String(number) })
        })
        await until(() => done.length >= 100)
        await delay(100)
        assert.deepEqual(
          done.toSorted((one, other) => Number(one) - Number(other)),
          Array.from({ length: 100 }, (_, number) => String(number)),
        )
      } finally {
        for (const other of others) await other.close()
      }
    })

    it('leaves jobs alone that it does not list, and says so', async () => {
      await press.records.enqueue(print, { title: 'left' }, { delay: 1 })
      await started.close()
      const other = await start([bind])
      await until(() => other.log.some(({ fields }) => fields['code'] === 'job-unknown'))
      await other.close()
      const unknown = other.log.filter(({ fields }) => fields['code'] === 'job-unknown')
      assert.deepEqual(
        unknown.map(({ fields }) => fields),
        [{ code: 'job-unknown', job: 'print', waiting: 1, nearest: null }],
      )
      assert.deepEqual(done, [])
      started = await start([print, bind, brief])
      press = PressApi.opened as PressApi
      await until(() => done.includes('left'))
    })

    it('waits for jobs at a stop, and gives back those that take too long', async () => {
      let aborted = 0
      let begun = 0
      let isStopping = false
      onAttempt.work = async (name, { signal }) => {
        begun += 1
        if (name === 'short') {
          await until(() => isStopping)
          return delay(50)
        }
        return delay(60_000, undefined, { signal }).finally(() => (aborted += 1))
      }
      await press.records.enqueue(print, { title: 'short' })
      await press.records.enqueue(print, { title: 'long' })
      await until(() => begun === 2)
      isStopping = true
      await started.service.close({ gracePeriod: 1_500 })
      assert.deepEqual([done, aborted], [['short'], 1])
      assert.deepEqual(logged('jobs-cut-off').at(-1), { code: 'jobs-cut-off', jobs: 1 })
      onAttempt.work = (_, { attempt }) => assert.equal(attempt, 1)
      started = await start([print, bind, brief])
      press = PressApi.opened as PressApi
      await until(() => done.includes('long'))
    })

    const logged = (code: string) =>
      started.log.filter(({ fields }) => fields['code'] === code).map(({ fields }) => fields)
  })
