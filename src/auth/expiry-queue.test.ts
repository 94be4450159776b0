import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { ExpiryQueue, type Expiring } from './expiry-queue.js'

test('the first entry expires first, after any additions, changes and removals', () => {
  const steps = fc.array(fc.record({ index: fc.nat(9), expiresAt: fc.option(fc.nat(20)) }), { maxLength: 80 })
  fc.assert(
    fc.property(steps, (list) => {
      const queue = new ExpiryQueue<Expiring>()
      const entries = Array.from({ length: 10 }, (): Expiring => ({ expiresAt: 0, position: -1 }))
      const queued = new Set<Expiring>()
      for (const { index, expiresAt } of list) {
        const entry = entries[index]
        assert.ok(entry)
        if (expiresAt === null) {
          queue.remove(entry)
          queued.delete(entry)
        } else {
          entry.expiresAt = expiresAt
          queue.put(entry)
          queued.add(entry)
        }
        assert.equal(queue.size, queued.size)
        assert.equal(queue.first()?.expiresAt ?? Infinity, Math.min(...[...queued].map((one) => one.expiresAt)))
      }
    }),
  )
})
