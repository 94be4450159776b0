import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HasherBusyError } from './password-hash.js'
import { HashTurns } from './hash-turns.js'

const secret = Buffer.from('correct horse')
const task = { kind: 'create', secret, cost: 4 } as const

test('without threads, hashes are computed one after the other, and timers fire between them', async () => {
  const turns = new HashTurns(8)
  let ticks = 0
  const timer = setInterval(() => (ticks += 1), 0)
  const hashes = await Promise.all(Array.from({ length: 4 }, () => turns.run({ ...task, cost: 10 })))
  clearInterval(timer)
  assert.equal(new Set(hashes).size, 4)
  assert.ok(ticks >= 3, `${ticks} turns of the loop`)
  assert.equal(await turns.run({ kind: 'bcrypt', secret, hash: String(hashes[0]) }), true)
})

test('a task for a full or closed queue fails with HasherBusyError', async () => {
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

test('closing the queue rejects the waiting tasks', async () => {
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
