import type { AttemptFilling, AttemptReading, AttemptRow, AttemptRows } from '../database/attempt-rows.js'

/** The counters of failed log-ins and of limited requests in the memory of one process, for a database that has no table for them. */
export class ProcessAttemptRows implements AttemptRows {
  readonly #rows = new Map<string, AttemptRow & { readonly kind: string }>()

  async read(names: readonly string[]): Promise<AttemptReading> {
    const readRows = names.flatMap((name): [string, AttemptRow][] => {
      const row = this.#rows.get(name)
      return row === undefined ? [] : [[name, { emptyAt: row.emptyAt, networks: row.networks }]]
    })
    return { now: Math.floor(performance.timeOrigin + performance.now()), rows: new Map(readRows) }
  }

  async raise(counters: readonly AttemptFilling[], now: number): Promise<void> {
    for (const { name, kind, milliseconds } of counters) {
      const { emptyAt = now, networks = '' } = this.#rows.get(name) ?? {}
      this.#rows.set(name, { kind, emptyAt: Math.max(emptyAt, now) + milliseconds, networks })
    }
  }

  async raiseWithin(counter: AttemptFilling, capacity: number, now: number): Promise<boolean> {
    const row = this.#rows.get(counter.name)
    if (row === undefined || row.emptyAt > now + capacity - counter.milliseconds) return false
    await this.raise([counter], now)
    return true
  }

  async drain(name: string, milliseconds: number): Promise<void> {
    const row = this.#rows.get(name)
    if (row !== undefined) this.#rows.set(name, { ...row, emptyAt: row.emptyAt - milliseconds })
  }

  async lower(name: string, emptyAt: number): Promise<void> {
    const row = this.#rows.get(name)
    if (row !== undefined && row.emptyAt > emptyAt) this.#rows.set(name, { ...row, emptyAt })
  }

  async write(name: string, row: AttemptRow & { readonly kind: string }): Promise<void> {
    this.#rows.set(name, row)
  }

  async sweep(kind: string, now: number, max: number): Promise<boolean> {
    const rowsOfKind = [...this.#rows]
      .filter(([, row]) => row.kind === kind)
      .toSorted(([, one], [, other]) => one.emptyAt - other.emptyAt)
    const filled = rowsOfKind.filter(([, { emptyAt }]) => emptyAt > now)
    const excess = Math.max(0, filled.length - max)
    for (const [name] of rowsOfKind.slice(0, rowsOfKind.length - filled.length + excess)) this.#rows.delete(name)
    return excess > 0
  }
}
