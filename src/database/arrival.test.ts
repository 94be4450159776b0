import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apart, begin, groupedStamp, sharedStamp } from './arrival.js'

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

test('code of the application asks by itself: it may have written by a connection of its own', () => {
  const stamp = counted()
  const arrival = Symbol('arrival')
  assert.deepEqual(
    begin(arrival, () => [stamp(), apart(() => stamp()), apart(() => begin(arrival, stamp)), stamp()]),
    [1, 2, 1, 1],
  )
  assert.equal(apart(stamp), 3)
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

test('what many want at once is asked once, when the last of them has wanted it', async () => {
  let written = 0
  let asked = 0
  const stamp = groupedStamp(() => {
    asked += 1
    return written
  })
  const first = stamp()
  written = 1
  assert.deepEqual(await Promise.all([first, stamp(), Promise.resolve().then(stamp)]), [1, 1, 1])
  assert.equal(asked, 1)
  written = 2
  assert.equal(await stamp(), 2)
})

test('a failure to ask is told to all who wanted to know, and to nobody after them', async () => {
  let isBroken = true
  const stamp = groupedStamp(() => {
    if (isBroken) throw new Error('broken')
    return 5
  })
  const wanted = [stamp(), stamp()]
  for (const each of wanted) await assert.rejects(each, /broken/)
  isBroken = false
  assert.equal(await stamp(), 5)
})
