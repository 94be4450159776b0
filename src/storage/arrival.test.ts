import assert from 'node:assert/strict'
import { test } from 'node:test'
import { begin, sharedStamp } from './arrival.js'

function counted() {
  let asked = 0
  return sharedStamp(() => (asked += 1))
}

test('the database is asked once for requests that arrived together, and each time for whatever else', () => {
  const stamp = counted()
  const [early, late] = [Symbol('early'), Symbol('late')]
  assert.deepEqual([begin(early, stamp), begin(early, stamp), begin(late, stamp), begin(late, stamp)], [1, 1, 2, 2])
  assert.deepEqual([stamp(), stamp(), begin(undefined, stamp)], [3, 4, 5])
})

test('a request that has waited for something asks anew: that may have been a write', async () => {
  const stamp = counted()
  const arrival = Symbol('arrival')
  const afterWaiting = begin(arrival, async () => {
    const first = stamp()
    await Promise.resolve()
    return [first, stamp()]
  })
  assert.deepEqual(await afterWaiting, [1, 2])
})

test('so does one whose handler has stopped the process for somebody else, and nobody has to wait for that', (context) => {
  let now = 5
  context.mock.method(performance, 'now', () => now)
  const stamp = counted()
  const arrival = Symbol('arrival')
  const askAt = (moment: number) => {
    now = moment
    return stamp()
  }
  const begunAt = (moment: number, work: () => unknown) => {
    now = moment
    return begin(arrival, work)
  }
  assert.deepEqual(
    begunAt(5, () => [5, 5.9, 6, 6.5].map(askAt)),
    [1, 1, 2, 3],
  )
  // Sent before that write, with the first one.
  assert.deepEqual(
    begunAt(7, () => [7, 7.5].map(askAt)),
    [1, 1],
  )
})

test('a failure ends what a request began, and a request inside another one goes back to it', () => {
  const stamp = counted()
  const [outer, inner] = [Symbol('outer'), Symbol('inner')]
  assert.throws(() =>
    begin(outer, () => {
      throw new Error('broken')
    }),
  )
  assert.deepEqual([stamp(), stamp()], [1, 2])
  assert.deepEqual(
    begin(outer, () => [stamp(), begin(inner, stamp), stamp(), stamp()]),
    [3, 4, 5, 5],
  )
})
