import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { LargeResponses } from './large-responses.js'

const large = 1_000_000

describe('large responses', () => {
  it('are written in one turn as long as they take little time', () => {
    const responses = new LargeResponses(() => 0)
    let written = 0
    for (let count = 0; count < 20; count += 1) responses.send(large, () => (written += 1))
    assert.equal(written, 20)
  })

  it('are written one after the other in further turns when each takes long, and small ones at once', async () => {
    let now = 0
    const responses = new LargeResponses(() => now)
    const written: string[] = []
    const send = (name: string, length: number, milliseconds: number): void =>
      responses.send(length, () => {
        now += milliseconds
        written.push(name)
      })
    for (const name of ['a', 'b', 'c']) send(name, large, 5)
    send('small', 10, 0)
    assert.deepEqual(written, ['a', 'small'])
    await nextTurn()
    assert.deepEqual(written, ['a', 'small', 'b'])
    send('d', large, 0)
    await nextTurn()
    assert.deepEqual(written, ['a', 'small', 'b', 'c'])
    await nextTurn()
    assert.deepEqual(written, ['a', 'small', 'b', 'c', 'd'])
    await nextTurn()
    send('e', large, 0)
    assert.equal(written.at(-1), 'e')
  })
})
