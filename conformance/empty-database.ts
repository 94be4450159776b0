import { existsSync, rmSync, statSync } from 'node:fs'
import { sqliteLocation } from '../src/database/sqlite/sqlite-location.js'

/** A run writes into an empty database only. */
export class DatabaseNotEmpty extends Error {
  override readonly name = 'DatabaseNotEmpty'
}

/** The database of a run, which is empty at the start of each of its sites and after the last one. */
export interface EmptyDatabase {
  readonly url: string
  /** Forgets what a site has written. */
  empty(): void
}

/**
 * @param url an SQLite file that is not there or has no bytes, or `sqlite::memory:`.
 * @throws DatabaseNotEmpty @throws StorageError for an address of another kind.
 */
export function emptyDatabase(url: string): EmptyDatabase {
  const path = sqliteLocation(url)
  if (path === ':memory:') return { url, empty: () => {} }
  if (existsSync(path) && statSync(path).size > 0)
    throw new DatabaseNotEmpty(`The database ${url} is not empty: a run writes into an empty one only, and empties it.`)
  return {
    url,
    empty() {
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
    },
  }
}
