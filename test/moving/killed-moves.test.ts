import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { checkDatabase } from '../../src/database/maintenance/check-database.js'
import { databaseStatus } from '../../src/database/maintenance/database-status.js'
import type { SqlStore } from '../../src/database/sql/sql-store.js'
import { commandArguments, emptyFolder, endAll, removeFolders, run } from '../cli/command-line.js'
import { until } from '../support/until.js'
import { allRows, fillAwkwardly } from './awkward-data.js'
import { emptyDatabase, skipWithout, storeKinds } from './moving-databases.js'

after(() => {
  endAll()
  removeFolders()
})

/** The number of rows; 0 while there is no such table. */
async function rowsOf({ database }: SqlStore, table: string): Promise<number> {
  try {
    const [row] = await database.reader.query(`SELECT COUNT(*) FROM ${table}`)
    return Number(row?.[0])
  } catch {
    return 0
  }
}

for (const kind of storeKinds)
  for (const command of ['copy', 'import'] as const)
    describe(`db ${command} to ${kind}`, { skip: skipWithout(kind), timeout: 600_000 }, () => {
      it('that is killed several times is continued by the same command, which leaves all rows as they were', async (context) => {
        const [source, target] = [await emptyDatabase('sqlite'), await emptyDatabase(kind)]
        context.after(() => Promise.all([source.drop(), target.drop()]))
        const store = await source.tables()
        await fillAwkwardly(store)
        const cwd = emptyFolder()
        const file = join(cwd, 'site.jsonl')
        assert.equal((await run(['db', 'export', file, '--database', source.url], { cwd })).code, 0)
        const words = {
          copy: ['db', 'copy', source.url, target.url],
          import: ['db', 'import', file, '--database', target.url],
        }[command]
        const moved = await target.tables()
        // Beside records, beside their metadata after those, and beside the last table that is large.
        for (const table of ['wp_posts', 'wp_postmeta', 'wp_term_relationships']) {
          const child = spawn(process.execPath, [...commandArguments, ...words], { cwd, stdio: 'ignore' })
          const ended = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)))
          await until(async () => (await rowsOf(moved, table)) > 0)
          child.kill('SIGKILL')
          assert.equal(await ended, 'SIGKILL')
          // A server notices a moment later that the session of the lock has ended.
          await until(async () => (await databaseStatus(moved)).state === 'load-unfinished')
        }
        const { code, stdout, stderr } = await run(words, { cwd })
        assert.equal(code, 0, stderr)
        assert.match(stdout, /all checksums are equal\.\n$/)
        assert.deepEqual(await allRows(moved), await allRows(store))
        assert.equal((await databaseStatus(moved)).state, 'current')
        await (await target.storage({ purpose: 'start' })).ping()
        const faults = (await checkDatabase(moved)).map(({ sentence }) => sentence)
        assert.deepEqual(
          faults,
          (await checkDatabase(store)).map(({ sentence }) => sentence),
        )
      })
    })
