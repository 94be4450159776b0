import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { boot, endpoint, type MetaClause, type RecordStore, type Service } from '../../src/index.js'
import { freshDatabase } from '../support/servers/fresh-database.js'
import { skipWithoutServer } from '../support/servers/missing-server.js'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import { storeKinds } from '../support/store-kinds.js'

const route = endpoint({ namespace: 'lamps/v1', route: '/nothing', permission: 'public' }, () => null)

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Texts that MariaDB and every store read alike: a date, a time, both, and texts that are neither. */
const texts = [
  '2026-01-05',
  '2026-1-5',
  '20260105',
  '2026/01/05',
  '2026.1.5',
  ' 2026-01-05 ',
  '2026-01-05 10:00:00',
  '2026-01-05T10:00:00',
  '2026-01-05T10:00:00Z',
  '2026-01-05T10:00:00+02:00',
  '2026-01-05T10:00:00-0300',
  '2026-01-05 10:00:00.999',
  '2026-1-5 1:2:3',
  '2026-01-05 10:00',
  '20260105103000',
  '2026-01-05 23:59:59',
  '2026-01-05 24:00:00',
  '2026-01-05 10:60:00',
  '2026-02-30',
  '2026-02-29',
  '2024-02-29',
  '1900-02-29',
  '2000-2-29',
  '2026-13-01',
  '2026-04-31',
  '0000-00-00',
  '0000-02-29',
  '2026-00-31',
  '2026-01-00',
  '20260230',
  '20261301',
  '20260105106000',
  '20260105246000',
  '2026',
  '2026-01',
  '202601',
  '',
  'abc',
  'tomorrow',
  '1767607200',
  '-2026-01-05',
  '1767607200000',
  'a:1:{i:0;s:1:"a";}',
  '2026-01-05 10:00:60',
  '9999-12-31 23:59:59',
  '0001-01-01',
  '2026-01-04',
]
const times = ['10:30:00', '10:30', '9:05', '1:2:3', '10:60', '10:00:60', '23:59:59.5', '99:00:00', '24:00', ' 10:30 ']

const digits = (longest: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${longest}}$`))
const near = (from: number, to: number) =>
  fc.tuple(fc.integer({ min: from, max: to }), fc.boolean()).map(([n, pads]) => String(n).padStart(pads ? 2 : 1, '0'))
const dateText = fc
  .tuple(
    fc.constantFrom('1999', '2024', '2026', '2100', '0000'),
    near(0, 13),
    near(0, 32),
    fc.constantFrom('-', '/', '.'),
  )
  .map(([year, month, day, sign]) => [year, month, day].join(sign))
const timeText = fc
  .tuple(near(0, 25), near(0, 61), fc.option(near(0, 61), { nil: null }), fc.constantFrom('', 'Z', '+01:00', '-0930'))
  .map(([hour, minute, second, zone]) => `${hour}:${minute}${second === null ? '' : `:${second}${zone}`}`)
const dateAndTime = fc
  .tuple(dateText, fc.constantFrom(' ', 'T'), timeText)
  .map(([date, space, time]) => `${date}${space}${time}`)
const compact = fc
  .tuple(fc.constantFrom('2026', '2024'), near(0, 13), near(0, 32), near(0, 25), near(0, 61), near(0, 61), fc.boolean())
  .map(([year, ...rest]) => {
    const isShort = rest.pop()
    return (
      year +
      rest
        .slice(0, isShort === true ? 2 : 5)
        .map((part) => String(part).padStart(2, '0'))
        .join('')
    )
  })

type Kind = 'DATE' | 'DATETIME' | 'TIME'
type Clause = Pick<MetaClause, 'compare' | 'value'>

const clauses: Readonly<Record<Kind, readonly Clause[]>> = {
  DATE: [
    { compare: '=', value: '2026-01-05' },
    { compare: '!=', value: '20260105' },
    { compare: '<', value: '2026-1-5' },
    { compare: '>=', value: '2026-01-05 10:00:00' },
    { compare: '<', value: '2026-01-05 10:00:00' },
    { compare: 'BETWEEN', value: ['2024-01-01', '2026-01-31'] },
    { compare: 'NOT BETWEEN', value: ['2024-01-01', '2026-01-31'] },
    { compare: 'IN', value: ['2026-01-05', '2024-02-29'] },
    { compare: 'NOT IN', value: ['2026-01-05', '2024-02-29'] },
  ],
  DATETIME: [
    { compare: '=', value: '2026-01-05 10:00:00' },
    { compare: '>', value: '2026-01-05' },
    { compare: '<=', value: '2026-01-05 10:00' },
    { compare: 'BETWEEN', value: ['2026-01-05 01:02:03', '20260105103000'] },
    { compare: 'IN', value: ['2026-01-05 10:30:00', '2026-01-05 00:00:00'] },
  ],
  TIME: [
    { compare: '=', value: '10:30' },
    { compare: '>', value: '9:05' },
    { compare: '<=', value: '10:00:00' },
    { compare: 'BETWEEN', value: ['1:00', '20:00'] },
  ],
}

const quoted = (value: unknown): string => `'${String(value).replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

