import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { LargeResponses } from './large-responses.js'

const megabyte = 1024 * 1024

it('large responses are written in their order, four megabytes in each turn, and small ones at once', async () => {
  const responses = new LargeResponses()
  const written: string[] = []
  const send = (name: string, length: number): void => responses.send(length, () => written.push(name))
  const newInTurn = async (): Promise<readonly string[]> => {
    await nextTurn()
    return written.splice(0)
  }
  for (let count = 0; count < 32; count += 1) send(`${count}`, megabyte / 8)
  send('of one megabyte', megabyte)
  send('of five megabytes', 5 * megabyte)
  send('small', 10)
  assert.equal(written.pop(), 'small')
  assert.deepEqual(
    written.splice(0),
    Array.from({ length: 32 }, (_, index) => `${index}`),
  )
  assert.deepEqual(await newInTurn(), ['of one megabyte'])
  send('last', megabyte)
  assert.deepEqual(written, [])
  assert.deepEqual(await newInTurn(), ['of five megabytes'])
  assert.deepEqual(await newInTurn(), ['last'])
  await nextTurn()
  send('of a later turn', megabyte)
  assert.deepEqual(written, ['of a later turn'])
})
