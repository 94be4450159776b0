import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HasherBusyError } from './password-hash.js'
import { HashTurns } from './hash-turns.js'

const secret = Buffer.from('correct horse')
const task = { kind: 'make', secret, cost: 4 } as const

test('without threads, hashes are made one after the other and requests pass in between', async () => {
  const turns = new HashTurns(8)
  let passed = 0
  const requests = setInterval(() => (passed += 1), 0)
  const hashes = await Promise.all(Array.from({ length: 4 }, () => turns.run({ ...task, cost: 10 })))
  clearInterval(requests)
  assert.equal(new Set(hashes).size, 4)
  assert.ok(passed >= 3, `${passed} turns of the loop`)
  assert.equal(await turns.run({ kind: 'bcrypt', secret, hash: String(hashes[0]) }), true)
})

test('beyond a bounded queue, and after closing, the caller is told to come back', async () => {
  const turns = new HashTurns(2)
  const results = await Promise.allSettled(Array.from({ length: 4 }, () => turns.run(task)))
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'rejected'],
  )
  const waiting = turns.run(task)
  await turns.close()
  await assert.rejects(waiting, HasherBusyError)
  await assert.rejects(turns.run(task), HasherBusyError)
})

test('a hash begins when the one before it is done, so closing spares those that wait', async () => {
  const turns = new HashTurns(8)
  const results = Array.from({ length: 3 }, () => turns.run({ ...task, cost: 8 }))
  const rest = Promise.allSettled(results.slice(1))
  await results[0]
  await turns.close()
  assert.deepEqual(
    (await rest).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
})
