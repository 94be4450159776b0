import { existsSync } from 'node:fs'
import { makeApplication } from '../data/application.js'
import { copyOf, makeData, removeDatabase, type Data } from '../data/data.js'
import { median } from '../load/load.js'
import type { Options } from '../options.js'
import { table } from '../report/table.js'
import { startBeside, stopChild, type Child } from '../servers/child.js'
import { before, exampleShop, product, type Settings } from '../servers/commands.js'
import { startServer, type RunningServer } from '../servers/server.js'
import { brokenIn, measured } from './measure.js'
import { bytesFrom } from './throughput.js'
import { workloads, type Workload } from './workload.js'

/**
 * Compares the throughput of this build with that of another checkout, row by row. Each round starts both servers anew and
 * measures them in turn: two processes of one build differ by up to 8 %, because each compiles its code by itself. Prints the
 * median of the ratios new/old, their spread, and the spread of the old build's own rounds, below which a difference means
 * nothing.
 * @param folder the other checkout, with a slash at its end. @param tell is called with the name of each row before it is measured.
 */
export async function compareBuilds(folder: string, options: Options, tell: (line: string) => void): Promise<void> {
  if (!existsSync(`${folder}dist/cli/main.js`)) throw new TypeError(`${folder} is not built: run npm ci there.`)
  makeApplication()
  makeApplication(`${folder}bench/dist/`, folder)
  const data = makeData(options.node, 5000, 500, folder)
  const isWanted = ({ id }: Workload) => options.only.length === 0 || options.only.some((start) => id.startsWith(start))
  const rows: string[][] = []
  try {
    for (const workload of workloads.filter(isWanted)) {
      tell(workload.title)
      rows.push([workload.title, ...(await rowOf(workload, folder, data, options))])
    }
  } finally {
    removeDatabase(data.file)
  }
  const head = ['requests per CPU-second', 'before', 'now', 'now / before', 'of the rounds', 'spread of before']
  process.stdout.write(`${table(head, rows)}\n`)
}

async function rowOf(workload: Workload, folder: string, data: Data, options: Options): Promise<string[]> {
  const old: number[] = []
  const now: number[] = []
  for (let round = 0; round < options.rounds; round += 1) {
    // The order changes, because the server that is measured second in all rounds comes out up to 5 % slower.
    const [before, after] = await roundOf(workload, folder, data, options, round % 2 === 1)
    old.push(before)
    now.push(after)
  }
  const ratios = now.map((perSecond, round) => perSecond / (old[round] ?? perSecond))
  const [low, high] = [Math.min(...old) / median(old), Math.max(...old) / median(old)]
  return [
    String(Math.round(median(old))),
    String(Math.round(median(now))),
    median(ratios).toFixed(3),
    `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
    `${low.toFixed(2)} to ${high.toFixed(2)}`,
  ]
}

/** Requests per CPU-second of the other checkout and of this build: the mean of two measurements each, in turn. */
async function roundOf(
  workload: Workload,
  folder: string,
  data: Data,
  options: Options,
  isReversed: boolean,
): Promise<readonly [before: number, now: number]> {
  const { writesBeside, cached, synchronous, status } = workload
  // Each build has a copy, since a newer one may migrate the tables.
  const databases = ['before', 'now'].map((name) => copyOf(data.file, `${workload.id}-${name}`))
  const servers: RunningServer[] = []
  const writers: Child[] = []
  try {
    for (const [index, database] of databases.entries()) {
      const settings: Settings = { node: options.node, database, synchronous }
      const now = cached ? exampleShop : product
      servers.push(await startServer(index === 0 ? before(folder, cached, settings) : now(settings)))
    }
    if (writesBeside > 0) {
      const writer = [options.node, 'bench/data/write-beside.mjs']
      writers.push(...databases.map((file) => startBeside([...writer, file, String(writesBeside)])))
    }
    const loads = servers.map((server) => ({
      server,
      settings: { next: bytesFrom(workload, data.credentials), status },
      perCpuSecond: 0,
    }))
    for (const { server, settings } of loads) await brokenIn(server, settings, options)
    const order = isReversed ? loads.toReversed() : loads
    for (const load of [...order, ...order.toReversed()])
      load.perCpuSecond += (await measured(load.server, load.settings, options)).perCpuSecond / 2
    const [old, now] = loads
    return [old?.perCpuSecond ?? 0, now?.perCpuSecond ?? 0]
  } finally {
    await Promise.all([...servers.map((server) => server.stop()), ...writers.map(({ process }) => stopChild(process))])
    databases.forEach(removeDatabase)
  }
}
