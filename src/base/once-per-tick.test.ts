import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oncePerTick } from './once-per-tick.js'

test('callers of one tick share one read, which runs after the last of them', async () => {
  let written = 0
  let reads = 0
  const read = oncePerTick(async () => {
    reads += 1
    return written
  })
  const first = read()
  written = 1
  const values = await Promise.all([first, read(), Promise.resolve().then(read)])
  assert.deepEqual([values, reads], [[1, 1, 1], 1])
})

test('a caller does not join a read that was sent before', async () => {
  let written = 0
  let send = (): void => undefined
  const read = oncePerTick(() => {
    const value = written
    return new Promise<number>((resolve) => (send = () => resolve(value)))
  })
  const early = read()
  await new Promise((resolve) => setImmediate(resolve))
  written = 1
  const late = read()
  send()
  await new Promise((resolve) => setImmediate(resolve))
  send()
  assert.deepEqual(await Promise.all([early, late]), [0, 1])
})

test('a read that fails fails for its callers only', async () => {
  let reads = 0
  const read = oncePerTick(async () => {
    reads += 1
    if (reads === 1) throw new Error('locked')
    return reads
  })
  await Promise.all([assert.rejects(read(), /locked/), assert.rejects(read(), /locked/)])
  assert.equal(await read(), 2)
})
