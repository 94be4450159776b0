import assert from 'node:assert/strict'
import test from 'node:test'
import { storedTimeZone, timeZone, timeZoneName } from './time-zone.js'

const cases: [zone: string, utc: string, local: string][] = [
  ['UTC', '2026-01-15T12:00:00Z', '2026-01-15T12:00:00Z'],
  ['+02:00', '2026-01-15T12:00:00Z', '2026-01-15T14:00:00Z'],
  ['-03:30', '2026-01-15T12:00:00Z', '2026-01-15T08:30:00Z'],
  ['Europe/Berlin', '2026-01-15T12:00:00Z', '2026-01-15T13:00:00Z'],
  ['Europe/Berlin', '2026-07-15T12:00:00Z', '2026-07-15T14:00:00Z'],
  ['Asia/Kolkata', '2026-07-15T12:00:00Z', '2026-07-15T17:30:00Z'],
  ['America/New_York', '2026-01-01T02:00:00Z', '2025-12-31T21:00:00Z'],
]
for (const [zone, utc, local] of cases)
  test(`${utc} is ${local.slice(0, -1)} in ${zone}, and back`, () => {
    assert.equal(timeZone(zone).toLocal(Date.parse(utc)), Date.parse(local))
    assert.equal(timeZone(zone).toUtc(Date.parse(local)), Date.parse(utc))
  })

test('a local time that occurs twice is the earlier one, and a skipped local time moves forward', () => {
  const berlin = timeZone('Europe/Berlin')
  assert.equal(berlin.toUtc(Date.parse('2026-10-25T02:30:00Z')), Date.parse('2026-10-25T00:30:00Z'))
  assert.equal(berlin.toUtc(Date.parse('2026-03-29T02:30:00Z')), Date.parse('2026-03-29T01:30:00Z'))
})

test('the name of a time zone is the offset in hours when the site has no name', () => {
  assert.equal(timeZoneName('', '0'), 'UTC')
  assert.equal(timeZoneName('', '5.5'), '+05:30')
  assert.equal(timeZoneName('', '-3'), '-03:00')
  assert.equal(timeZoneName('Europe/Berlin', '0'), 'Europe/Berlin')
})

test('a time zone that does not exist is refused', () => {
  for (const zone of ['Mars/Olympus', '+99:99', '+15:00', '-01:60']) assert.throws(() => timeZone(zone), RangeError)
  assert.equal(timeZone('+14:00').toLocal(0), 14 * 3_600_000)
})

const storedZones: [zone: string, offset: string, hours: number][] = [
  ['Asia/Kolkata', '3', 5.5],
  ['Mars/Olympus', '3', 3],
  ['Mars/Olympus', '0', 0],
  ['', '99999', 0],
  ['', 'Infinity', 0],
]
for (const [zone, offset, hours] of storedZones)
  test(`a site with the time zone '${zone}' and the offset ${offset} is ${hours} hours ahead of UTC`, () =>
    assert.equal(storedTimeZone(zone, offset).toLocal(0), hours * 3_600_000))
