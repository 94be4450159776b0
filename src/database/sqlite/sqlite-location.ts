import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StorageError } from '../storage-error.js'

/**
 * Where a `DATABASE_URL` such as `sqlite:data/shop.db`, `sqlite:/var/lib/shop.db`, `sqlite:///var/lib/shop.db` or
 * `sqlite::memory:` points to.
 * @returns an absolute path, or `:memory:`.
 * @throws StorageError `unavailable` when it names no file.
 */
export function sqliteLocation(url: string): string {
  const written = /^sqlite:(?:\/\/(?=\/))?(.+)$/s.exec(url)?.[1]
  if (written === undefined || written.startsWith('//') || written.includes('\0')) {
    throw new StorageError(
      'unavailable',
      `'${url}' is not the address of an SQLite database; it is sqlite:, then a path or :memory:.`,
    )
  }
  return written === ':memory:' ? written : resolve(written)
}

/**
 * Makes the file with its folder, for its owner only: it holds password hashes. A file that exists is left as it is.
 * SQLite gives its log files the same mode.
 */
export function makeFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true })
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return
    throw new StorageError('unavailable', `The database ${path} cannot be made: ${(error as Error).message}.`, {
      cause: error,
    })
  }
}

/**
 * Of the file that has this path now; null when there is none. The number alone may be that of a removed one. Not for a file
 * that is written to: where a file system knows no birth, its time is that of the last change.
 */
export function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found ? `${found.dev}:${found.ino}:${found.birthtimeNs}` : null
}

/** As `identityOf`, of a file that is held open: nobody gets its number as long as it is. */
export function numberOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found ? `${found.dev}:${found.ino}` : null
}
