import type { MetaEntry, MetaRows } from '../database/storage.js'

/**
 * The metadata of users for a dry run, which must not change the database. It reads the rows of the database and holds
 * changes in memory: sessions and application passwords, which have one row for each user and key.
 */
export class DryRunMeta implements MetaRows {
  readonly #stored: MetaRows
  /** Changed values by user id and key; null for a removed row. */
  readonly #changes = new Map<number, Map<string, string | null>>()

  /** @param stored the metadata of users in the database. */
  constructor(stored: MetaRows) {
    this.#stored = stored
  }

  /** @param rows rows of the user in the database. @returns the rows with the changes of this user applied. */
  withChanges(userId: number, rows: readonly MetaEntry[]): readonly MetaEntry[] {
    const changes = this.#changes.get(userId)
    if (changes === undefined) return rows
    const unchanged = rows.filter(({ key }) => !changes.has(key))
    return [...unchanged, ...[...changes].flatMap(([key, value]) => (value === null ? [] : [{ key, value }]))]
  }

  async read(userId: number, key: string): Promise<readonly (string | null)[]> {
    const value = this.#changes.get(userId)?.get(key)
    if (value !== undefined) return value === null ? [] : [value]
    return this.#stored.read(userId, key)
  }

  async all(userId: number): Promise<readonly MetaEntry[]> {
    return this.withChanges(userId, await this.#stored.all(userId))
  }

  /** Without the changes in memory: a dry run finds no user by metadata. */
  ownersOf(key: string, value: string, limit: number): Promise<readonly number[]> {
    return this.#stored.ownersOf(key, value, limit)
  }

  /** Replaces the row with the key, because {@link DryRunMeta} holds one row for each user and key. */
  add(userId: number, key: string, value: string | null): Promise<void> {
    return this.write(userId, key, value)
  }

  async write(userId: number, key: string, value: string | null): Promise<void> {
    const changes = this.#changes.get(userId) ?? new Map<string, string | null>()
    this.#changes.set(userId, changes.set(key, value))
  }

  async replace(userId: number, key: string, expected: string | null, value: string | null): Promise<boolean> {
    const [current = null] = await this.read(userId, key)
    if (current !== expected) return false
    await this.write(userId, key, value)
    return true
  }

  async remove(userId: number, key: string): Promise<boolean> {
    const existed = (await this.read(userId, key)).length > 0
    await this.write(userId, key, null)
    return existed
  }
}
