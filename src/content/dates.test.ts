import assert from 'node:assert/strict'
import test from 'node:test'
import { parseDate, statusAt, utcFromLocal } from './dates.js'

const dates: [text: string, dateTime: string | null][] = [
  ['2024-05-01 10:00:00', '2024-05-01 10:00:00'],
  ['2024-05-01T10:00:00', '2024-05-01 10:00:00'],
  ['2024-05-01T10:00', '2024-05-01 10:00:00'],
  ['2024-05-01', '2024-05-01 00:00:00'],
  ['2024-5-1 1:2:3', '2024-05-01 01:02:03'],
  ['2024-02-29', '2024-02-29 00:00:00'],
  ['2024-05-01 10:00', '2024-05-01 10:00:00'],
  ['2024-05-01T10:00:00Z', '2024-05-01 10:00:00'],
  ['2024-05-01T10:00:00.000+02:00', '2024-05-01 10:00:00'],
  ['2024-05-01 10:00:00 ', '2024-05-01 10:00:00'],
  [' 2024-05-01 10:00:00', null],
  ['2024-05-01Z', null],
  ['2024-02-30', null],
  ['2024-13-01', null],
  ['2024-05-01 25:00:00', null],
  ['99999-01-01', null],
  ['tomorrow', null],
  ['', null],
]
for (const [text, dateTime] of dates)
  test(`the date '${text}' is ${dateTime === null ? 'refused' : `read as ${dateTime}`}`, () =>
    assert.equal(parseDate(text)?.dateTime ?? null, dateTime))

const zones: [text: string, utcTime: string | null][] = [
  ['2024-05-01T10:00:00', null],
  ['2024-05-01T10:00:00Z', '10:00'],
  ['2024-05-01T10:00:00+02:00', '08:00'],
  ['2024-05-01T10:00:00-0230', '12:30'],
  ['2024-05-01 10:00+02', '08:00'],
]
for (const [text, utcTime] of zones)
  test(`the date '${text}' ${utcTime === null ? 'has no time zone' : `is ${utcTime} in UTC`}`, () => {
    const date = parseDate(text)
    assert.ok(date)
    assert.equal(date.zone && utcFromLocal(date.dateTime, date.zone), utcTime && `2024-05-01 ${utcTime}:00`)
  })

const now = Date.parse('2026-01-15T12:00:00.500Z')
const statuses: [status: string, dateGmt: string, expected: string][] = [
  ['publish', '2026-01-15 12:00:59', 'publish'],
  ['publish', '2026-01-15 12:01:00', 'future'],
  ['future', '2026-01-15 12:00:59', 'publish'],
  ['future', '2026-01-15 12:01:00', 'future'],
  ['private', '2030-01-01 00:00:00', 'private'],
  ['draft', '2030-01-01 00:00:00', 'draft'],
]
for (const [status, dateGmt, expected] of statuses)
  test(`at noon, the status ${status} with the date ${dateGmt} becomes ${expected}`, () =>
    assert.equal(statusAt(status, dateGmt, now), expected))
