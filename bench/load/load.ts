import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from './connection.js'
import { Latencies } from './latencies.js'

export interface Load {
  readonly port: number
  readonly next: () => Buffer
  /** What every response must be; anything else ends the benchmark. */
  readonly status: number
  readonly connections: number
  /** In seconds. */
  readonly warmUp: number
  readonly seconds: number
  /** Requests a second, sent on time however slowly responses come; without it each connection asks again at once. */
  readonly rate?: number
  /** Called as the measured time begins and as it ends. */
  readonly mark?: () => void
}

export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  /** In milliseconds, in ascending order; from the moment a request was due. */
  readonly latencies: Float64Array
}

/**
 * Loads a server from this process. It is our own client rather than a tool because it needs no installation, notices
 * every wrong response, and measures a paced load from the moment a request was due, so that a stall counts for all the
 * requests it delays. It never sleeps: on one machine, the core of the server would pay for waking it, 10 to 30 µs for
 * each response, where in use the client is another machine.
 */
export async function load(job: Load): Promise<LoadResult> {
  const run = new Run(job)
  try {
    await run.open()
    run.start()
    await run.during(job.warmUp)
    job.mark?.()
    const begin = run.measure()
    await run.during(job.seconds)
    const latencies = run.measured()
    job.mark?.()
    const seconds = (performance.now() - begin) / 1000
    return { requests: latencies.count, seconds, latencies: latencies.ascending() }
  } finally {
    run.close()
  }
}

class Run {
  readonly #job: Load
  readonly #connections: Connection[] = []
  readonly #idle: Connection[] = []
  #latencies = new Latencies()
  #fault: Error | null = null
  #stopped = false
  #due = 0

  constructor(job: Load) {
    this.#job = job
  }

  /** In groups: a crowd would overflow the queue of a listening socket. */
  async open(): Promise<void> {
    const { port, connections } = this.#job
    while (this.#connections.length < connections) {
      const group = Math.min(100, connections - this.#connections.length)
      let opened = 0
      await new Promise<void>((resolve, reject) => {
        for (let index = 0; index < group; index += 1) {
          this.#connections.push(
            new Connection(port, {
              open: (connection) => {
                this.#idle.push(connection)
                opened += 1
                if (opened === group) resolve()
              },
              response: this.#answered,
              fault: (error) => {
                this.#fault ??= error
                reject(error)
              },
            }),
          )
        }
      })
    }
  }

  start(): void {
    this.#due = performance.now()
    if (this.#job.rate !== undefined) return this.#pace(1000 / this.#job.rate)
    this.#stayAwake()
    for (const connection of this.#idle) connection.send(this.#job.next(), performance.now())
  }

  async during(seconds: number): Promise<void> {
    await sleep(seconds * 1000)
    if (this.#fault) throw this.#fault
  }

  measure(): number {
    this.#latencies = new Latencies()
    return performance.now()
  }

  measured(): Latencies {
    this.#stopped = true
    return this.#latencies
  }

  close(): void {
    this.#stopped = true
    for (const connection of this.#connections) connection.close()
  }

  readonly #answered = (connection: Connection, status: number, milliseconds: number): void => {
    if (status !== this.#job.status) {
      this.#fault ??= new Error(`A response had status ${status} instead of ${this.#job.status}.`)
    }
    if (this.#stopped) return
    this.#latencies.add(milliseconds)
    if (this.#job.rate === undefined) connection.send(this.#job.next(), performance.now())
    else this.#idle.push(connection)
  }

  #stayAwake(): void {
    const turn = () => {
      if (!this.#stopped) setImmediate(turn)
    }
    turn()
  }

  /** Turns without rest: timers are a millisecond too coarse, and this core has nothing else to do. */
  #pace(interval: number): void {
    const turn = () => {
      if (this.#stopped) return
      const now = performance.now()
      while (this.#due <= now) {
        const connection = this.#idle.pop()
        if (connection === undefined) break
        connection.send(this.#job.next(), this.#due)
        this.#due += interval
      }
      setImmediate(turn)
    }
    turn()
  }
}

/** @param share 0.5 for the median. @returns 0 for no value at all. */
export function percentile(ascending: Float64Array, share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? 0
}

export function median(values: readonly number[]): number {
  const ascending = Float64Array.from(values).sort()
  const upper = percentile(ascending, 0.5)
  return ascending.length % 2 === 1 ? upper : (upper + (ascending[ascending.length / 2 - 1] ?? upper)) / 2
}
