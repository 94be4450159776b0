import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RefusalCache } from './refusal-cache.js'
import { ProcessRequestCounters } from './process-request-counters.js'
import { requestCounter } from './request-counters.js'

const rule = { milliseconds: 1000, capacity: 3000 }

test('the memory of counters is bounded, and those that would be empty first give way', async () => {
  const counters = new ProcessRequestCounters(() => 0, 100)
  const full = requestCounter('route', 'attacker', rule)
  for (let count = 0; count < 3; count += 1) await counters.count(full)
  for (let number = 0; number < 1000; number += 1) await counters.count(requestCounter('route', `user ${number}`, rule))
  assert.equal(counters.size, 100)
  assert.deepEqual(await counters.count(full), { isAllowed: false, left: 3000 })
})

test('empty counters are forgotten', async () => {
  let now = 0
  const counters = new ProcessRequestCounters(() => now)
  for (let number = 0; number < 50; number += 1) await counters.count(requestCounter('route', `user ${number}`, rule))
  assert.equal(counters.size, 50)
  now = 1000
  await counters.count(requestCounter('route', 'another', rule))
  assert.equal(counters.size, 1)
})

test('shared counters that are full are not asked again before they have room', async () => {
  let now = 0
  let calls = 0
  const shared = new ProcessRequestCounters(() => now)
  const counters = new RefusalCache(
    {
      count: async (counter) => {
        calls += 1
        return shared.count(counter)
      },
    },
    () => now,
  )
  const counter = requestCounter('route', 'user 1', rule)
  const allowed = async (): Promise<boolean> => (await counters.count(counter)).isAllowed
  const first = [await allowed(), await allowed(), await allowed(), await allowed(), await allowed(), await allowed()]
  assert.deepEqual(first, [true, true, true, false, false, false])
  assert.equal(calls, 4)
  now = 999
  assert.equal(await allowed(), false)
  now = 1000
  assert.equal(await allowed(), true)
  assert.equal(calls, 5)
})
