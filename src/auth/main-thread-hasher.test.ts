import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HasherBusyError } from './password-hash.js'
import { MainThreadHasher } from './main-thread-hasher.js'

const secret = Buffer.from('correct horse')
const task = { kind: 'create', secret, cost: 4 } as const

test('without threads, hashes are computed one after the other, and other work runs between them', async () => {
  const hasher = new MainThreadHasher(8)
  const events: string[] = []
  const hashes = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const hash = await hasher.run(task)
      if (events.length === 0) setImmediate(() => events.push('other work'))
      events.push('hash')
      return hash
    }),
  )
  assert.equal(new Set(hashes).size, 4)
  assert.ok(events.indexOf('other work') < events.lastIndexOf('hash'), events.join())
  assert.equal(await hasher.run({ kind: 'bcrypt', secret, hash: String(hashes[0]) }), true)
})

test('a network does not keep others waiting', async () => {
  const hasher = new MainThreadHasher(4)
  const order: string[] = []
  const run = (network: string) =>
    hasher.run(task, { network, account: 'user 1', isTrusted: false }).then(
      () => order.push(network),
      (error: unknown) => order.push(error instanceof HasherBusyError ? `${network} refused` : String(error)),
    )
  await Promise.all(['a', 'a', 'a', 'a', 'b'].map(run))
  assert.deepEqual(order, ['a refused', 'a', 'b', 'a', 'a'])
})

test('a task for a full or closed queue fails with HasherBusyError', async () => {
  const hasher = new MainThreadHasher(2)
  const results = await Promise.allSettled(Array.from({ length: 4 }, () => hasher.run(task)))
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'rejected'],
  )
  const waiting = hasher.run(task)
  await hasher.close()
  await assert.rejects(waiting, HasherBusyError)
  await assert.rejects(hasher.run(task), HasherBusyError)
})

test('closing the queue rejects the waiting tasks', async () => {
  const hasher = new MainThreadHasher(8)
  const results = Array.from({ length: 3 }, () => hasher.run({ ...task, cost: 8 }))
  const rest = Promise.allSettled(results.slice(1))
  await results[0]
  await hasher.close()
  assert.deepEqual(
    (await rest).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
})
