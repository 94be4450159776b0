import { logError } from '../log/log-error.js'
import { once } from 'node:events'
import type { BootOptions } from '../app/options.js'
import type { Log } from '../log/log.js'

/** Milliseconds until a stop after an error ends the process. Longer than the grace period: the stop itself may hang. */
const stopDeadline = 15_000

/**
 * The request to stop a service: SIGTERM or SIGINT, also during the start, or an error outside of all requests. A second
 * signal ends the process immediately.
 */
export class Stop {
  readonly #controller = new AbortController()
  /** Aborted by the request to stop. */
  readonly signal: AbortSignal = this.#controller.signal
  /** Fulfilled by the request to stop. */
  readonly requested: Promise<unknown> = once(this.signal, 'abort')
  #isSignalled = false
  #unhandledRejections = 0
  #failure: string | null = null

  constructor() {
    for (const name of ['SIGTERM', 'SIGINT']) process.on(name, this.#onSignal)
  }

  /** The error that requested the stop, or occurred during it: `an uncaught exception`. */
  get failure(): string | null {
    return this.#failure
  }

  /**
   * Logs errors outside of all requests from this call on. After an uncaught exception the state of the process is
   * unknown, so the service stops. An unhandled rejection affects only the work of its promise, so the service continues.
   * @param onRejection `exit` stops for an unhandled rejection as well.
   */
  watchErrors(log: Log, onRejection: BootOptions['unhandled_rejections']): void {
    process.on('unhandledRejection', (err) => {
      this.#unhandledRejections += 1
      logError(log, 'unhandled-rejection', { err, unhandledRejections: this.#unhandledRejections })
      if (onRejection === 'exit') this.#fail('an unhandled rejection')
    })
    process.on('uncaughtException', (err) => {
      logError(log, 'uncaught-exception', { err })
      this.#fail('an uncaught exception')
    })
  }

  /** Restores the default effect of the signals. */
  ignoreSignals(): void {
    for (const name of ['SIGTERM', 'SIGINT']) process.off(name, this.#onSignal)
  }

  #fail(failure: string): void {
    if (this.#failure !== null) return
    this.#failure = failure
    setTimeout(() => process.exit(1), stopDeadline).unref()
    this.#controller.abort()
  }

  readonly #onSignal = (): void => {
    if (this.#isSignalled) process.exit(1)
    this.#isSignalled = true
    this.#controller.abort()
  }
}
