import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Attempt, AttemptLimiter } from '../auth/attempt-limiter.js'
import { RateLimiter } from '../auth/rate-limiter.js'
import { applicationPasswordLimits } from '../auth/rate-limits.js'
import { SteadyLimiter } from './steady-limiter.js'

const address = '192.0.2.1'

/** A limiter in front of one that answers later, and counts the questions. */
function steadyLimiter() {
  const time = { now: 1_000_000 }
  const counts = { questions: 0, reports: 0 }
  const counter = new RateLimiter(applicationPasswordLimits, () => time.now)
  const limiter: AttemptLimiter = {
    async begin(...attempt) {
      counts.questions += 1
      await new Promise(setImmediate)
      return counter.begin(...attempt)
    },
  }
  const report = (...attempt: [account: string, address: string, login: string]) => {
    counts.reports += 1
    const begun = counter.begin(...attempt)
    if (typeof begun !== 'number') begun.failed()
  }
  return { steady: new SteadyLimiter(limiter, report, () => time.now), counter, counts, time }
}

type Outcome = 'succeeded' | 'failed' | 'abandoned'

/** Makes attempts at the same time. @returns how many were allowed. */
async function attempts(steady: SteadyLimiter, outcomes: readonly Outcome[]): Promise<number> {
  const results = await Promise.all(
    outcomes.map(async (outcome) => {
      const attempt = await steady.begin('user 1', address)
      if (typeof attempt === 'number') return 0
      attempt[outcome]()
      return 1
    }),
  )
  return results.reduce((sum: number, result) => sum + result, 0)
}

const times = (count: number, outcome: Outcome): readonly Outcome[] => Array<Outcome>(count).fill(outcome)

test('five hundred valid attempts at a time are allowed with one question', async () => {
  const { steady, counts } = steadyLimiter()
  assert.equal(await attempts(steady, times(500, 'succeeded')), 500)
  assert.equal(counts.questions, 1)
  assert.ok(!(steady.begin('user 1', address) instanceof Promise), 'the attempt is available at once')
})

test('the next question comes a second after the one before', async () => {
  const { steady, counts, time } = steadyLimiter()
  await attempts(steady, times(10, 'succeeded'))
  time.now += 999
  await attempts(steady, times(10, 'succeeded'))
  assert.equal(counts.questions, 1)
  time.now += 1
  await attempts(steady, times(10, 'succeeded'))
  assert.equal(counts.questions, 2)
})

test('of a hundred wrong attempts at a time the limit allows sixty', async () => {
  const { steady, counts } = steadyLimiter()
  assert.equal(await attempts(steady, times(100, 'failed')), 60)
  assert.equal(counts.questions, 100)
})

test('after a valid attempt one wrong one is counted without a question', async () => {
  const { steady, counts, counter } = steadyLimiter()
  await attempts(steady, ['succeeded'])
  assert.equal(await attempts(steady, times(100, 'failed')), 60)
  assert.deepEqual(counts, { questions: 100, reports: 1 })
  assert.equal(counter.begin('user 1', address), 6)
})

test('an attempt that is abandoned, or ended twice, lets the next one begin once', async () => {
  const { steady, counter } = steadyLimiter()
  const first = (await steady.begin('user 1', address)) as Attempt
  const waiting = [steady.begin('user 1', address), steady.begin('user 1', address)]
  first.abandoned()
  first.failed()
  const second = (await waiting[0]) as Attempt
  second.succeeded()
  second.abandoned()
  ;((await waiting[1]) as Attempt).failed()
  const begun = counter.begin('user 1', address)
  assert.ok(typeof begun !== 'number' && begun.requester.isTrusted)
})

test('attempts are refused while the counting process does not answer, and later ones ask again', async () => {
  let isThere = false
  const counter = new RateLimiter(applicationPasswordLimits, () => 0)
  const steady = new SteadyLimiter(
    { begin: async (...attempt) => (isThere ? counter.begin(...attempt) : Promise.reject(new Error('gone'))) },
    () => {},
  )
  const refused = await Promise.allSettled([steady.begin('user 1', address), steady.begin('user 1', address)])
  assert.deepEqual(
    refused.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  isThere = true
  assert.equal(await attempts(steady, times(5, 'succeeded')), 5)
})

test('at most a thousand attempts wait', async () => {
  const { steady } = steadyLimiter()
  const first = steady.begin('user 1', address)
  const others = Array.from({ length: 1_001 }, () => steady.begin('user 1', address))
  await assert.rejects(Promise.resolve(others.at(-1)), { name: 'HasherBusyError' })
  ;((await first) as Attempt).succeeded()
  for (const each of others.slice(0, -1)) ((await each) as Attempt).succeeded()
})
