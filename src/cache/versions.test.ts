import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oncePerTick } from '../base/once-per-tick.js'
import { CurrentVersions } from './versions.js'

/** A database whose token and versions are read as they are when the read is sent, and arrive a tick later. */
function database() {
  let writes = 0
  let isGone = false
  const reads = { token: 0, versions: 0 }
  const later = () => new Promise((resolve) => setImmediate(resolve))
  const versions = new CurrentVersions({
    changeToken: oncePerTick(async () => {
      reads.token += 1
      const token = writes
      await later()
      if (isGone) throw new Error('the database is gone')
      return token
    }),
    async versions() {
      reads.versions += 1
      const byTag = new Map([['product', writes]])
      await later()
      return byTag
    },
  })
  const read = async (): Promise<number | bigint | undefined> => (await versions.now()).byTag.get('product')
  return { reads, read, write: () => (writes += 1), gone: (value: boolean) => (isGone = value), later }
}

test('readers of one tick share the token and the versions, and see a write between them', async () => {
  const { reads, read, write } = database()
  const first = read()
  write()
  const second = read()
  assert.deepEqual(await Promise.all([first, second]), [1, 1])
  assert.deepEqual(reads, { token: 1, versions: 1 })
  assert.equal(await read(), 1)
  assert.deepEqual(reads, { token: 2, versions: 1 })
})

test('a reader that comes after the token was read sees the writes before it', async () => {
  const { read, write, later } = database()
  const early = read()
  for (const ticks of [1, 2, 3, 4]) {
    for (let tick = 0; tick < ticks; tick += 1) await later()
    const writes = write()
    assert.ok(Number(await read()) >= writes)
  }
  await early
})

test('a failed read rejects for all readers of its tick, and not for later ones', async () => {
  const { read, write, gone } = database()
  gone(true)
  const outcomes = await Promise.allSettled([read(), read()])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  gone(false)
  assert.equal(await read(), 0)
  write()
  assert.equal(await read(), 1)
})
