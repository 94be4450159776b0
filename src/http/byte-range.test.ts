import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byteRange } from './byte-range.js'

const ranges: readonly [header: string, size: number, range: ReturnType<typeof byteRange>][] = [
  ['bytes=0-4', 10, { start: 0, end: 4 }],
  ['bytes=5-', 10, { start: 5, end: 9 }],
  ['bytes=-3', 10, { start: 7, end: 9 }],
  ['bytes=-30', 10, { start: 0, end: 9 }],
  ['bytes=9-100', 10, { start: 9, end: 9 }],
  ['BYTES= 1-2 ', 10, { start: 1, end: 2 }],
  ['bytes=10-', 10, 'unsatisfiable'],
  ['bytes=0-', 0, 'unsatisfiable'],
  ['bytes=-0', 10, 'unsatisfiable'],
  ['bytes=-5', 0, 'unsatisfiable'],
  ['bytes=4-3', 10, null],
  ['bytes=-', 10, null],
  ['bytes=0-1,3-4', 10, null],
  ['bytes=a-b', 10, null],
  ['bytes=0x1-2', 10, null],
  ['bytes=9999999999999999-', 10, null],
  ['items=0-4', 10, null],
  ['', 10, null],
]
for (const [header, size, range] of ranges)
  test(`'${header}' of ${size} bytes is ${JSON.stringify(range)}`, () =>
    assert.deepEqual(byteRange(header, size), range))
