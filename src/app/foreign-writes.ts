import type { ReportedWrites } from '../database/mysql/untracked-writes.js'

/**
 * A report of the companion plugin that WordPress has written: the request of PHP that sends it, and its time in
 * microseconds.
 */
export interface ForeignReport {
  readonly sender: string
  readonly time: number
}

/** A message of a worker to the others about the tables of a WordPress site. */
export interface WorkerNews {
  /** The report that the worker has taken; null for writes of its own. */
  readonly report: ForeignReport | null
}

/** The other workers of the command that runs this process. */
export interface OtherWorkers {
  /** Never waits and never throws. A worker that starts or ends at that moment may not hear it. */
  tell(news: WorkerNews): void
  /** To be called once. */
  listen(onNews: (news: WorkerNews) => void): void
}

/**
 * Counts reported writes of others to the tables of a WordPress site: PHP reports by the companion plugin, and the other workers
 * by their supervisor, because the database counts nothing without tracking.
 */
export class ForeignWrites implements ReportedWrites {
  readonly #workers: OtherWorkers | null
  readonly #onReport: ((report: ForeignReport) => void)[] = []
  #count = 0
  #isTelling = false

  constructor(workers: OtherWorkers | null) {
    this.#workers = workers
    workers?.listen((news) => this.#heard(news))
  }

  count(): number {
    return this.#count
  }

  /** @param listener called with each report, whichever worker has taken it. */
  onReport(listener: (report: ForeignReport) => void): void {
    this.#onReport.push(listener)
  }

  /** To be called for a report that this process has taken. */
  reported(report: ForeignReport): void {
    this.#heard({ report })
    this.#workers?.tell({ report })
  }

  /** Tells the other workers of all writes in one tick of the event loop at once. */
  written(): void {
    if (this.#workers === null || this.#isTelling) return
    this.#isTelling = true
    setImmediate(() => {
      this.#isTelling = false
      this.#workers?.tell({ report: null })
    })
  }

  #heard({ report }: WorkerNews): void {
    this.#count += 1
    if (report !== null) for (const listener of this.#onReport) listener(report)
  }
}
