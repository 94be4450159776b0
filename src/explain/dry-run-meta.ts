import type { MetaEntry, MetaRows } from '../database/storage.js'

/** The metadata of users. Changes are held in memory. */
export class DryRunMeta implements MetaRows {
  readonly #meta: MetaRows
  /** Changed values by user id and key; null for a removed row. */
  readonly #changes = new Map<number, Map<string, string | null>>()

  constructor(meta: MetaRows) {
    this.#meta = meta
  }

  /** The rows of a user with the changes applied. */
  withChanges(userId: number, rows: readonly MetaEntry[]): readonly MetaEntry[] {
    const changes = this.#changes.get(userId)
    if (changes === undefined) return rows
    const unchanged = rows.filter(({ key }) => !changes.has(key))
    return [...unchanged, ...[...changes].flatMap(([key, value]) => (value === null ? [] : [{ key, value }]))]
  }

  async read(userId: number, key: string): Promise<readonly (string | null)[]> {
    const value = this.#changes.get(userId)?.get(key)
    if (value !== undefined) return value === null ? [] : [value]
    return this.#meta.read(userId, key)
  }

  async all(userId: number): Promise<readonly MetaEntry[]> {
    return this.withChanges(userId, await this.#meta.all(userId))
  }

  ownersOf(key: string, value: string, limit: number): Promise<readonly number[]> {
    return this.#meta.ownersOf(key, value, limit)
  }

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
