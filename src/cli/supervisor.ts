import cluster from 'node:cluster'
import { constants } from 'node:os'
import { isatty } from 'node:tty'
import { isPipe } from '../log/sink.js'
import type { AttemptCounters } from './attempt-counters.js'
import { isAttempt, type AttemptMessage } from './attempt-messages.js'
import { MergedOutput } from './merged-output.js'
import { workersOf, type WorkerPlace } from './supervision.js'
import { isWriteMessage } from './write-messages.js'
import { report, WorkerProcess, type Exit } from './worker-process.js'
import { WorkerSlot } from './worker-slot.js'

/** A signal that repeats an earlier one within this time has no effect: npm and a terminal both send one. In milliseconds. */
const repeatedWithin = 1_000

/**
 * Runs the command of this process in child processes, and ends when they have ended. They do all the work, so that this
 * process hears signals also while one of them is in an endless loop. It loads next to nothing: the start waits for it.
 * @param words the command line after the name of the program.
 */
export function supervise(words: readonly string[]): void {
  const supervisor = new Supervisor(workersOf(words))
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => supervisor.stop())
  process.on('SIGUSR2', () => supervisor.forward('SIGUSR2'))
  // A terminal that is closed sends SIGHUP as well.
  const hasTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor))
  process.on('SIGHUP', () => (hasTerminal ? supervisor.stop() : supervisor.restart()))
}

/**
 * A single worker ends the command when it ends. One of several is replaced. The others start when the first one accepts
 * requests, so that a first start, and an error of every start, happen once.
 */
class Supervisor {
  readonly #slots: readonly WorkerSlot[]
  /** Whether a worker has ever accepted requests. */
  #hasStarted = false
  /** Changes with each restart: an earlier one that is in progress is given up. */
  #restarts = 0
  #stoppedAt: number | null = null
  /** The failed logins of all workers; null until the first attempt. */
  #attempts: Promise<AttemptCounters> | null = null
  /** Where the workers write through pipes to this process. */
  readonly #outputs: Partial<Record<'stdout' | 'stderr', MergedOutput>> = {}
  /** The exit code of the command; null while all its workers have ended well. */
  #exitCode: number | null = null

  constructor(count: number) {
    // The processes share the listening socket, and each accepts connections from it.
    cluster.schedulingPolicy = cluster.SCHED_NONE
    if (count > 1) this.#outputs = outputsOfSeveral()
    const slotSupervisor = {
      fork: (place: WorkerPlace) => this.#fork(place),
      onReady: () => this.#onReady(),
      onEnd: this.#onEnd,
      onGiveUp: () => this.#giveUp(),
    }
    this.#slots = Array.from({ length: count }, (_, index) => new WorkerSlot(index + 1, count, slotSupervisor))
    this.#slots[0]?.start()
  }

  /** Stops the service. Called again, it kills the service. */
  stop(): void {
    const now = performance.now()
    this.#stoppedAt ??= now
    const isRepeated = now - this.#stoppedAt > repeatedWithin
    for (const slot of this.#slots) {
      if (isRepeated) slot.kill()
      else slot.end()
    }
    this.#endWhenEmpty()
  }

