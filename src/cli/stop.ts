import cluster from 'node:cluster'
import { once } from 'node:events'
import type { BootOptions } from '../app/options.js'
import { logError } from '../log/log-error.js'
import type { Log } from '../log/log.js'
import { stopDeadline, stoppingMessage } from './supervision.js'

const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/**
 * The request to stop the service of this process. It is made by SIGTERM, SIGINT or SIGHUP, also during the start; by an
 * error outside of all requests; and by the end of the supervisor.
 *
 * Without a supervisor, a second signal ends the process immediately. With a supervisor, a second signal has no effect: a
 * terminal or a service manager may signal all processes, and the supervisor then sends SIGTERM as well. SIGHUP has no
 * effect either: the supervisor handles it, and sends SIGTERM when this process shall stop.
 */
export class Stop {
  readonly #controller = new AbortController()
  /** Aborted by the request to stop. */
  readonly signal: AbortSignal = this.#controller.signal
  /** Fulfilled by the request to stop. */
  readonly requested: Promise<unknown> = once(this.signal, 'abort')
  readonly #isSupervised: boolean
  #isSignalled = false
  #unhandledRejections = 0
  #failure: string | null = null

  constructor(isSupervised: boolean) {
    this.#isSupervised = isSupervised
    for (const name of stopSignals) process.on(name, this.#onSignal)
    if (this.#isSupervised) this.#watchSupervisor()
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

  /**
   * Restores the default effect of the signals. A supervised process keeps its handlers until it ends: a signal that comes
   * twice would otherwise change its exit code.
   */
  restoreSignals(): void {
    if (!this.#isSupervised) for (const name of stopSignals) process.off(name, this.#onSignal)
  }

  #watchSupervisor(): void {
    // Otherwise the module `cluster` exits at once when the supervisor ends, without waiting for requests in flight.
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
    process.once('disconnect', () => this.#controller.abort())
    if (!process.connected) this.#controller.abort()
  }

  #fail(failure: string): void {
    if (this.#failure !== null) return
    this.#failure = failure
    // No timer fires in an endless loop. The supervisor then ends this process.
    if (this.#isSupervised && process.connected) process.send?.(stoppingMessage)
    setTimeout(() => process.exit(1), stopDeadline).unref()
    this.#controller.abort()
  }

  readonly #onSignal = (name: NodeJS.Signals): void => {
    if (this.#isSupervised && name === 'SIGHUP') return
    if (this.#isSignalled && !this.#isSupervised) process.exit(1)
    this.#isSignalled = true
    this.#controller.abort()
  }
}
