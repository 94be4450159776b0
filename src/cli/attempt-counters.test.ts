import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LimitName } from '../auth/rate-limits.js'
import { AttemptCounters } from './attempt-counters.js'
import { attemptType, type AttemptReply } from './attempt-messages.js'

/** Workers that send attempts at one account from one network. */
function workers(count: number) {
  const time = { now: 1_000_000 }
  const counters = new AttemptCounters(() => time.now)
  let lastId = 0
  const all = Array.from({ length: count }, () => {
    const replies: AttemptReply[] = []
    const sender = { send: (message: object) => void replies.push(message as AttemptReply) }
    const attempt = { type: attemptType, account: 'user 1', address: '192.0.2.1', login: 'mia' } as const
    return {
      begin(limiter: LimitName = 'logins'): AttemptReply {
        lastId += 1
        counters.receive({ ...attempt, step: 'begin', id: lastId, limiter }, sender)
        const reply = replies.at(-1)
        assert.equal(reply?.id, lastId)
        return reply
      },
      end(id: number, outcome: 'succeeded' | 'failed' | 'abandoned') {
        counters.receive({ type: attemptType, step: 'end', id, outcome }, sender)
      },
      fail: (limiter: LimitName) => counters.receive({ ...attempt, step: 'failure', limiter }, sender),
      ends: () => counters.forget(sender),
    }
  })
  return { all, time }
}

test('the failures at all workers count for one limit, which each of them gets', () => {
  const { all, time } = workers(2)
  const waits = Array.from({ length: 12 }, (_, index) => {
    const worker = all[index % 2]
    const { id, wait } = worker?.begin() ?? assert.fail()
    if (wait === 0) worker?.end(id, 'failed')
    return wait
  })
  assert.deepEqual(waits, [...Array<number>(10).fill(0), 30, 30])
  time.now += 30_000
  assert.equal(all[0]?.begin().wait, 0)
  assert.equal(all[1]?.begin().wait, 30, 'an attempt in progress counts')
})

test('a lock-out is reported to the worker with whose attempt it begins', () => {
  const [one, other] = workers(2).all
  for (let count = 0; count < 10; count += 1) one?.end(one.begin().id, 'failed')
  assert.deepEqual(other?.begin().lockOuts, [{ limit: 'pair', network: '192.0.2.1', login: 'mia', wait: 30 }])
  assert.deepEqual(one?.begin().lockOuts, [])
})

test('a login at one worker makes the network trusted at all, and an abandoned attempt does not count', () => {
  const [one, other] = workers(2).all
  for (let count = 0; count < 50; count += 1) one?.end(one.begin().id, 'abandoned')
  assert.equal(other?.begin().isTrusted, false)
  one?.end(one.begin().id, 'succeeded')
  assert.equal(other?.begin().isTrusted, true)
})

test('limiters are separate', () => {
  const [one] = workers(1).all
  for (let count = 0; count < 60; count += 1) one?.fail('applicationPasswords')
  assert.equal(one?.begin('applicationPasswords').wait, 6)
  assert.equal(one?.begin('logins').wait, 0)
})

test('the attempts of a worker that has ended have failed, also those that arrive later', () => {
  const [one, other] = workers(2).all
  for (let count = 0; count < 5; count += 1) one?.begin()
  one?.ends()
  for (let count = 0; count < 4; count += 1) one?.begin()
  const last = other?.begin() ?? assert.fail()
  assert.equal(last.wait, 0)
  other?.end(last.id, 'failed')
  assert.equal(other?.begin().wait, 30)
})
