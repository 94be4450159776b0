import { load, percentile } from '../load/load.js'
import type { Options } from '../options.js'
import type { RunningServer } from '../servers/server.js'

export interface Round {
  readonly perCpuSecond: number
  readonly perSecond: number
  /** How long it took. */
  readonly seconds: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

export interface RoundSettings {
  readonly next: () => Buffer
  readonly status: number
  readonly connections?: number
  readonly rate?: number
}

type Times = Pick<Options, 'warmUp' | 'seconds'>

/** A round of a server that has a database server beside it. */
export interface RoundWithDatabase extends Round {
  /** Requests per CPU-second of the service and the database server together. */
  readonly perCpuSecondTogether: number
  /** CPU time of the database server for each request, in microseconds. */
  readonly databaseMicroseconds: number
}

/** Keeps a server busy without making it queue for long. */
const usualConnections = 50

export async function measured(server: RunningServer, settings: RoundSettings, times: Times): Promise<Round> {
  const marks: number[] = []
  const { requests, seconds, latencies } = await load({
    port: server.port,
    connections: usualConnections,
    ...settings,
    warmUp: times.warmUp,
    seconds: times.seconds,
    mark: () => marks.push(server.cpuSeconds()),
  })
  const [begin = 0, end = 0] = marks
  return {
    // To a hundredth of a second is what /proc says; less than that was surely used. A server that answered nothing in so
    // short a time was at its first request.
    perCpuSecond: Math.max(requests, 1) / Math.max(end - begin, 0.01),
    perSecond: requests / seconds,
    seconds,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
  }
}

/** @param databaseCpuSeconds CPU time of the database server up to now; null when it cannot be read. */
export async function measuredWithDatabase(
  server: RunningServer,
  databaseCpuSeconds: (() => number) | null,
  settings: RoundSettings,
  times: Times,
): Promise<RoundWithDatabase> {
  const marks: number[] = []
  const cpuSeconds = (): number => {
    marks.push(databaseCpuSeconds?.() ?? 0)
    return server.cpuSeconds()
  }
  const round = await measured({ ...server, cpuSeconds }, settings, times)
  const [begin = 0, end = 0] = marks
  const requests = Math.max(1, round.perSecond * round.seconds)
  const database = databaseCpuSeconds === null ? Number.NaN : end - begin
  return {
    ...round,
    perCpuSecondTogether: requests / (requests / round.perCpuSecond + database),
    databaseMicroseconds: (database / requests) * 1e6,
  }
}

/**
 * Loads a server that has just started until it has used so much CPU time that the first round is like the others: on a
 * busy machine, time alone compiles nothing.
 */
export async function brokenIn(server: RunningServer, settings: RoundSettings, options: Options): Promise<void> {
  const { breakIn, quick } = options
  const enough = quick ? 0 : breakIn
  const begin = server.cpuSeconds()
  const deadline = performance.now() + breakIn * 5000
  do {
    await measured(server, settings, { warmUp: 0, seconds: breakIn / 2 })
  } while (server.cpuSeconds() - begin < enough && performance.now() < deadline)
}
