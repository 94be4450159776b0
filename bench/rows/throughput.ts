import { copyOf, plainCopyOf, removeDatabase, type Data } from '../data/data.js'
import { bytesOf } from '../load/exchange.js'
import { median } from '../load/load.js'
import type { Options } from '../options.js'
import { exampleShop, peer, product, productName, type Settings } from '../servers/commands.js'
import { startBeside, stopChild, type Child } from '../servers/child.js'
import { startServer, type RunningServer, type ServerCommand } from '../servers/server.js'
import { brokenIn, measured, type Round } from './measure.js'
import { checkSameResponses } from './same-responses.js'
import type { Workload } from './workload.js'

/** What one server reached in one row; medians of the rounds. */
export interface ServerFigures extends Omit<Round, 'seconds'> {
  readonly startMilliseconds: number
  readonly memoryMegabytes: number
  /** Medians of the ratios of rounds that followed each other; null without that peer. */
  readonly timesFastify: number | null
  readonly timesNodeHttp: number | null
}

export interface ThroughputRow {
  readonly id: string
  readonly title: string
  readonly target: number | null
  readonly servers: Readonly<Record<string, ServerFigures>>
}

/** Measures one workload on all servers: A B C, A B C, …, so that what else the machine does meets all of them. */
export async function throughput(workload: Workload, data: Data, options: Options): Promise<ThroughputRow> {
  const names = [productName, ...peersOf(workload, options)]
  const files: string[] = []
  const servers: RunningServer[] = []
  const writers: Child[] = []
  const { writes, writesBeside } = workload
  try {
    for (const name of names) {
      const isOwn = writes || writesBeside > 0
      const database = isOwn ? ownDatabase(name, workload, data, options) : data.file
      if (isOwn) files.push(database)
      const settings = { node: options.node, database, synchronous: workload.synchronous }
      servers.push(await startServer(commandOf(name, workload, settings)))
    }
    await checkSameResponses(
      servers.map((server) => ({ server, credentials: data.credentials })),
      workload,
    )
    const writer = [options.node, 'bench/data/write-beside.mjs']
    if (writesBeside > 0) writers.push(...files.map((file) => startBeside([...writer, file, String(writesBeside)])))
    const rounds = await roundsOf(servers, workload, data, options)
    const lost = writers.find(({ process }) => process.exitCode !== null)
    if (lost !== undefined)
      throw new Error(`${workload.id}: the process that writes during the measurement has ended. ${lost.printed()}`)
    return {
      id: workload.id,
      title: workload.title,
      target: workload.target,
      servers: Object.fromEntries(servers.map((server) => [server.name, figuresOf(server, rounds)])),
    }
  } finally {
    await Promise.all([...servers.map((server) => server.stop()), ...writers.map(({ process }) => stopChild(process))])
    files.forEach(removeDatabase)
  }
}

/** Nobody else has a cache or keeps rows: there the product is compared with what the two of the targets do without. */
function peersOf({ cached, writesBeside }: Workload, { peers }: Options): readonly string[] {
  return cached || writesBeside > 0 ? peers.filter((name) => name === 'fastify' || name === 'node-http') : peers
}

function ownDatabase(name: string, { id }: Workload, { file }: Data, { node }: Options): string {
  return name === productName ? copyOf(file, `${id}-${name}`) : plainCopyOf(node, file, `${id}-${name}`)
}

function commandOf(name: string, { cached }: Workload, settings: Settings): ServerCommand {
  if (name !== productName) return peer(name, settings)
  return cached ? exampleShop(settings) : product(settings)
}

type Rounds = ReadonlyMap<string, readonly Round[]>

async function roundsOf(
  servers: readonly RunningServer[],
  workload: Workload,
  { credentials }: Data,
  options: Options,
): Promise<Rounds> {
  const results = new Map(servers.map(({ name }) => [name, [] as Round[]]))
  const usual = new Map(
    servers.map(({ name }) => [name, { next: bytesFrom(workload, credentials), status: workload.status }] as const),
  )
  for (const server of servers) {
    const settings = usual.get(server.name)
    if (settings) await brokenIn(server, settings, options)
  }
  for (let round = 0; round < options.rounds; round += 1) {
    for (const server of servers) {
      const settings = usual.get(server.name)
      if (settings) results.get(server.name)?.push(await measured(server, settings, options))
    }
  }
  return results
}

/** Requests that come again are put into bytes once; new titles go on where the checked requests ended. */
export function bytesFrom(workload: Workload, credentials: Data['credentials']): () => Buffer {
  const next = workload.requests(credentials)
  if (!workload.writes) {
    const few = Array.from({ length: 1000 }, () => bytesOf(next()))
    let turn = 0
    return () => few[turn++ % few.length] ?? few[0] ?? Buffer.alloc(0)
  }
  for (let checked = 0; checked < 10; checked += 1) next()
  return () => bytesOf(next())
}

function figuresOf(server: RunningServer, rounds: Rounds): ServerFigures {
  const own = rounds.get(server.name) ?? []
  const middle = (of: (round: Round) => number) => median(own.map(of))
  return {
    perCpuSecond: middle((round) => round.perCpuSecond),
    perSecond: middle((round) => round.perSecond),
    p50: middle((round) => round.p50),
    p99: middle((round) => round.p99),
    startMilliseconds: server.startMilliseconds,
    memoryMegabytes: server.memoryMegabytes(),
    timesFastify: timesAsFast(own, rounds.get('fastify')),
    timesNodeHttp: timesAsFast(own, rounds.get('node-http')),
  }
}

function timesAsFast(own: readonly Round[], other: readonly Round[] | undefined): number | null {
  if (other === undefined) return null
  return median(own.map(({ perCpuSecond }, index) => perCpuSecond / (other[index]?.perCpuSecond ?? perCpuSecond)))
}
