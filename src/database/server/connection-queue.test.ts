import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { ConnectionQueue } from './connection-queue.js'

/** A queue whose time passes only here. */
function withTime() {
  let now = 0
  const clock = mock.method(performance, 'now', () => now)
  mock.timers.enable({ apis: ['setInterval'] })
  const end = (): void => {
    clock.mock.restore()
    mock.timers.reset()
  }
  const pass = (milliseconds: number): void => {
    now += milliseconds
    mock.timers.tick(milliseconds)
  }
  return { queue: new ConnectionQueue<string>(), pass, end }
}

test('work gets connections in its order', async () => {
  const queue = new ConnectionQueue<string>()
  const waiting = [queue.wait(), queue.wait()]
  queue.next()?.resolve('a')
  queue.next()?.resolve('b')
  assert.deepEqual(await Promise.all(waiting), ['a', 'b'])
  assert.equal(queue.next(), null)
})

test('work waits longer than five seconds while connections come back, and fails when none does', async () => {
  const { queue, pass, end } = withTime()
  try {
    const waiting = Array.from({ length: 5 }, () => queue.wait())
    for (let count = 0; count < 4; count += 1) {
      pass(4000)
      queue.next()?.resolve('one')
    }
    pass(5200)
    const outcomes = await Promise.allSettled(waiting)
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected'],
    )
    await assert.rejects(waiting[4] ?? Promise.resolve(), { fault: 'busy' })
  } finally {
    end()
  }
})

test('no work waits longer than thirty seconds', async () => {
  const { queue, pass, end } = withTime()
  try {
    const waiting = Array.from({ length: 20 }, () => queue.wait())
    for (let count = 0; count < 8; count += 1) {
      pass(4000)
      queue.next()?.resolve('one')
    }
    const outcomes = await Promise.allSettled(waiting)
    // Seven were served in the first 28 seconds.
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 7)
  } finally {
    end()
  }
})

test('the queue is bounded', async () => {
  const queue = new ConnectionQueue<string>()
  const waiting = Array.from({ length: 2000 }, () => queue.wait())
  await assert.rejects(async () => queue.wait(), { fault: 'busy' })
  queue.failAll(new Error('closed'))
  assert.ok((await Promise.allSettled(waiting)).every(({ status }) => status === 'rejected'))
})
