import type { LockOut } from './attempt-limiter.js'
import type { CountedAttempt, Waits } from './shared-counters.js'

/** Maximum number of refusals that are remembered as reported. */
const maxReported = 1000

/** Reports each limit that begins to refuse, and again only after its counter was empty. */
export class LockOutReports {
  readonly #onLockOut: (lockOut: LockOut) => void
  /** When the counters that were reported will be empty, by their names. */
  readonly #reported = new Map<string, number>()

  readonly #clock: () => number

  /** @param clock milliseconds of a monotonic clock. */
  constructor(onLockOut: (lockOut: LockOut) => void, clock: () => number) {
    this.#onLockOut = onLockOut
    this.#clock = clock
  }

  /** @returns the whole seconds that the attempt has to wait. */
  report({ counters, prefix }: CountedAttempt, waits: Waits, network: string, login: string): number {
    const wait = Math.ceil(Math.max(...waits.values()) / 1000)
    const now = this.#clock()
    for (const { limit, name, capacity } of [...counters, prefix]) {
      const milliseconds = waits.get(limit)
      if (milliseconds === undefined) continue
      const isFirst = (this.#reported.get(name) ?? 0) <= now
      this.#reported.delete(name)
      this.#reported.set(name, now + capacity + milliseconds)
      if (isFirst) this.#onLockOut({ limit, network, login, wait })
    }
    for (const name of this.#reported.keys()) {
      if (this.#reported.size <= maxReported) break
      this.#reported.delete(name)
    }
    return wait
  }
}
