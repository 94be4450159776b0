import type { MetaEntry, MetaRows } from '../database/storage.js'

/** Metadata of users with changes that stay in memory. */
export class DryRunMeta implements MetaRows {
  readonly #stored: MetaRows
  /** By user and key; null for a row that was removed. */
  readonly #noted = new Map<number, Map<string, string | null>>()

  constructor(stored: MetaRows) {
    this.#stored = stored
  }

  /** These stored rows as the changes leave them. */
  over(userId: number, stored: readonly MetaEntry[]): readonly MetaEntry[] {
    const noted = this.#noted.get(userId)
    if (noted === undefined) return stored
    const kept = stored.filter(({ key }) => !noted.has(key))
    return [...kept, ...[...noted].flatMap(([key, value]) => (value === null ? [] : [{ key, value }]))]
  }

  async read(userId: number, key: string): Promise<readonly (string | null)[]> {
    const noted = this.#noted.get(userId)?.get(key)
    if (noted !== undefined) return noted === null ? [] : [noted]
    return this.#stored.read(userId, key)
  }

  async all(userId: number): Promise<readonly MetaEntry[]> {
    return this.over(userId, await this.#stored.all(userId))
  }

  ownersOf(key: string, value: string, limit: number): Promise<readonly number[]> {
    return this.#stored.ownersOf(key, value, limit)
  }

  add(userId: number, key: string, value: string | null): Promise<void> {
    return this.write(userId, key, value)
  }

  async write(userId: number, key: string, value: string | null): Promise<void> {
    const noted = this.#noted.get(userId) ?? new Map<string, string | null>()
    this.#noted.set(userId, noted.set(key, value))
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
