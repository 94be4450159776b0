import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { job, type AnyJob } from '../../src/content/job.js'
import type { JobFields } from '../../src/content/job-attempt.js'
import { JobRunner, type RunnerCalls } from '../../src/content/job-runner.js'
import { storeAdapterOf } from '../../src/app/stores.js'
import type { JobRows } from '../../src/database/job-rows.js'
import { boot } from '../../src/index.js'
import { plainLog } from '../../src/log/plain-log.js'
import { storeKinds } from '../support/store-kinds.js'
import { until } from '../support/until.js'
import { printPoster, PrintShop, printShopOptions } from './print-shop-api.js'
import { kill, openShop } from './print-shop-process.js'

const lease = 600

/** Lets the renewals of leases fail until a condition holds. */
async function failRenewals(t: TestContext, rows: JobRows, isReached: () => boolean): Promise<void> {
  const { mock } = t.mock.method(rows, 'extend', () => Promise.reject(new Error('unreachable')))
  await until(isReached)
  mock.restore()
}

for (const kind of storeKinds)
  describe(`a job that goes on after its time limit on ${kind.name}`, { skip: kind.skip }, () => {
    it('is begun again after its end, in each of two processes', async () => {
      const database = await kind.create()
      const clerk = await boot([PrintShop], printShopOptions(database.url))
      const other = await openShop(database.url)
      try {
        await clerk.records.enqueue(printPoster, null)
        const titles = async () =>
          (await clerk.records.list({ type: 'page_print', orderby: 'id', order: 'asc' })).map(({ title }) => title)
        await until(async () => (await titles()).includes('end 3'))
        assert.deepEqual(await titles(), ['begin 1', 'end 1', 'begin 2', 'end 2', 'begin 3', 'end 3'])
      } finally {
        await kill(other)
        await clerk.close()
        await database.drop()
      }
    })

    it('keeps its lease, and its place is free', async () => {
      const { add, runner, calls, drop } = await openRunners(kind)
      try {
        const [first, second] = [runner(), runner()]
        await Promise.all([first.start(calls), second.start(calls)])
        await add('deaf', 10)
        // All ten places of a process.
        await until(() => calls.begun.length === 10)
        await until(() => calls.overrun.length === 10)
        await add('short', 1)
        first.wake()
        await until(() => calls.begun.includes('short'))
        await delay(3 * lease)
        assert.deepEqual([calls.begun.length, calls.most, calls.lost], [11, 1, 0])
        calls.end()
        await until(() => calls.failed.length === 10)
        await Promise.all([first.cutOff(), second.cutOff()])
      } finally {
        await drop()
      }
    })

    it('leaves the places to other names, however many of one name never end', async () => {
      const { add, runner, calls, drop } = await openRunners(kind)
      try {
        const only = runner()
        await only.start(calls)
        await add('deaf', 120)
        only.wake()
        await until(() => calls.overrun.length >= 20)
        await add('short', 30)
        only.wake()
        await until(() => calls.begun.filter((name) => name === 'short').length === 30)
        const deaf = calls.begun.filter((name) => name === 'deaf').length
        assert.ok(deaf < 30, String(deaf))
        calls.end()
        await until(() => calls.begun.filter((name) => name === 'deaf').length >= 120)
        await only.cutOff()
      } finally {
        await drop()
      }
    })

    it('is not begun again beside itself by a process that has lost it', async (t) => {
      const { add, runner, rows, calls, drop } = await openRunners(kind)
      try {
        const only = runner()
        await only.start(calls)
        await add('deaf', 1)
        await until(() => calls.begun.length === 1)
        await failRenewals(t, rows, () => calls.lost === 1)
        // The process has claimed it again.
        await delay(2_500)
        assert.equal(calls.begun.length, 1)
        calls.end()
        await until(() => calls.begun.length === 2)
        assert.equal(calls.most, 1)
        await only.cutOff()
      } finally {
        await drop()
      }
    })

    it('takes no place, and is held once, while a process that has lost it claims it again', async (t) => {
      const { add, runner, rows, calls, drop } = await openRunners(kind)
      try {
        const only = runner()
        await only.start(calls)
        // All ten places of a process.
        await add('deaf', 10)
        await until(() => calls.begun.length === 10)
        for (const lost of [10, 20]) {
          await failRenewals(t, rows, () => calls.lost >= lost)
          await until(async () => (await attemptsOf(rows)).every((attempts) => attempts > 1))
        }
        await add('short', 1)
        await until(() => calls.begun.includes('short'))
        assert.deepEqual([calls.begun.length, calls.most], [11, 1])
        await only.cutOff()
        // The attempts whose functions go on, those that wait for them, and the short one.
        assert.ok(calls.cutOff <= 21, String(calls.cutOff))
        calls.end()
      } finally {
        await drop()
      }
    })

    it('is due only after a lease when a stop no longer waits for it', async () => {
      const { add, runner, rows, calls, drop } = await openRunners(kind)
      try {
        const only = runner()
        await only.start(calls)
        await add('deaf', 1)
        await until(() => calls.begun.length === 1)
        const begun = performance.now()
        await only.cutOff()
        assert.ok(performance.now() - begun < 5_000)
        const [row] = await rows.list({ state: null, after: 0, limit: 1 })
        assert.deepEqual([row?.holder, row?.attempts], ['', 0])
        const claim = () => rows.claim({ names: ['deaf'], holder: 'other', lease, limit: 1 }, row?.due_at ?? 0)
        assert.deepEqual(
          await rows.claim({ names: ['deaf'], holder: 'other', lease, limit: 1 }, (row?.due_at ?? 0) - lease / 2),
          [],
        )
        assert.equal((await claim()).length, 1)
        calls.end()
      } finally {
        await drop()
      }
    })
  })

