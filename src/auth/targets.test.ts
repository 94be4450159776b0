import assert from 'node:assert/strict'
import test from 'node:test'
import * as fc from 'fast-check'
import { idOf } from './targets.js'

const table: [target: unknown, id: number][] = [
  [5, 5],
  ['5', 5],
  [' 5\n', 5],
  ['+5', 5],
  ['5.9', 5],
  [5.9, 5],
  ['1e1', 10],
  [{ ID: 5 }, 5],
  [{ id: '5' }, 5],
  [0, 0],
  [-5, 0],
  ['-5', 0],
  ['5abc', 0],
  ['0x10', 0],
  ['1e400', 0],
  [NaN, 0],
  [Infinity, 0],
  [2 ** 53, 0],
  ['', 0],
  [' ', 0],
  ['.', 0],
  [true, 0],
  [null, 0],
  [undefined, 0],
  [[5], 0],
  [{}, 0],
  [{ id: [5] }, 0],
  [`${' '.repeat(1_000_000)}5`, 0],
]
for (const [target, id] of table)
  test(`the target ${String(JSON.stringify(target)).slice(0, 40)} has ${id === 0 ? 'no id' : `the id ${id}`}`, () => {
    assert.equal(idOf(target), id)
  })

test('the id of any target is 0 or a positive safe integer', () => {
  fc.assert(
    fc.property(fc.anything(), (target) => {
      const id = idOf(target)
      return Number.isSafeInteger(id) && id >= 0
    }),
  )
})
