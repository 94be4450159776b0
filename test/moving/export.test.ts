import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { databaseStatus } from '../../src/database/maintenance/database-status.js'
import { exportDatabase, importDatabase, type MoveOptions } from '../../src/database/maintenance/move.js'
import type { SqlStore } from '../../src/database/sql/sql-store.js'
import { allRows, fillAwkwardly } from './awkward-data.js'
import { emptyDatabase, skipWithout, storeKinds, type MovingDatabase, type StoreKind } from './moving-databases.js'

const quietly: MoveOptions = { onProgress: () => {} }
const databases: MovingDatabase[] = []
afterEach(() => Promise.all(databases.splice(0).map(({ drop }) => drop())))

async function fresh(kind: StoreKind): Promise<MovingDatabase> {
  const database = await emptyDatabase(kind)
  databases.push(database)
  return database
}

async function exported(store: SqlStore): Promise<string> {
  const texts: string[] = []
  await exportDatabase(store, 'wp_', async (text) => void texts.push(text), quietly)
  return texts.join('')
}

/** A text as a file is read: in pieces that end in the middle of lines and of characters. */
async function* pieces(text: string, size = 65_537): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

const rowLines = (text: string): readonly string[] => text.split('\n').filter((line) => line.startsWith('['))

for (const kind of storeKinds)
  describe(`an export of ${kind}`, { skip: skipWithout(kind) }, () => {
    it('is that of SQLite with the same data, and fills an empty database with them', async () => {
      const sqlite = await (await fresh('sqlite')).tables()
      await fillAwkwardly(sqlite)
      const expected = await exported(sqlite)
      const store = await (await fresh(kind)).tables()
      await importDatabase(pieces(expected), store, 'wp_', quietly)
      assert.deepEqual(await allRows(store), await allRows(sqlite))
      assert.deepEqual(rowLines(await exported(store)), rowLines(expected))
      await assert.rejects(importDatabase(pieces(expected), store, 'wp_', quietly), {
        fault: 'constraint',
        message: /holds data already/,
      })
    })

    it('that was imported in part is continued by the same file only', async () => {
      const sqlite = await (await fresh('sqlite')).tables()
      await fillAwkwardly(sqlite)
      const text = await exported(sqlite)
      const target = await fresh(kind)
      const store = await target.tables()
      const half = text.slice(0, text.lastIndexOf('\n', text.length * 0.97))
      const lines = half.split('\n').length
      await assert.rejects(importDatabase(pieces(half), store, 'wp_', quietly), {
        message: `line ${lines + 1}: the file ends here, before the end of the export.`,
      })
      assert.equal((await databaseStatus(store)).state, 'load-unfinished')
      await assert.rejects(target.storage({ purpose: 'start' }), { message: /import from the export/ })
      await assert.rejects(importDatabase(pieces(await exported(sqlite)), store, 'wp_', quietly), {
        message: /holds the unfinished data of the export/,
      })
      await importDatabase(pieces(text), store, 'wp_', quietly)
      assert.deepEqual(await allRows(store), await allRows(sqlite))
    })
  })

describe('a file that is not an export', () => {
  const faults: readonly (readonly [name: string, change: (lines: string[]) => void, message: RegExp])[] = [
    ['is empty', (lines) => lines.splice(0), /^line 1: the file is empty/],
    ['is other JSON', (lines) => lines.splice(0, 1, '{"a":1}'), /^line 1: it is not the first line of an export/],
    [
      'has a later format',
      (lines) => replace(lines, 0, '"version":1', '"version":2'),
      /^line 1: the file has version 2/,
    ],
    ['has another prefix', (lines) => replace(lines, 0, '"wp_"', '"x_"'), /^line 1: the export is of tables x_…/],
    [
      'has a row of another length',
      (lines) => lines.splice(3, 1, '[3,"blogname"]'),
      /^line 4: it is not a list of 4 values/,
    ],
    [
      'has a text for a number',
      (lines) => lines.splice(3, 1, '["3","a","b","c"]'),
      /^line 4: the value of option_id is not a whole number/,
    ],
    [
      'has a number for a text',
      (lines) => lines.splice(3, 1, '[900,1,"b","c"]'),
      /^line 4: the value of option_name is not a text/,
    ],
    [
      'has null where it must not',
      (lines) => lines.splice(3, 1, '[900,"a",null,"c"]'),
      /^line 4: the value of option_value/,
    ],
    ['has the id 0', (lines) => lines.splice(2, 1, '[0,"a","b","c"]'), /^line 3: the value of option_id/],
    ['has broken JSON', (lines) => lines.splice(2, 1, '[3,"a'), /^line 3: it is not a list/],
    ['has an unknown line', (lines) => lines.splice(3, 0, 'hello'), /^line 4: it is not JSON of an export/],
    [
      'has an id twice',
      (lines) => lines.splice(3, 0, lines[2] ?? ''),
      /^line 4: the rows of options are not in the order/,
    ],
    ['lacks a row', (lines) => lines.splice(2, 1), /^line 4: the rows of options are not those of the export/],
    ['has a changed row', (lines) => replace(lines, 2, 'Shop', 'Shed'), /^line 5: the rows of options are not those/],
    ['lacks the end of a table', (lines) => lines.splice(4, 1), /^line 5: the table options has no end/],
    [
      'has the tables in another order',
      (lines) => replace(lines, 1, '"options"', '"posts"'),
      /^line 2: the table posts is unknown, or not in its place/,
    ],
    [
      'has other columns',
      (lines) => replace(lines, 1, '"autoload"', '"load"'),
      /^line 2: the table options has other columns/,
    ],
    ['has a row before any table', (lines) => lines.splice(1, 0, '[1]'), /^line 2: the row belongs to no table/],
    ['goes on after its end', (lines) => lines.push('{}'), /: nothing may follow the end of the export/],
    ['lacks a table', (lines) => lines.splice(1, 4), /^line 2: the table users is unknown, or not in its place/],
  ]
  for (const [name, change, message] of faults)
    it(`is refused with the number of the line when it ${name}`, async () => {
      const sqlite = await (await fresh('sqlite')).tables()
      const target = await fresh('sqlite')
      const lines = (await siteLines(sqlite)).slice()
      change(lines)
      const store = await target.tables()
      await assert.rejects(importDatabase(pieces(lines.join('\n')), store, 'wp_', quietly), {
        name: 'StorageError',
        code: 'storage-constraint',
        message,
      })
    })
})

let site: readonly string[] | null = null

/** The lines of an export: the format, the begin of options, two rows of them, their end, and so on. */
async function siteLines(store: SqlStore): Promise<readonly string[]> {
  if (site !== null) return site
  await fillAwkwardly(store)
  site = (await exported(store)).trimEnd().split('\n')
  return site
}

function replace(lines: string[], index: number, from: string, to: string): void {
  lines[index] = (lines[index] ?? '').replace(from, to)
}