function conditionOf({ compare = '=', value }: Clause): string {
  const values = [value].flat().map(quoted)
  if (compare.endsWith('IN')) return `${compare} (${values.join(', ')})`
  return `${compare} ${values.join(' AND ')}`
}

/** The seed is fixed: each run has the same texts. */
const random = fc.sample(fc.oneof(dateText, timeText, dateAndTime, compact, digits(3)), { numRuns: 120, seed: 23 })
const values: Readonly<Record<Kind, readonly string[]>> = {
  DATE: [...new Set([...texts, ...random])].filter((text) => !isBareTime(text)),
  DATETIME: [...new Set([...texts, ...random])].filter((text) => !isBareTime(text)),
  // MySQL reads the numbers of a date as a time; no store does.
  TIME: [...new Set([...times, ...texts, ...random])].filter((text) => text.includes(':') || /^[^0-9-]*$/.test(text)),
}
/** MySQL reads `1:2:3` as a date, which no store does. */
function isBareTime(text: string): boolean {
  return text.includes(':') && !/[0-9]{4}[-/.]/.test(text)
}

const skip = skipWithoutServer('mariadb')

for (const store of storeKinds)
  describe(`metadata as dates on ${store.name}`, { skip: store.skip || skip }, () => {
    let service: Service
    let records: RecordStore
    let drop: () => Promise<void> | void = () => undefined
    let reference: Awaited<ReturnType<typeof freshDatabase>> = null

    before(async () => {
      const database = await store.create()
      drop = database.drop
      service = await boot([route], {
        database: database.url,
        secrets: {},
        record_types: { bare: {}, date: {}, datetime: {}, time: {} },
        log,
      })
      records = service.records
      reference = await freshDatabase('mariadb')
      for (const [kind, list] of Object.entries(values))
        for (let first = 0; first < list.length; first += 50)
          await records.transaction(async () => {
            for (const text of list.slice(first, first + 50))
              await records.insert({ type: kind.toLowerCase(), status: 'publish', title: text, meta: { at: text } })
          })
    })
    after(async () => {
      await service.close()
      await drop()
      await reference?.drop()
    })

    for (const [type, list] of Object.entries(clauses) as [Kind, readonly Clause[]][])
      for (const clause of list)
        it(`${type} ${conditionOf(clause)} finds what MariaDB's CAST finds`, async () => {
          const texts = values[type]
          // MariaDB compares a value that the cast reads as NULL as a date of zeros.
          const rows = texts.map((text) => `(${quoted(text)})`).join(', ')
          const expected = await foreignSql(
            reference?.url ?? '',
            `SET sql_mode = 'NO_ENGINE_SUBSTITUTION', NAMES utf8mb4`,
            'DROP TABLE IF EXISTS texts',
            'CREATE TABLE texts (text LONGTEXT CHARACTER SET utf8mb4)',
            `INSERT INTO texts VALUES ${rows}`,
            `SELECT text FROM texts WHERE CAST(CAST(text AS ${type}) AS CHAR) IS NOT NULL AND CAST(text AS ${type}) ${conditionOf(clause)}`,
          )
          const query = { type: type.toLowerCase(), meta_query: { key: 'at', type, ...clause } } as const
          const dates: string[] = []
          for await (const { meta } of records.each({ ...query, fields: ['meta'] })) dates.push(String(meta['at']))
          const wanted = expected.map(([text]) => text)
          assert.deepEqual(dates.toSorted(), wanted.toSorted())
          assert.ok(wanted.length > 0, 'the clause finds something')
        })

    it('refuses a value that is no date, and one that is no time', async () => {
      const refused: [Kind, string][] = [
        ['DATE', 'tomorrow'],
        ['DATE', '2026-02-30'],
        ['DATETIME', '10:00'],
        ['TIME', '2026-01-05'],
        ['TIME', '25'],
      ]
      for (const [type, value] of refused)
        await assert.rejects(
          records.list({ type: 'date', meta_query: { key: 'at', type, value } }),
          new RegExp(`The metadata 'at' is compared with '${value}', which is no (date|time)`),
        )
    })

    it('reads no other text', async () => {
      const others = [
        '2026-01-05abc',
        '26-01-05',
        '2026-01-05 10',
        '2026-001-05',
        '20260105 10:00:00',
        '2026-01-05 10:00 abc',
        '1:2:3',
        'ä',
        '2026-01-05\n',
        '2026-01-05\0abc',
      ]
      const id = (await records.insert({ type: 'bare', status: 'publish', title: 'a', meta: { at: '2026-01-05' } })).id
      for (const text of others)
        await records.insert({ type: 'bare', status: 'publish', title: text, meta: { at: text } })
      const meta_query = { key: 'at', type: 'DATE', compare: '>=', value: '0000-00-00' } as const
      assert.deepEqual(
        (await records.list({ type: 'bare', meta_query })).map((record) => record.id),
        [id],
      )
    })
  })
