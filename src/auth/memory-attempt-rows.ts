import type { AttemptFilling, AttemptReading, AttemptRow, AttemptRows } from '../database/storage.js'

interface MemoryRow extends AttemptRow {
  readonly kind: string
}

/** Counters of attempts at this process alone, where the database has no table for them and Redis does not answer. */
export class MemoryAttemptRows implements AttemptRows {
  readonly #clock: () => number
  readonly #rows = new Map<string, MemoryRow>()

  /** @param clock milliseconds since 1970. */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  async read(names: readonly string[]): Promise<AttemptReading> {
    const rows = new Map<string, AttemptRow>()
    for (const name of names) {
      const row = this.#rows.get(name)
      if (row !== undefined) rows.set(name, { emptyAt: row.emptyAt, networks: row.networks })
    }
    return { now: this.#clock(), rows }
  }

  async raise(counters: readonly AttemptFilling[], now: number): Promise<void> {
    for (const { name, kind, milliseconds } of counters) {
      const row = this.#rows.get(name)
      const emptyAt = Math.max(row?.emptyAt ?? 0, now) + milliseconds
      this.#rows.set(name, { kind, emptyAt, networks: row?.networks ?? '' })
    }
  }

  async drain(name: string, milliseconds: number): Promise<void> {
    const row = this.#rows.get(name)
    if (row !== undefined) this.#rows.set(name, { ...row, emptyAt: row.emptyAt - milliseconds })
  }

  async write(name: string, row: MemoryRow): Promise<void> {
    this.#rows.set(name, row)
  }

  async sweep(kind: string, now: number, max: number): Promise<boolean> {
    const ofKind = [...this.#rows].filter(([, row]) => row.kind === kind)
    const used = ofKind.filter(([, { emptyAt }]) => emptyAt > now)
    for (const [name, { emptyAt }] of ofKind) if (emptyAt <= now) this.#rows.delete(name)
    const first = used
      .sort(([, one], [, other]) => one.emptyAt - other.emptyAt)
      .slice(0, Math.max(0, used.length - max))
    for (const [name] of first) this.#rows.delete(name)
    return first.length > 0
  }
}
