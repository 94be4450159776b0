import type { ReportedWrites } from '../database/mysql/untracked-writes.js'

/** A report of the companion plugin: a PHP request has written to the tables of the WordPress site. */
export interface ForeignReport {
  /** Identifies the PHP request that sent the report. */
  readonly sender: string
  /** When PHP sent the report, in microseconds. */
  readonly time: number
}

/** Tells the other workers that the tables of a WordPress site were written to. */
export interface WorkerMessage {
  /** The report of the companion plugin that the sending worker received; null when the sending worker wrote itself. */
  readonly report: ForeignReport | null
}

/** The other workers of the command that runs this process. */
export interface OtherWorkers {
  /** Returns at once and never throws. A worker that is starting or ending may not receive the message. */
  send(message: WorkerMessage): void
  /** Receives the messages of the other workers. May be called once. */
  listen(onMessage: (message: WorkerMessage) => void): void
}

/**
 * Counts the writes of other processes to the tables of a WordPress site. PHP reports its writes through the companion plugin,
 * and the other workers report theirs through the supervisor. It is needed where the tables have no triggers that count writes.
 */
export class ForeignWrites implements ReportedWrites {
  readonly #workers: OtherWorkers | null
  readonly #onReport: ((report: ForeignReport) => void)[] = []
  #count = 0
  #isSendPending = false

  constructor(workers: OtherWorkers | null) {
    this.#workers = workers
    workers?.listen((message) => this.#add(message))
  }

  /** The number of reports and messages so far. */
  count(): number {
    return this.#count
  }

  /** @param listener called with each report of the companion plugin, also when another worker received it. */
  onReport(listener: (report: ForeignReport) => void): void {
    this.#onReport.push(listener)
  }

  /** Counts a report of the companion plugin that this process received, and passes it to the other workers. */
  reported(report: ForeignReport): void {
    this.#add({ report })
    this.#workers?.send({ report })
  }

  /** Tells the other workers that this process wrote. All writes of one tick of the event loop are one message. */
  written(): void {
    if (this.#workers === null || this.#isSendPending) return
    this.#isSendPending = true
    setImmediate(() => {
      this.#isSendPending = false
      this.#workers?.send({ report: null })
    })
  }

  #add({ report }: WorkerMessage): void {
    this.#count += 1
    if (report !== null) for (const listener of this.#onReport) listener(report)
  }
}
