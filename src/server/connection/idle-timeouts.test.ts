import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { IdleTimeouts, type TimedConnection } from './idle-timeouts.js'

class Waiter implements TimedConnection {
  deadline = Number.POSITIVE_INFINITY
  expirations = 0

  expired(): void {
    this.expirations += 1
    this.deadline = Number.POSITIVE_INFINITY
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2000 && !condition(); turn += 1) await sleep(1)
  assert.ok(condition())
}

test('a connection expires once, after its deadline', async () => {
  const deadlines = new IdleTimeouts(40)
  const [waiter, other] = [new Waiter(), new Waiter()]
  for (const each of [waiter, other]) deadlines.watch(each)
  const begin = performance.now()
  waiter.deadline = deadlines.in(40)
  await until(() => waiter.expirations > 0)
  assert.ok(performance.now() - begin >= 39, 'not before its time')
  await sleep(50)
  assert.deepEqual([waiter.expirations, other.expirations], [1, 0])
  deadlines.forget(waiter)
  deadlines.forget(other)
})

test('a connection with a later deadline, or one that is not watched any more, does not expire', async () => {
  const deadlines = new IdleTimeouts(20)
  const [moved, gone, last] = [new Waiter(), new Waiter(), new Waiter()]
  for (const each of [moved, gone, last]) {
    deadlines.watch(each)
    each.deadline = deadlines.in(20)
  }
  moved.deadline = Number.POSITIVE_INFINITY
  deadlines.forget(gone)
  await until(() => last.expirations > 0)
  assert.deepEqual([moved.expirations, gone.expirations], [0, 0])
  for (const each of [moved, last]) deadlines.forget(each)
})

test('a deadline counts from the present after a time without connections', async () => {
  const deadlines = new IdleTimeouts(20)
  const first = new Waiter()
  deadlines.watch(first)
  deadlines.forget(first)
  await sleep(60)
  const second = new Waiter()
  const begin = performance.now()
  deadlines.watch(second)
  second.deadline = deadlines.in(20)
  await until(() => second.expirations > 0)
  assert.ok(performance.now() - begin >= 19, 'not before its time')
  deadlines.forget(second)
})

test('the time in which the process is blocked does not count', async () => {
  const deadlines = new IdleTimeouts(40)
  const [earlier, later] = [new Waiter(), new Waiter()]
  for (const each of [earlier, later]) deadlines.watch(each)
  earlier.deadline = deadlines.in(40)
  blockFor(200)
  const begin = performance.now()
  later.deadline = deadlines.in(40)
  await sleep(15)
  assert.deepEqual([earlier.expirations, later.expirations], [0, 0])
  await until(() => later.expirations > 0 && earlier.expirations > 0)
  assert.ok(performance.now() - begin >= 39, 'not before its time')
  for (const each of [earlier, later]) deadlines.forget(each)
})

function blockFor(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
