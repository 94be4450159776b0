import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { StorageError } from '../storage-error.js'
import { refuseOrphanedLog } from './orphaned-log.js'
import { sqliteLibrary } from './sqlite-client.js'
import { toStorageError } from './sqlite-fault.js'
import { sqliteLocation } from './sqlite-location.js'

/**
 * Copies a database into a new file, as of one moment, while other processes read and write it. `VACUUM INTO` reads one
 * snapshot; SQLite's backup interface begins again after each write of another process, and may never end.
 * @param url of an existing database. @param file absolute path; its folder exists. It appears when the copy is complete.
 * @throws StorageError
 */
export async function backUpSqlite(url: string, file: string): Promise<void> {
  const path = sqliteLocation(url)
  refuseOrphanedLog(path)
  refuseExisting(file)
  const open = await sqliteLibrary()
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`
  try {
    // For its owner only, because it has password hashes. SQLite writes into an empty file.
    closeSync(openSync(temporary, 'wx', 0o600))
    const client = open(path)
    try {
      client.prepare('PRAGMA busy_timeout = 5000').all([])
      client.prepare('VACUUM INTO ?').run([temporary])
    } finally {
      client.close()
    }
    flush(temporary)
    giveName(temporary, file)
    flush(dirname(file))
  } catch (error) {
    throw failure(file, error)
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** A file with the name of its log or journal would be taken for that of the copy. */
function refuseExisting(file: string): void {
  for (const each of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`])
    if (existsSync(each)) throw new StorageError('constraint', `${each} exists already. Name a new file.`)
}

/** A link fails where a file has the name already; a renamed file would replace it. */
function giveName(temporary: string, file: string): void {
  try {
    linkSync(temporary, file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') refuseExisting(file)
    // Some file systems have no links. The empty file reserves the name.
    closeSync(openSync(file, 'wx', 0o600))
    renameSync(temporary, file)
  }
}

function flush(path: string): void {
  // Windows opens no folder.
  if (process.platform === 'win32') return
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function failure(file: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error
  const { code, message } = error as NodeJS.ErrnoException
  const isOfSystem = typeof code === 'string' && /^E[A-Z]+$/.test(code)
  if (isOfSystem) {
    const fault = code === 'ENOSPC' || code === 'EDQUOT' ? 'full' : 'unavailable'
    return new StorageError(fault, `The copy ${file} cannot be written: ${message}.`, { cause: error })
  }
  const { fault, message: reason } = toStorageError(error)
  return new StorageError(fault, `The copy ${file} cannot be made. ${reason}`, { cause: error })
}