  /**
   * Exchanges the workers, one after the other, for processes that read the configuration and the code anew. When one of
   * these does not start, the workers that are left go on.
   */
  restart(): void {
    if (this.#stoppedAt !== null) return
    this.#restarts += 1
    for (const slot of this.#slots) {
      slot.cancelExchange()
      // The worker of the slot may have ended before its replacement started. The next replacement may take long to start.
      if (slot.isVacant && this.#hasStarted) slot.startAgain()
    }
    void this.#exchangeAll(this.#restarts)
  }

  forward(signal: NodeJS.Signals): void {
    for (const slot of this.#slots) slot.forward(signal)
  }

  async #exchangeAll(restart: number): Promise<void> {
    for (const slot of this.#slots) {
      const isExchanged = await slot.exchange()
      if (this.#stoppedAt !== null || this.#restarts !== restart) return
      if (!isExchanged) {
        // A worker may have ended while a process that has not started was to replace it.
        for (const each of this.#slots) if (each.isVacant && (this.#hasStarted || each === slot)) each.startAgain()
        report('restart-failed', 'The new process did not start. The service goes on with the one before it.')
        return
      }
      // No more than one process above the number of workers runs, except for a restart during another one.
      if (slot !== this.#slots.at(-1)) await slot.drained()
      if (this.#stoppedAt !== null || this.#restarts !== restart) return
    }
  }

  #fork(place: WorkerPlace): WorkerProcess {
    const worker = new WorkerProcess(place, this.#onMessage)
    for (const name of ['stdout', 'stderr'] as const) {
      const source = worker.outputs[name]
      if (source !== null) this.#outputs[name]?.add(source)
    }
    return worker
  }

  #onReady(): void {
    if (this.#hasStarted || this.#stoppedAt !== null) return
    this.#hasStarted = true
    for (const slot of this.#slots) if (slot.isEmpty) slot.start()
  }

  readonly #onMessage = (message: unknown, worker: WorkerProcess): void => {
    if (isAttempt<AttemptMessage>(message)) void this.#receiveAttempt(message, worker)
    else if (isWriteMessage(message)) for (const slot of this.#slots) slot.tell(message, worker)
    // Other messages, such as the loaded modules of a worker, are for a parent process that watches them.
    else process.send?.(message)
  }

  async #receiveAttempt(message: AttemptMessage, worker: WorkerProcess): Promise<void> {
    if (this.#attempts === null) {
      // The start of the service does not wait for the import.
      this.#attempts = import('./attempt-counters.js').then(({ AttemptCounters }) => new AttemptCounters())
    }
    const attempts = await this.#attempts
    attempts.receive(message, worker)
  }

  readonly #onEnd = (slot: WorkerSlot, worker: WorkerProcess, exit: Exit, wasServing: boolean): void => {
    void this.#attempts?.then((attempts) => attempts.forget(worker))
    const isOnly = this.#slots.length === 1
    const isStopping = this.#stoppedAt !== null
    if (worker.wasKilled && (isStopping || (isOnly && wasServing))) this.#exitCode = 1
    if (isOnly && (wasServing || slot.isEmpty)) this.#endAs(exit)
    else if (isStopping) {
      // A process that has just begun does not hear the signal yet, and ends by it.
      const isEndedByStop = !worker.hasStarted && exit.signal === 'SIGTERM'
      if (exit.code !== 0 && !isEndedByStop) this.#exitCode ??= exit.code ?? 1
      this.#endWhenEmpty()
    } else if (wasServing) {
      if (this.#hasStarted) slot.startAgain(exit)
      else this.#endAs(exit)
    }
  }

  #giveUp(): void {
    report('workers-not-starting', 'Worker after worker ended before it served. The service stops.')
    this.#exitCode = 1
    this.stop()
  }

  #endWhenEmpty(): void {
    if (this.#slots.every(({ isEmpty }) => isEmpty)) this.#exit(this.#exitCode ?? 0)
  }

  /** Ends this process as its first child has ended. */
  #endAs({ code, signal }: Exit): void {
    this.#stoppedAt ??= performance.now()
    for (const slot of this.#slots) slot.end()
    if (this.#exitCode !== null || signal === null) {
      this.#exit(this.#exitCode ?? code ?? 1)
      return
    }
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
    // The kernel does not end process 1 of a container by a signal.
    setTimeout(() => process.exit(128 + constants.signals[signal]), 100)
  }

  #exit(code: number): void {
    const outputs = Object.values(this.#outputs)
    if (outputs.length === 0) process.exit(code)
    void Promise.all(outputs.map((output) => output.flushed())).then(() => process.exit(code))
  }
}

/** The outputs of several workers. Where the output is a pipe, they write to this process, which passes whole lines on. */
function outputsOfSeveral(): Partial<Record<'stdout' | 'stderr', MergedOutput>> {
  const [out, err] = [isPipe(1), isPipe(2)]
  cluster.setupPrimary({ stdio: ['inherit', out ? 'pipe' : 'inherit', err ? 'pipe' : 'inherit', 'ipc'] })
  return {
    ...(out && { stdout: new MergedOutput(process.stdout) }),
    ...(err && { stderr: new MergedOutput(process.stderr) }),
  }
}
