import type { Data } from '../data/data.js'
import { makeRoutes } from '../data/routes.js'
import { bytesOf } from '../load/exchange.js'
import { median } from '../load/load.js'
import type { Options } from '../options.js'
import { below, rounded, type Check, type Section } from '../report/check.js'
import { peer, product, productName, type Settings } from '../servers/commands.js'
import { startServer, type ServerCommand } from '../servers/server.js'
import { brokenIn, measured } from './measure.js'

const counts = [10, 1000, 10_000]

/** One process from its start to its last request. */
interface Run {
  readonly startMilliseconds: number
  readonly idleMegabytes: number
  readonly loadedMegabytes: number
  readonly perCpuSecond: number
}

/**
 * Many declared routes: what they cost at the start, in memory, and when the last of them is requested. Each round begins
 * with new processes, one after the other: how a process happens to lie in memory makes more of a difference than routes.
 */
export async function manyRoutes({ file }: Data, options: Options): Promise<Section> {
  const settings: Settings = { node: options.node, database: file, synchronous: 'FULL' }
  const folders = counts.map(makeRoutes)
  const commands = [
    counts.map((_, index) => product(settings, folders[index])),
    ...(options.quick ? [] : options.peers.filter((name) => name === 'fastify')).map((name) =>
      counts.map((count) => peer(name, settings, count)),
    ),
  ]
  const rows: (string | number)[][] = []
  const checks: Check[] = []
  for (const ofServer of commands) {
    const runs = await rounds(ofServer, options)
    const middle = (index: number, of: (run: Run) => number): number => median((runs[index] ?? []).map(of))
    counts.forEach((count, index) => {
      const figures = (['startMilliseconds', 'idleMegabytes', 'loadedMegabytes', 'perCpuSecond'] as const).map((name) =>
        rounded(middle(index, (run) => run[name])),
      )
      rows.push([ofServer[index]?.name ?? '', count, ...figures])
    })
    if (ofServer[0]?.name === productName) checks.push(...checksOf(runs, middle))
  }
  const columns = [
    'server',
    'routes',
    'first response, ms',
    'memory, MB',
    'after load, MB',
    'last route, requests/CPU-s',
  ]
  return { series: [{ id: 'routes', title: 'Declared routes', columns, rows }], checks }
}

function checksOf(runs: readonly Run[][], middle: (index: number, of: (run: Run) => number) => number): Check[] {
  const last = counts.length - 1
  const largest = counts[last] ?? 0
  // Rounds that follow each other meet what else the machine does.
  const ratio = median((runs[last] ?? []).map((run, round) => run.perCpuSecond / (runs[0]?.[round]?.perCpuSecond ?? 1)))
  return [
    {
      id: 'routes-throughput',
      title: `throughput of the last of ${largest} routes, against ${counts[0]}`,
      target: 'within 5 %',
      measured: `${((ratio - 1) * 100).toFixed(1)} %`,
      met: ratio >= 0.95,
    },
    below('routes-start', `start with ${largest} routes`, middle(last, (run) => run.startMilliseconds) / 1000, 1, 's'),
    below(
      'routes-memory',
      `memory with ${largest} routes`,
      middle(last, (run) => run.idleMegabytes),
      120,
      'MB',
    ),
    below(
      'routes-load',
      `the same after load`,
      middle(last, (run) => run.loadedMegabytes),
      120,
      'MB',
    ),
  ]
}

/** The runs of each command. */
async function rounds(commands: readonly ServerCommand[], options: Options): Promise<Run[][]> {
  const runs = commands.map(() => [] as Run[])
  for (let round = 0; round < options.rounds; round += 1)
    for (const [index, command] of commands.entries())
      runs[index]?.push(await run(command, counts[index] ?? 0, options))
  return runs
}

async function run(command: ServerCommand, count: number, options: Options): Promise<Run> {
  const server = await startServer(command)
  try {
    const idleMegabytes = server.memoryMegabytes()
    const request = bytesOf({ method: 'GET', path: `/wp-json/scale/v1/things-${count}/5?count=7` })
    const usual = { next: () => request, status: 200 }
    await brokenIn(server, usual, options)
    const { perCpuSecond } = await measured(server, usual, options)
    const { startMilliseconds } = server
    return { startMilliseconds, idleMegabytes, loadedMegabytes: server.memoryMegabytes(), perCpuSecond }
  } finally {
    await server.stop()
  }
}
