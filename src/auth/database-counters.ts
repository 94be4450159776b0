import type { AttemptFilling, AttemptReading, AttemptRows } from '../database/attempt-rows.js'
import type { CountedRequest, RequestCounter } from './request-counters.js'
import {
  appliesToTrusted,
  networksAfterLogin,
  trustLifetime,
  type AttemptEnd,
  type BegunAttempt,
  type CountedAttempt,
  type SharedCounter,
  type SharedCounters,
  type Waits,
} from './shared-counters.js'

/** Number of raised counters of a kind after which a process sweeps its rows. A sweep deletes more rows than these. */
const sweepInterval = 500

/** How often a request looks again for room that others took while it was looking. */
const maxTurns = 3

/**
 * Counts attempts in the database. Each step is one statement, so no locks are held in between: an attempt is read, counted,
 * and read again. When others were counted in between, and all of them are too many, it is taken back and refused.
 */
export class DatabaseCounters implements SharedCounters {
  readonly #rows: AttemptRows
  readonly #clock: (() => number) | null
  readonly #onFailure: (error: unknown) => void
  readonly #maxRows: number
  /** Raised counters since the last sweep, by kind. */
  readonly #raised = new Map<string, number>()
  /** Kinds of which the last sweep has deleted counters that were not empty. */
  readonly #full = new Set<string>()

  /**
   * @param clock milliseconds; null for the clock of the database, which is one for all machines.
   * @param onFailure is called when rows cannot be deleted.
   * @param maxRows of a kind that stay; default: as many as one process remembers of each limit.
   */
  constructor(rows: AttemptRows, clock: (() => number) | null, onFailure: (error: unknown) => void, maxRows = 20_000) {
    this.#maxRows = maxRows
    this.#rows = rows
    this.#clock = clock
    this.#onFailure = onFailure
  }

