import type { ChildProcess } from 'node:child_process'
import cluster, { type Worker } from 'node:cluster'
import type { CommandErrorCode } from './command-errors.js'
import { readyMessage, stopDeadline, stoppingMessage, supervisedVariable, type WorkerPlace } from './supervision.js'

/** How a process ended. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A child process that serves. It reads the configuration and the code anew. */
export class WorkerProcess {
  /** Whether the process accepts requests. Fulfilled with false when it ends before. */
  readonly started: Promise<boolean>
  readonly ended: Promise<Exit>
  readonly #worker: Worker
  #deadline: NodeJS.Timeout | null = null
  #wasKilled = false
  #hasStarted = false

  /** @param onMessage gets what the process sends, except what this class reads. */
  constructor(place: WorkerPlace, onMessage: (message: unknown, sender: WorkerProcess) => void) {
    const worker = cluster.fork({ [supervisedVariable]: JSON.stringify(place) })
    this.#worker = worker
    this.ended = new Promise((resolve) => {
      worker.once('exit', (code: number | null, signal: NodeJS.Signals | null) => resolve({ code, signal }))
      worker.on('error', (error) => {
        // Other errors are of a signal or a message to a process that is ending.
        if (worker.process.pid !== undefined) return
        report('worker-not-started', `No process can be started: ${error.message}.`)
        resolve({ code: 1, signal: null })
      })
    })
    void this.ended.then(() => clearTimeout(this.#deadline ?? undefined))
    this.started = new Promise((resolve) => {
      void this.ended.then(() => resolve(false))
      worker.on('message', (message: unknown) => {
        if (message === readyMessage) resolve((this.#hasStarted = true))
        else if (message === stoppingMessage) this.#watch()
        else onMessage(message, this)
      })
    })
  }

  /** Whether the process has ever accepted requests. */
  get hasStarted(): boolean {
    return this.#hasStarted
  }

  /** Whether `kill` was called. */
  get wasKilled(): boolean {
    return this.#wasKilled
  }

  /** The standard output and standard error, where they are pipes to this process. */
  get outputs(): Pick<ChildProcess, 'stdout' | 'stderr'> {
    return this.#worker.process
  }

  /** Sends a message. It is lost when the process is ending. */
  send(message: object): void {
    if (this.#worker.isConnected()) this.#worker.send(message, undefined, () => undefined)
  }

  signal(name: NodeJS.Signals): void {
    this.#worker.process.kill(name)
  }

  /** Lets the process finish its requests. Kills it when it does not end in time. */
  end(): void {
    this.#watch()
    this.signal('SIGTERM')
  }

  kill(): void {
    this.#wasKilled = true
    this.signal('SIGKILL')
  }

  /** From now on the process has a limited time to end. */
  #watch(): void {
    this.#deadline ??= setTimeout(() => {
      report('service-hung', `The service did not stop within ${stopDeadline / 1000} seconds and was killed.`)
      this.kill()
    }, stopDeadline)
  }
}

/** Tells the user of the command, on standard error. */
export function report(code: CommandErrorCode, message: string): void {
  process.stderr.write(`${message} [${code}]\n`)
}
