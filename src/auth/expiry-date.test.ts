import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parseExpiry } from './expiry-date.js'

const { TZ } = process.env
process.env['TZ'] = 'America/New_York'
after(() => {
  if (TZ === undefined) delete process.env['TZ']
  else process.env['TZ'] = TZ
})

for (const [text, end] of [
  ['2030-01-01', '2030-01-01T00:00:00.000Z'],
  ['2030-01-01T10:00', '2030-01-01T10:00:00.000Z'],
  ['2030-01-01 10:00:30', '2030-01-01T10:00:30.000Z'],
  ['2030-01-01T10:00:00.5Z', '2030-01-01T10:00:00.500Z'],
  ['2030-01-01T10:00:00+02:00', '2030-01-01T08:00:00.000Z'],
  ['January 1, 2030', null],
  ['1/1/2030', null],
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ['2030-12-31T23:30:00-02:00', '2031-01-01T01:30:00.000Z'],
  ['2030-13-01', null],
  ['2030-02-29', null],
  ['2030-02-30', null],
  ['2030-04-31T10:00', null],
  ['2030-02-30T10:00:00+02:00', null],
  ['', null],
  [5, null],
] as const)
  test(`the expiry date '${text}' is ${end === null ? 'refused' : `read as ${end}, whatever the time zone of the machine`}`, () => {
    const date = parseExpiry(text)
    assert.equal(Number.isNaN(date.getTime()) ? null : date.toISOString(), end)
  })