  async begin(attempt: CountedAttempt): Promise<BegunAttempt> {
    const before = await this.#read(attempt)
    const networks = before.rows.get(attempt.trust.name)?.networks ?? ''
    const isTrusted = networks.split(' ').includes(attempt.trust.network)
    const waits = waitsOf(attempt, before, isTrusted, ({ milliseconds }) => milliseconds)
    if (waits.size > 0) return { isTrusted, waits, end: null }
    await this.#fill(attempt.counters, before.now)
    const after = await this.#read(attempt)
    // The counters contain this attempt now. Only a failure raises that of the prefix.
    const waitsAfter = waitsOf(attempt, after, isTrusted, ({ limit, milliseconds }) =>
      limit === 'prefix' ? milliseconds : 0,
    )
    if (waitsAfter.size === 0) return { isTrusted, waits, end: this.#endOf(attempt, after) }
    await this.#drain(attempt.counters)
    return { isTrusted, waits: waitsAfter, end: null }
  }

  async fail(attempt: CountedAttempt): Promise<Waits> {
    const reading = await this.#read(attempt)
    const waits = waitsOf(attempt, reading, false, ({ milliseconds }) => milliseconds)
    if (waits.size > 0) return waits
    await this.#fill(attempt.counters, reading.now)
    await this.#fillPrefix(attempt, reading.now)
    // The reading is older than this failure. The next attempt waits for the failure and for itself.
    return waitsOf(attempt, reading, false, ({ milliseconds }) => 2 * milliseconds)
  }

  async empty({ name }: SharedCounter): Promise<void> {
    const { now, rows } = await this.#readNames([name])
    const left = (rows.get(name)?.emptyAt ?? now) - now
    if (left > 0) await this.#rows.drain(name, left)
  }

  /**
   * One statement raises the counter if there is room. If each request raised it and took that back without room, requests at
   * once would refuse each other: none of 20 was allowed, and the sum of all of them was read as the wait.
   */
  async count(counter: RequestCounter): Promise<CountedRequest> {
    const { name, kind, milliseconds, capacity } = counter
    const leftOf = ({ now, rows }: AttemptReading): number => Math.max(0, (rows.get(name)?.emptyAt ?? now) - now)
    for (let turn = 0; turn < maxTurns; turn += 1) {
      const before = await this.#readNames([name])
      const left = leftOf(before)
      if (left + milliseconds > capacity) return { isAllowed: false, left }
      if (!before.rows.has(name)) await this.#rows.add(counter, before.now)
      // Where others have taken the room, or a sweep the row, the next turn tells.
      if (!(await this.#rows.raiseWithin(counter, capacity, before.now))) continue
      this.#countTowardsSweep(kind, before.now)
      return { isAllowed: true, left: leftOf(await this.#readNames([name])) }
    }
    return { isAllowed: false, left: capacity }
  }

  #endOf(attempt: CountedAttempt, { now, rows }: AttemptReading): AttemptEnd {
    const { counters, trust } = attempt
    return {
      succeeded: async () => {
        // Attempts of other callers that were added to the pair after this one stay.
        for (const { limit, name, milliseconds } of counters)
          await this.#rows.drain(name, limit === 'pair' ? (rows.get(name)?.emptyAt ?? now) - now : milliseconds)
        const row = rows.get(trust.name)
        const networks = networksAfterLogin(row?.networks ?? '', trust.network, (row?.emptyAt ?? now) - now)
        if (networks === null) return
        await this.#rows.write(trust.name, { kind: trust.kind, emptyAt: now + trustLifetime, networks })
        this.#countTowardsSweep(trust.kind, now)
      },
      failed: () => this.#fillPrefix(attempt, now),
      abandoned: () => this.#drain(counters),
    }
  }

  #read({ counters, prefix, trust }: CountedAttempt): Promise<AttemptReading> {
    return this.#readNames([...counters.map(({ name }) => name), prefix.name, trust.name])
  }

  async #readNames(names: readonly string[]): Promise<AttemptReading> {
    const { now, rows } = await this.#rows.read(names)
    return { now: Math.floor(this.#clock?.() ?? now), rows }
  }

  async #fill(counters: readonly AttemptFilling[], now: number): Promise<void> {
    await this.#rows.raise(counters, now)
    for (const { kind } of counters) this.#countTowardsSweep(kind, now)
  }

  /** When failures displace others, an attacker with very many networks has to wait with their whole provider. */
  async #fillPrefix({ counters, prefix }: CountedAttempt, now: number): Promise<void> {
    if (counters.some(({ kind }) => this.#full.has(kind))) await this.#fill([prefix], now)
  }

  async #drain(counters: readonly AttemptFilling[]): Promise<void> {
    for (const { name, milliseconds } of counters) await this.#rows.drain(name, milliseconds)
  }

  /** Sweeps the rows of a kind from time to time, in the background. */
  #countTowardsSweep(kind: string, now: number): void {
    const count = (this.#raised.get(kind) ?? 0) + 1
    this.#raised.set(kind, count % sweepInterval)
    if (count < sweepInterval) return
    this.#sweep(kind, now).catch(this.#onFailure)
  }

  async #sweep(kind: string, now: number): Promise<void> {
    if (await this.#rows.sweep(kind, now, this.#maxRows)) this.#full.add(kind)
    else this.#full.delete(kind)
  }
}

/** @param addition milliseconds that an attempt would add to a counter. */
function waitsOf(
  { counters, prefix }: CountedAttempt,
  { now, rows }: AttemptReading,
  isTrusted: boolean,
  addition: (counter: SharedCounter) => number,
): Waits {
  const waits = new Map<SharedCounter['limit'], number>()
  for (const counter of [...counters, prefix]) {
    const left = Math.max(0, (rows.get(counter.name)?.emptyAt ?? now) - now)
    const wait = left + addition(counter) - counter.capacity
    if (wait > 0 && !(isTrusted && !appliesToTrusted(counter.limit))) waits.set(counter.limit, wait)
  }
  return waits
}
