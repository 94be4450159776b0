import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../load/load.js'
import type { Options } from '../options.js'
import { brokenIn, measuredWithDatabase, type RoundWithDatabase } from '../rows/measure.js'
import { checkSameResponses } from '../rows/same-responses.js'
import { bytesFrom } from '../rows/throughput.js'
import { startBeside, stopChild, type Child } from '../servers/child.js'
import { fastifyOnServer, product, productName, type Settings } from '../servers/commands.js'
import { startServer, type RunningServer } from '../servers/server.js'
import type { ServerData } from './server-data.js'
import type { DatabaseServer } from './database-server.js'
import type { ServerWorkload } from './server-workloads.js'

/** What one service reached in one row; medians of the rounds. */
export type ServiceFigures = Omit<RoundWithDatabase, 'seconds'>

/** How many times the peer's figure the product's is: the median, the lowest and the highest of the rounds. */
export interface Ratio {
  readonly median: number
  readonly lowest: number
  readonly highest: number
}

export interface ServerRow {
  readonly id: string
  readonly title: string
  readonly target: number | null
  readonly services: Readonly<Record<string, ServiceFigures>>
  /** Requests per CPU-second of the service. */
  readonly timesFastify: Ratio
  /** Of the service and the database server together; null when the latter's CPU time cannot be read. */
  readonly timesFastifyTogether: Ratio | null
  /** CPU time of the database server for a request; null when it cannot be read. */
  readonly databaseTimesFastify: Ratio | null
}

/** Measures one workload on the product and on Fastify in turn, each with tables of its own on one database server. */
export async function serverRow(
  workload: ServerWorkload,
  server: DatabaseServer,
  { url, peerUrl, credentials }: ServerData,
  options: Options,
): Promise<ServerRow> {
  const settings = (database: string): Settings => ({ node: options.node, database, synchronous: 'FULL' })
  const services: RunningServer[] = []
  try {
    services.push(await startServer(product(settings(url))))
    services.push(await startServer(fastifyOnServer(settings(peerUrl))))
    await checkSameResponses(
      services.map((service) => ({ server: service, credentials })),
      workload,
    )
    const loads = services.map((service, index) => ({
      service,
      database: index === 0 ? url : peerUrl,
      settings: { next: bytesFrom(workload, credentials), status: workload.status, connections: workload.connections },
      rounds: [] as RoundWithDatabase[],
    }))
    for (const { service, settings: load } of loads) await brokenIn(service, load, options)
    for (let round = 0; round < options.rounds; round += 1)
      // What the first one leaves behind, such as work of the server in the background, falls on each as often.
      for (const { service, database, settings: load, rounds } of round % 2 === 0 ? loads : loads.toReversed())
        rounds.push(
          await besideWriter(workload, options.node, database, () =>
            measuredWithDatabase(service, server.cpuSeconds, load, options),
          ),
        )
    const [own, peer] = loads.map(({ rounds }) => rounds)
    return rowOf(workload, server, own ?? [], peer ?? [])
  } finally {
    await Promise.all(services.map((each) => each.stop()))
  }
}

/**
 * Measures while another process writes to the database of the measured service, and to no other: the CPU time of the
 * database server is that of both.
 */
async function besideWriter<T>(
  { id, writesBeside, writtenType }: ServerWorkload,
  node: string,
  database: string,
  measure: () => Promise<T>,
): Promise<T> {
  if (writtenType === null) return measure()
  const writer = startBeside([node, 'bench/data/write-beside-server.mjs', database, String(writesBeside), writtenType])
  try {
    await hasBegun(writer, id)
    const result = await measure()
    requireRunning(writer, id)
    return result
  } finally {
    await stopChild(writer.process)
  }
}

/** Milliseconds that a writer may take to connect. */
const maxStartMilliseconds = 30_000

async function hasBegun(writer: Child, id: string): Promise<void> {
  const end = performance.now() + maxStartMilliseconds
  while (!writer.printed().includes('writing')) {
    requireRunning(writer, id)
    if (performance.now() > end) throw new Error(`${id}: the process that writes did not begin. ${writer.printed()}`)
    await sleep(20)
  }
}

function requireRunning({ process, printed }: Child, id: string): void {
  if (process.exitCode !== null)
    throw new Error(`${id}: the process that writes during the measurement has ended. ${printed()}`)
}

function rowOf(
  { id, title, targets }: ServerWorkload,
  { kind, cpuSeconds }: DatabaseServer,
  own: readonly RoundWithDatabase[],
  peer: readonly RoundWithDatabase[],
): ServerRow {
  const ratio = (of: (round: RoundWithDatabase) => number): Ratio =>
    ratioOf(own.map((round, index) => of(round) / of(peer[index] ?? round)))
  return {
    id,
    title,
    target: targets?.[kind] ?? null,
    services: { [productName]: figuresOf(own), fastify: figuresOf(peer) },
    timesFastify: ratio((round) => round.perCpuSecond),
    timesFastifyTogether: cpuSeconds && ratio((round) => round.perCpuSecondTogether),
    databaseTimesFastify: cpuSeconds && ratio((round) => round.databaseMicroseconds),
  }
}

export function ratioOf(ratios: readonly number[]): Ratio {
  return { median: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) }
}

function figuresOf(rounds: readonly RoundWithDatabase[]): ServiceFigures {
  const middle = (of: (round: RoundWithDatabase) => number): number => median(rounds.map(of))
  return {
    perCpuSecond: middle((round) => round.perCpuSecond),
    perCpuSecondTogether: middle((round) => round.perCpuSecondTogether),
    databaseMicroseconds: middle((round) => round.databaseMicroseconds),
    perSecond: middle((round) => round.perSecond),
    p50: middle((round) => round.p50),
    p99: middle((round) => round.p99),
  }
}
