import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { storageContract } from '../../../test/contracts/storage.js'
import { openSqlite } from './open-sqlite.js'

const folder = mkdtempSync(join(tmpdir(), 'sqlite-'))
after(() => rmSync(folder, { recursive: true }))

let files = 0
storageContract('SQLite file', () => openSqlite(`sqlite:${join(folder, `${(files += 1)}.db`)}`))
storageContract('SQLite in memory', () => openSqlite('sqlite::memory:', { prefix: 'shop_' }))
storageContract('SQLite file without the row cache', () =>
  openSqlite(`sqlite:${join(folder, `${(files += 1)}.db`)}`, { rowCache: false }),
)
