import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BackgroundWork, TooMuchWorkError } from './background-work.js'

test('work beyond the maximum does not start, and room is made when a work ends', async () => {
  const failures: unknown[] = []
  const background = new BackgroundWork(2, (error) => failures.push(error))
  const finish: (() => void)[] = []
  const work = (): Promise<void> => new Promise((resolve) => finish.push(resolve))
  assert.deepEqual([background.start(work), background.start(work), background.start(work)], [true, true, false])
  assert.ok(failures[0] instanceof TooMuchWorkError)
  const idle = background.idle()
  while (finish.length < 2) await new Promise(setImmediate)
  for (const resolve of finish) resolve()
  await idle
  assert.equal(
    background.start(async () => {}),
    true,
  )
  await background.idle()
  assert.equal(failures.length, 1)
})

test('work does not begin before the caller has gone on, and its failure is reported', async () => {
  const failures: unknown[] = []
  const events: string[] = []
  const background = new BackgroundWork(1, (error) => failures.push(error))
  background.start(async () => {
    events.push('work')
    throw new Error('no server')
  })
  await Promise.resolve().then(() => events.push('response'))
  await background.idle()
  assert.deepEqual(events, ['response', 'work'])
  assert.match(String(failures), /no server/)
})
