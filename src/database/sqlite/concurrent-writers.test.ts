import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { concurrentWriterContract } from '../../../test/contracts/concurrent-writers.js'
import { contentionContract } from '../../../test/contracts/contention.js'
import { openSqlite } from './open-sqlite.js'

const folder = mkdtempSync(join(tmpdir(), 'concurrent-writers-'))
after(() => rmSync(folder, { recursive: true }))

concurrentWriterContract('SQLite, two connections to one file', async () => {
  const url = `sqlite:${join(folder, 'shared.db')}`
  return [await openSqlite(url), await openSqlite(url)]
})

contentionContract('SQLite', async () => {
  const url = `sqlite:${join(folder, 'contended.db')}`
  return [await openSqlite(url), await openSqlite(url)]
})