/** How often each job was begun. */
async function attemptsOf(rows: JobRows): Promise<readonly number[]> {
  return (await rows.list({ state: null, after: 0, limit: 100 })).map(({ attempts }) => attempts)
}

/** Runners with a short lease, and jobs whose functions go on until `end`, except those that are called `short`. */
async function openRunners(kind: (typeof storeKinds)[number]) {
  const database = await kind.create()
  const storage = await storeAdapterOf(database.url).open(database.url, {})
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  const ongoing = new Map<number, number>()
  const seen = {
    begun: [] as string[],
    overrun: [] as number[],
    failed: [] as unknown[],
    lost: 0,
    cutOff: 0,
    /** The greatest number of attempts of one job at the same time. */
    most: 0,
  }
  const calls: RunnerCalls & typeof seen & { end(): void } = Object.assign(seen, {
    end,
    enter: <T>(work: () => T) => work(),
    logOf: () => plainLog as never,
    onFailure: (error: unknown) => seen.failed.push(error),
    onUnreachable: () => undefined,
    onUnknown: () => undefined,
    onLost: () => (seen.lost += 1),
    onOverrun: ({ jobId }: JobFields) => seen.overrun.push(jobId),
    onCutOff: (running: number) => (seen.cutOff = running),
  })
  const begin = async (name: string, id: number) => {
    calls.begun.push(name)
    const running = (ongoing.get(id) ?? 0) + 1
    ongoing.set(id, running)
    calls.most = Math.max(calls.most, running)
    if (name === 'deaf') await ended
    ongoing.set(id, running - 1)
  }
  const deaf = job({ name: 'deaf', timeout: 0.2, run: (_, { id }) => begin('deaf', id) })
  const short = job({ name: 'short', run: (_, { id }) => begin('short', id) })
  const jobs = new Map<string, AnyJob>([deaf, short].map((declared) => [declared.name, declared]))
  return {
    calls,
    rows: storage.jobs,
    runner: () => new JobRunner({ jobs, rows: () => storage.jobs, clock: null, lease }),
    async add(name: string, count: number): Promise<void> {
      for (let number = 0; number < count; number += 1)
        await storage.jobs.add({ name, payload: 'null', request_id: '', due: { in: 0 } }, null)
    },
    async drop(): Promise<void> {
      await storage.close()
      await database.drop()
    },
  }
}
