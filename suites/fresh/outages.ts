import { setTimeout as sleep } from 'node:timers/promises'
import type { Tally } from './tally.js'

/** Milliseconds after the return of a database in which requests may still fail. */
const recovery = 5000

/** The times in which requests may fail because the database fails over. */
export class Outages {
  #count = 0
  #isDown = false

  /** Of a request that begins now, for `explains`. */
  mark(): number {
    return this.#isDown ? -1 : this.#count
  }

  /** Whether the database was down at any time since the mark. */
  explains(mark: number): boolean {
    return this.#isDown || mark !== this.#count
  }

  /** @param isHealthy resolves when every service answers again. */
  async run(failOver: () => Promise<void>, isHealthy: () => Promise<void>, tally: Tally): Promise<void> {
    this.#isDown = true
    this.#count += 1
    const begun = performance.now()
    await failOver()
    const returned = performance.now()
    await isHealthy()
    tally.failedOver(returned - begun, performance.now() - returned)
    await sleep(Math.max(0, recovery - (performance.now() - returned)))
    this.#isDown = false
  }
}
