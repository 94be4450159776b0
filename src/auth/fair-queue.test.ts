import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { FairQueue, type Requester } from './fair-queue.js'

interface Job {
  readonly name: string
}

/** A queue of named jobs. `add` takes the name of a job, its network, account and kind of requester. */
function queueOf(maxWaiting: number) {
  const queue = new FairQueue<Job>(maxWaiting)
  const add = (name: string, network: string, account = 'user 1', isTrusted = false) =>
    queue.add({ name }, { network, account, isTrusted })?.name ?? null
  const rest = () => queue.clear().map(({ name }) => name)
  return { queue, add, rest }
}

test('networks take turns', () => {
  const { add, rest } = queueOf(8)
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) add(name, name.charAt(0))
  assert.deepEqual(rest(), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('the accounts of a network take turns', () => {
  const { add, rest } = queueOf(8)
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) add(name, 'office', name.charAt(0))
  add('home', 'home')
  assert.deepEqual(rest(), ['a1', 'home', 'b1', 'a2', 'b2', 'a3'])
})

test('a network that has been served stands behind networks that wait', () => {
  const { queue, add, rest } = queueOf(8)
  add('a1', 'a')
  add('b1', 'b')
  assert.equal(queue.next()?.name, 'a1')
  add('a2', 'a')
  assert.deepEqual(rest(), ['b1', 'a2'])
})

test('in a full queue, the network with the most jobs loses its newest one to a network with fewer', () => {
  const { add, rest } = queueOf(4)
  for (const name of ['a1', 'a2', 'a3', 'a4']) assert.equal(add(name, 'a'), null)
  assert.equal(add('a5', 'a'), 'a5')
  assert.equal(add('b1', 'b'), 'a4')
  assert.equal(add('b2', 'b'), 'a3')
  assert.equal(add('b3', 'b'), 'b3')
  assert.equal(add('c1', 'c'), 'b2')
  assert.deepEqual(rest(), ['a1', 'b1', 'c1', 'a2'])
})

test('a full queue of many networks refuses newcomers, which do not displace each other', () => {
  const { add, rest } = queueOf(3)
  for (const network of ['a', 'b', 'c']) add(network, network)
  assert.equal(add('d', 'd'), 'd')
  assert.equal(add('e', 'e'), 'e')
  assert.deepEqual(rest(), ['a', 'b', 'c'])
})

test('in a full queue of one network, the account with the most jobs loses its newest one to another account', () => {
  const { add, rest } = queueOf(4)
  for (const name of ['a1', 'a2', 'a3', 'b1']) add(name, 'office', name.charAt(0))
  assert.equal(add('c1', 'office', 'c'), 'a3')
  assert.equal(add('a4', 'office', 'a'), 'a4')
  assert.deepEqual(rest(), ['a1', 'b1', 'c1', 'a2'])
})

test('the IPv6 networks of one /48 share the turns and the places of one network', () => {
  const { add, rest } = queueOf(4)
  for (const name of ['1', '2', '3', '4']) add(name, `2001:db8:1:${name}::/64`)
  assert.equal(add('a1', '192.0.2.1'), '4')
  assert.equal(add('b1', '2001:db8:2:1::/64'), '3')
  assert.deepEqual(rest(), ['1', 'a1', 'b1', '2'])
})

test('untrusted requesters do not displace jobs of trusted ones, and the two kinds take turns', () => {
  const { add, rest } = queueOf(3)
  for (const name of ['s1', 's2', 's3']) add(name, 'strangers')
  for (const name of ['t1', 't2', 't3']) assert.equal(add(name, 'home', 'user 1', true), null)
  assert.equal(add('x1', 'x'), 's3')
  assert.equal(add('t4', 'home', 'user 1', true), 't4')
  assert.deepEqual(rest(), ['t1', 's1', 't2', 'x1', 't3', 's2'])
})

test('a flood of one network changes nothing for networks that take at most their share of the places', () => {
  const arrivals = fc.array(fc.record({ network: fc.constantFrom('b', 'c', 'd'), flood: fc.nat(20) }), {
    maxLength: 20,
  })
  fc.assert(
    fc.property(arrivals, (list) => {
      const [quiet, flooded] = [queueOf(16), queueOf(16)]
      const waiting = new Map<string, number>()
      list.forEach(({ network, flood }, index) => {
        for (let count = 0; count < flood; count += 1)
          assert.ok([null, 'flood'].includes(flooded.add('flood', 'a', `unknown ${count}`)))
        const length = (waiting.get(network) ?? 0) + 1
        if (length > 16 / 4) return
        waiting.set(network, length)
        quiet.add(`${network}${index}`, network)
        assert.ok([null, 'flood'].includes(flooded.add(`${network}${index}`, network)))
      })
      assert.deepEqual(
        flooded.rest().filter((name) => name !== 'flood'),
        quiet.rest(),
      )
    }),
  )
})

/** Each step adds a job, or takes one. */
const steps = fc.array(
  fc.option(
    fc.record<Requester>({
      network: fc.constantFrom('a', 'b', 'c'),
      account: fc.constantFrom('user 1', 'user 2'),
      isTrusted: fc.boolean(),
    }),
  ),
  { maxLength: 60 },
)

test('a job is served once or refused once, and at most the places of each kind are taken', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 0, max: 6 }), (list, maxWaiting) => {
      const { queue, rest } = queueOf(maxWaiting)
      const left: string[] = []
      let added = 0
      for (const requester of list) {
        const job = requester === null ? queue.next() : queue.add({ name: String((added += 1)) }, requester)
        if (job !== null) left.push(job.name)
        assert.ok(queue.size <= 2 * maxWaiting)
      }
      left.push(...rest())
      assert.equal(queue.size, 0)
      assert.deepEqual(
        left.map(Number).sort((one, other) => one - other),
        Array.from({ length: added }, (_, index) => index + 1),
      )
    }),
  )
})
