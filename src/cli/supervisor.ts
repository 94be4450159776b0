import cluster, { type Worker } from 'node:cluster'
import { constants } from 'node:os'
import { isatty } from 'node:tty'
import type { CommandErrorCode } from './command-errors.js'
import { stopDeadline, stoppingMessage, supervisedVariable } from './supervision.js'

/** A signal that repeats an earlier one within this time has no effect: npm and a terminal both send one. In milliseconds. */
const repeatedWithin = 1_000

/**
 * Runs the command of this process in a child process, and ends when it ends. The child does all the work, so that this
 * process hears signals also while the child is in an endless loop. It loads next to nothing: the start waits for it.
 */
export function supervise(): void {
  const supervisor = new Supervisor()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => supervisor.stop())
  process.on('SIGUSR2', () => supervisor.forward('SIGUSR2'))
  // A terminal that is closed sends SIGHUP as well.
  const hasTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor))
  process.on('SIGHUP', () => (hasTerminal ? supervisor.stop() : supervisor.restart()))
}

class Supervisor {
  readonly #running = new Set<Worker>()
  readonly #deadlines = new Map<Worker, NodeJS.Timeout>()
  #serving: Worker
  /** Replaces `#serving` as soon as it listens. */
  #next: Worker | null = null
  #stoppedAt: number | null = null
  #hasKilled = false

  constructor() {
    // The processes share the listening socket, and each accepts connections from it.
    cluster.schedulingPolicy = cluster.SCHED_NONE
    this.#serving = this.#start()
  }

  /** Stops the service. Called again, it kills the service. */
  stop(): void {
    const now = performance.now()
    this.#stoppedAt ??= now
    if (now - this.#stoppedAt > repeatedWithin) for (const worker of this.#running) this.#kill(worker)
    else for (const worker of this.#running) this.#end(worker)
  }

  /**
   * Starts another process, which reads the configuration and the code anew. When it listens, the one before it finishes its
   * requests and ends. When it does not start, the one before it goes on.
   */
  restart(): void {
    if (this.#stoppedAt !== null) return
    if (this.#next !== null) this.#end(this.#next)
    const next = (this.#next = this.#start())
    next.once('listening', () => {
      if (this.#next !== next) return
      this.#end(this.#serving)
      this.#serving = next
      this.#next = null
    })
  }

  forward(signal: NodeJS.Signals): void {
    this.#serving.process.kill(signal)
  }

  #start(): Worker {
    const worker = cluster.fork({ [supervisedVariable]: '1' })
    this.#running.add(worker)
    worker.on('message', (message: unknown) => {
      if (message === stoppingMessage) this.#watch(worker)
      // A process that watches the modules of this one is told of those of the child.
      else process.send?.(message)
    })
    worker.on('exit', (code: number | null, signal: NodeJS.Signals | null) => this.#ended(worker, code, signal))
    return worker
  }

  #end(worker: Worker): void {
    this.#watch(worker)
    worker.process.kill('SIGTERM')
  }

  /** Kills the process unless it ends in time. */
  #watch(worker: Worker): void {
    if (this.#deadlines.has(worker)) return
    const expired = () => {
      report('service-hung', `The service did not stop within ${stopDeadline / 1000} seconds and was killed.`)
      this.#kill(worker)
    }
    this.#deadlines.set(worker, setTimeout(expired, stopDeadline))
  }

  #kill(worker: Worker): void {
    if (worker === this.#serving) this.#hasKilled = true
    worker.process.kill('SIGKILL')
  }

  #ended(worker: Worker, code: number | null, signal: NodeJS.Signals | null): void {
    clearTimeout(this.#deadlines.get(worker))
    this.#deadlines.delete(worker)
    this.#running.delete(worker)
    if (worker === this.#next) {
      this.#next = null
      if (this.#stoppedAt === null)
        report('restart-failed', 'The new process did not start. The service goes on with the one before it.')
    }
    if (worker !== this.#serving) return
    for (const other of this.#running) other.process.kill('SIGTERM')
    if (this.#hasKilled) process.exit(1)
    endAs(code, signal)
  }
}

/** Ends this process as its child has ended. */
function endAs(code: number | null, signal: NodeJS.Signals | null): void {
  if (signal === null) process.exit(code ?? 1)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  // The kernel does not end process 1 of a container by a signal.
  setTimeout(() => process.exit(128 + constants.signals[signal]), 100)
}

function report(code: CommandErrorCode, message: string): void {
  process.stderr.write(`${message} [${code}]\n`)
}
