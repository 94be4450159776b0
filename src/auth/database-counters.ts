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

/** Maximum number of tries to raise the counters of an attempt or a request while others raise them too. */
const maxTries = 3

/**
 * Counts attempts in the database. One statement raises a counter if it has room, so no lock is held between two
 * statements. If each attempt raised its counters first and lowered them again without room, concurrent attempts would
 * refuse each other: of 20 attempts none was allowed where there was room for 3, and each read the sum of all as its wait.
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
   * @param maxRows maximum number of rows of a kind after a sweep. Default: the number of counters that one process
   *   remembers of each limit.
   */
  constructor(rows: AttemptRows, clock: (() => number) | null, onFailure: (error: unknown) => void, maxRows = 20_000) {
    this.#maxRows = maxRows
    this.#rows = rows
    this.#clock = clock
    this.#onFailure = onFailure
  }

  async begin(attempt: CountedAttempt): Promise<BegunAttempt> {
    for (let tries = 1; ; tries += 1) {
      const reading = await this.#read(attempt)
      const networks = reading.rows.get(attempt.trust.name)?.networks ?? ''
      const isTrusted = networks.split(' ').includes(attempt.trust.network)
      const waits = waitsOf(attempt, reading, isTrusted, 1)
      if (waits.size > 0) return { isTrusted, waits, end: null }
      const limiting = attempt.counters.filter(({ limit }) => !isTrusted || appliesToTrusted(limit))
      const full = await this.#raiseWithin(limiting, reading)
      if (full === null) {
        const others = attempt.counters.filter((counter) => !limiting.includes(counter))
        if (others.length > 0) await this.#fill(others, reading.now)
        return { isTrusted, waits, end: this.#endOf(attempt, reading) }
      }
      if (tries === maxTries) return { isTrusted, waits: new Map([[full.limit, full.milliseconds]]), end: null }
    }
  }

  async fail(attempt: CountedAttempt): Promise<Waits> {
    const reading = await this.#read(attempt)
    const waits = waitsOf(attempt, reading, false, 1)
    if (waits.size > 0) return waits
    await this.#fill(attempt.counters, reading.now)
    await this.#fillPrefix(attempt, reading.now)
    // The reading is older than this failure, so the wait of the next attempt is that of two.
    return waitsOf(attempt, reading, false, 2)
  }

  async empty({ name }: SharedCounter): Promise<void> {
    const { now, rows } = await this.#readNames([name])
    const left = (rows.get(name)?.emptyAt ?? now) - now
    if (left > 0) await this.#rows.drain(name, left)
  }

  async count(counter: RequestCounter): Promise<CountedRequest> {
    const { name, milliseconds, capacity } = counter
    const leftOf = ({ now, rows }: AttemptReading): number => Math.max(0, (rows.get(name)?.emptyAt ?? now) - now)
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const reading = await this.#afterClockChange([counter], await this.#readNames([name]))
      const left = leftOf(reading)
      if (left + milliseconds > capacity) return { isAllowed: false, left }
      if ((await this.#raiseWithin([counter], reading)) === null)
        return { isAllowed: true, left: leftOf(await this.#readNames([name])) }
    }
    return { isAllowed: false, left: capacity }
  }

  /**
   * Raises each counter if it has room. If another attempt has filled one since the reading, or a sweep has deleted its
   * row, the counters that were raised before it are lowered again. The caller then reads anew.
   * @returns the counter that could not be raised; null when all are.
   */
  async #raiseWithin<Counter extends RequestCounter>(
    counters: readonly Counter[],
    { now, rows }: AttemptReading,
  ): Promise<Counter | null> {
    const missing = counters.filter(({ name }) => !rows.has(name))
    if (missing.length > 0)
      await this.#rows.raise(
        missing.map((counter) => ({ ...counter, milliseconds: 0 })),
        now,
      )
    for (const [index, counter] of counters.entries()) {
      if (!(await this.#rows.raiseWithin(counter, counter.capacity, now))) {
        await this.#drain(counters.slice(0, index))
        return counter
      }
      this.#countTowardsSweep(counter.kind, now)
    }
    return null
  }

  #endOf(attempt: CountedAttempt, { now, rows }: AttemptReading): AttemptEnd {
    const { counters, trust } = attempt
    return {
      succeeded: async () => {
        // Attempts of other callers that were added to the pair after the reading stay.
        for (const { limit, name, milliseconds } of counters) {
          const earlier = limit === 'pair' ? Math.max(0, (rows.get(name)?.emptyAt ?? now) - now) : 0
          await this.#rows.drain(name, milliseconds + earlier)
        }
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

  async #read({ counters, prefix, trust }: CountedAttempt): Promise<AttemptReading> {
    const reading = await this.#readNames([...counters.map(({ name }) => name), prefix.name, trust.name])
    // The counter of the wider network is left out: it is raised without a check for room, so it may hold more.
    return this.#afterClockChange(counters, reading)
  }

  /**
   * Lowers the counters that hold more than twice their capacity. The cause is a clock that was set back after they were
   * raised, which would prolong the waits by as much, or hundreds of attempts at the same moment.
   */
  async #afterClockChange(counters: readonly RequestCounter[], { now, rows }: AttemptReading): Promise<AttemptReading> {
    const overfull = counters.filter(({ name, capacity }) => (rows.get(name)?.emptyAt ?? 0) > now + 2 * capacity)
    if (overfull.length === 0) return { now, rows }
    const lowered = new Map(rows)
    for (const { name, capacity } of overfull) {
      await this.#rows.lower(name, now + capacity)
      lowered.set(name, { networks: '', ...rows.get(name), emptyAt: now + capacity })
    }
    return { now, rows: lowered }
  }

  async #readNames(names: readonly string[]): Promise<AttemptReading> {
    const { now, rows } = await this.#rows.read(names)
    return { now: Math.floor(this.#clock?.() ?? now), rows }
  }

  async #fill(counters: readonly AttemptFilling[], now: number): Promise<void> {
    await this.#rows.raise(counters, now)
    for (const { kind } of counters) this.#countTowardsSweep(kind, now)
  }

  /**
   * Raises the counter of the wider network if the last sweep has deleted counters that were not empty. An attacker with
   * very many networks then has to wait with their whole provider.
   */
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

/**
 * The milliseconds to wait, by the limit that refuses.
 * @param attempts number of attempts that the counters must have room for, besides what they hold.
 */
function waitsOf(
  { counters, prefix }: CountedAttempt,
  { now, rows }: AttemptReading,
  isTrusted: boolean,
  attempts: number,
): Waits {
  const waits = new Map<SharedCounter['limit'], number>()
  for (const counter of [...counters, prefix]) {
    const left = Math.max(0, (rows.get(counter.name)?.emptyAt ?? now) - now)
    const wait = left + attempts * counter.milliseconds - counter.capacity
    if (wait > 0 && !(isTrusted && !appliesToTrusted(counter.limit))) waits.set(counter.limit, wait)
  }
  return waits
}
