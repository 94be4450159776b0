import { lstatSync, readlinkSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StorageError } from '../storage-error.js'
import { identityOf } from './sqlite-location.js'

/** SQLite follows as many symbolic links. */
const maxLinks = 100

/**
 * Refuses a database whose write-ahead log exists while its file is missing or empty. The log holds acknowledged writes, and
 * SQLite deletes a log that it finds beside an empty file.
 *
 * Only sizes are read. Opening and closing one of SQLite's files would drop the locks that this process has on it.
 * @param path absolute. @throws StorageError `incompatible` that names the files and the way back.
 */
export function refuseOrphanedLog(path: string): void {
  const file = targetOf(path)
  const logFile = `${file}-wal`
  const logSize = sizeOf(logFile)
  if (logSize === null) refuseMissingLog(file, logFile)
  if (logSize === null || logSize === 0) return
  const size = sizeOf(file)
  if (size !== null && size > 0) return
  throw new StorageError(
    'incompatible',
    `${file} is ${size === null ? 'missing' : 'empty'}, but ${logFile} (${logSize} bytes) holds writes that belong to it, ` +
      'and a start would destroy them. Bring back the file that was moved or removed, and start again: the writes are read ' +
      `from the log. If the data are not wanted, move ${logFile} and ${file}-shm away first.`,
  )
}

/**
 * SQLite creates the log before the wal-index, and removes it after it. So a wal-index without a log means that the log was
 * removed, or that a process still writes to a removed log, with which a new log must not be mixed. Other processes may open and
 * close the database meanwhile: the log must be missing while one and the same wal-index exists.
 */
function refuseMissingLog(file: string, logFile: string): void {
  const indexFile = `${file}-shm`
  const index = unlessUnreachable(() => identityOf(indexFile)) ?? null
  if (index === null || (sizeOf(indexFile) ?? 0) === 0) return
  if (sizeOf(logFile) !== null || identityOf(indexFile) !== index) return
  throw new StorageError(
    'incompatible',
    `${logFile} is missing, but ${file}-shm is there: the log was removed, with the latest writes. Bring it back, and start ` +
      'again. If that is impossible, or the file was restored from a backup, stop all processes that use it, move ' +
      `${file}-shm away and start again.`,
  )
}

/** SQLite keeps the log beside the file that a symbolic link points to, also while that file does not exist. */
function targetOf(path: string): string {
  let file = path
  for (let links = 0; links < maxLinks; links += 1) {
    const stats = unlessUnreachable(() => lstatSync(file, { throwIfNoEntry: false }))
    if (!stats?.isSymbolicLink()) return file
    file = resolve(dirname(file), readlinkSync(file))
  }
  return file
}

/** In bytes; null when there is no such file. */
function sizeOf(path: string): number | null {
  return unlessUnreachable(() => statSync(path, { throwIfNoEntry: false }))?.size ?? null
}

/** The result of a look-up; undefined when it fails. The file cannot be opened then either, and SQLite's own error says why. */
function unlessUnreachable<T>(lookUp: () => T): T | undefined {
  try {
    return lookUp()
  } catch {
    return undefined
  }
}
