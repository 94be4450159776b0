import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { makeFolder } from '../../base/make-folder.js'
import { StorageError } from '../storage-error.js'

/**
 * The location of a `DATABASE_URL` such as `sqlite:data/shop.db`, `sqlite:/var/lib/shop.db`, `sqlite:///var/lib/shop.db` or
 * `sqlite::memory:`.
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
 * Creates the file for its owner only, because it has password hashes. An existing file is not changed. SQLite gives its log
 * files the same mode. A missing folder is created only directly below the working folder, as `data` for the default address: any
 * other missing folder is more likely an error in the path.
 * @throws StorageError `unavailable` when the folder is missing or the file cannot be created.
 */
export function makeFile(path: string): void {
  const folder = dirname(path)
  try {
    if (dirname(folder) === process.cwd()) makeFolder(folder)
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return
    const remedy = existsSync(folder) ? `Let this process write to the folder ${folder}` : `Create the folder ${folder}`
    throw new StorageError(
      'unavailable',
      `The database ${path} cannot be created: ${(error as Error).message}. ${remedy}, or name another path.`,
      { cause: error },
    )
  }
}

/**
 * The identity of the file at a path; null when there is none. Device and inode alone may be those of a removed file. Not for
 * a file that is written to: on file systems without birth times, the time is that of the last change.
 */
export function identityOf(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats ? `${stats.dev}:${stats.ino}:${stats.birthtimeNs}` : null
}

/** Device and inode of the file at a path; null when there is none. They identify an open file, whose inode is not reused. */
export function inodeOf(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats ? `${stats.dev}:${stats.ino}` : null
}
