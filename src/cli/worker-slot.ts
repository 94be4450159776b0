import type { WorkerPlace } from './supervision.js'
import { report, type Exit, type WorkerProcess } from './worker-process.js'

/** Starts in a row that may fail before the command gives up. */
const maxFailedStarts = 5

/** Milliseconds until the first replacement. Each further one waits twice as long, up to `maxDelay`. */
const firstDelay = 250
const maxDelay = 30_000

/** Milliseconds of service after which the end of a worker counts as unrelated to earlier ends. */
const longLife = 60_000

/** The parts of the supervisor that a {@link WorkerSlot} needs. */
export interface SlotSupervisor {
  /** Creates a process. */
  readonly fork: (place: WorkerPlace) => WorkerProcess
  /** A worker accepts requests. */
  readonly onReady: () => void
  /** A process has ended. @param wasServing whether the slot is without a worker now. */
  readonly onEnd: (slot: WorkerSlot, process: WorkerProcess, exit: Exit, wasServing: boolean) => void
  /** Worker after worker ends before it accepts requests. */
  readonly onGiveUp: () => void
}

/** Keeps one worker running: it is started, replaced when it has ended, and exchanged for a new one. */
export class WorkerSlot {
  readonly #number: number
  readonly #count: number
  readonly #supervisor: SlotSupervisor
  readonly #running = new Set<WorkerProcess>()
  #serving: WorkerProcess | null = null
  /** Replaces `#serving` as soon as it accepts requests. */
  #next: WorkerProcess | null = null
  #timer: NodeJS.Timeout | null = null
  /** Number of workers in a row that have served for less than `longLife`. */
  #failures = 0
  /** Starts in a row that have failed. */
  #failedStarts = 0
  #readyAt: number | null = null

  constructor(number: number, count: number, supervisor: SlotSupervisor) {
    this.#number = number
    this.#count = count
    this.#supervisor = supervisor
  }

  /** Whether no process of the slot is running. */
  get isEmpty(): boolean {
    return this.#running.size === 0
  }

  /** Whether the slot has no worker, and none that is to start. Processes that are ending do not count. */
  get isVacant(): boolean {
    return this.#serving === null && this.#next === null && this.#timer === null
  }

  /** Starts the worker. */
  start(announces = this.#number === 1): void {
    const worker = (this.#serving = this.#fork({ announces, begins: announces }))
    this.#readyAt = null
    void worker.started.then((isReady) => isReady && this.#isReady())
  }

  /**
   * Starts another process. When it accepts requests, the one before it finishes its requests and ends.
   * @returns whether it accepts requests. If not, the one before it goes on.
   */
  async exchange(): Promise<boolean> {
    this.#cancelStart()
    const next = (this.#next = this.#fork({ announces: this.#number === 1, begins: false }))
    const isReady = await next.started
    if (this.#next !== next) return false
    this.#next = null
    if (!isReady) return false
    this.#serving?.end()
    this.#serving = next
    this.#isReady()
    return true
  }

  /** Ends the process of an exchange that is not finished. */
  cancelExchange(): void {
    const next = this.#next
    this.#next = null
    next?.end()
  }

  /** Resolves when the processes that a worker has replaced have ended. */
  async drained(): Promise<void> {
    await Promise.all([...this.#running].filter((each) => each !== this.#serving).map(({ ended }) => ended))
  }

  /** Starts the worker again after a while. Gives up after too many failed starts. @param exit how it has ended. */
  startAgain(exit?: Exit): void {
    if (this.#readyAt !== null) this.#failedStarts = 0
    else this.#failedStarts += 1
    if (this.#failedStarts >= maxFailedStarts) {
      this.#supervisor.onGiveUp()
      return
    }
    if (this.#readyAt !== null && performance.now() - this.#readyAt > longLife) this.#failures = 0
    const maxWait = Math.min(maxDelay, firstDelay * 2 ** this.#failures)
    this.#failures += 1
    // Workers that have ended together are not started together.
    const delay = maxWait * (0.5 + Math.random() / 2)
    if (exit !== undefined) {
      const cause = exit.signal ?? `exit code ${exit.code}`
      report(
        'worker-ended',
        `Worker ${this.#number} ended with ${cause}. Another one starts in ${Math.round(delay)} ms.`,
      )
    }
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.start(false)
    }, delay)
  }

  /** Lets all processes finish their requests and end. */
  end(): void {
    this.#cancelStart()
    for (const each of this.#running) each.end()
  }

  kill(): void {
    for (const each of this.#running) each.kill()
  }

  /** Sends a signal to the worker. */
  forward(signal: NodeJS.Signals): void {
    this.#serving?.signal(signal)
  }

  /** Sends a message to the processes of the slot, except the one that it comes from. */
  tell(message: object, sender: WorkerProcess): void {
    for (const each of this.#running) if (each !== sender) each.send(message)
  }

  #fork(place: Pick<WorkerPlace, 'announces' | 'begins'>): WorkerProcess {
    const worker = this.#supervisor.fork({ number: this.#number, count: this.#count, ...place })
    this.#running.add(worker)
    void worker.ended.then((exit) => this.#onEnd(worker, exit))
    return worker
  }

  #onEnd(worker: WorkerProcess, exit: Exit): void {
    this.#running.delete(worker)
    const wasServing = worker === this.#serving
    if (wasServing) this.#serving = null
    this.#supervisor.onEnd(this, worker, exit, wasServing && this.#next === null)
  }

  #isReady(): void {
    this.#readyAt = performance.now()
    this.#failedStarts = 0
    this.#supervisor.onReady()
  }

  #cancelStart(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }
}
