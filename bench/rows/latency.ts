import type { Data } from '../data/data.js'
import { bytesOf } from '../load/exchange.js'
import { median } from '../load/load.js'
import type { Options } from '../options.js'
import { below, rounded, type Check, type Section } from '../report/check.js'
import { peer, product, productName } from '../servers/commands.js'
import { startServer, type RunningServer } from '../servers/server.js'
import { brokenIn, measured, type Round, type RoundSettings } from './measure.js'
import { bytesFrom } from './throughput.js'
import { workloads, type Workload } from './workload.js'

const share = 0.8

/** Keeps its core busy as long as the product does, and writes constant bytes: what its responses take is the machine's. */
const floorName = 'busy'
const shownFloor = 'baseline: a busy loop of the same duration'

/** How long responses take at four fifths of the highest load, counted from the moment each was due. */
export async function latencyUnderLoad(data: Data, options: Options): Promise<Section> {
  const rows: (string | number)[][] = []
  const checks: Check[] = []
  const ids = options.quick ? ['list'] : ['hello', 'list', 'password']
  for (const workload of workloads.filter(({ id }) => ids.includes(id))) {
    const roundsByServer = await roundsOf(workload, data, options)
    for (const [name, rounds] of roundsByServer) {
      const middle = (of: (round: Round) => number) => median(rounds.map(of))
      const ratio = middle(({ p50, p99 }) => p99 / p50)
      const shown = name === floorName ? shownFloor : name
      rows.push([
        workload.id,
        shown,
        rounded(middle(({ perSecond }) => perSecond)),
        rounded(middle(({ p50 }) => p50)),
        rounded(middle(({ p99 }) => p99)),
        rounded(ratio),
      ])
      if (name !== productName) continue
      checks.push(below(`latency-${workload.id}`, `p99 at 80 % of the highest load, ${workload.id}`, ratio, 5, '× p50'))
    }
  }
  const columns = ['row', 'server', 'requests/s', 'p50, ms', 'p99, ms', 'p99 / p50']
  return { series: [{ id: 'latency', title: 'At 80 % of the highest load', columns, rows }], checks }
}

/** Of each server, by its name; rounds that follow each other meet what else the machine does. */
async function roundsOf(workload: Workload, { file, credentials }: Data, options: Options) {
  const settings = { node: options.node, database: file, synchronous: 'FULL' } as const
  const usual = { next: bytesFrom(workload, credentials), status: workload.status }
  const peers = [...options.peers.filter((each) => each === 'fastify'), floorName]
  const servers: RunningServer[] = []
  try {
    servers.push(await startServer(product(settings)))
    for (const name of peers) servers.push(await startServer(peer(name, settings)))
    for (const server of servers) await brokenIn(server, usual, options)
    const roundsByServer = new Map(servers.map(({ name }) => [name, [] as Round[]]))
    for (let round = 0; round < options.rounds; round += 1) {
      let ofProduct: Paced | null = null
      for (const server of servers) {
        const paced: Paced =
          server.name === floorName && ofProduct !== null
            ? await busyAs(ofProduct, server, options)
            : await pacedFor(server, usual, options)
        if (server.name === productName) ofProduct = paced
        roundsByServer.get(server.name)?.push(await measured(server, paced, options))
      }
    }
    return roundsByServer
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

interface Paced extends RoundSettings {
  readonly rate: number
  /** Of CPU time for each response at full load. */
  readonly microseconds: number
}

async function pacedFor(server: RunningServer, usual: RoundSettings, options: Options): Promise<Paced> {
  const { perSecond, perCpuSecond } = await measured(server, usual, options)
  return { ...usual, rate: perSecond * share, microseconds: 1e6 / perCpuSecond }
}

/** Requests that keep a server busy as long as the product was, at the rate at which that gets them. */
async function busyAs(product: Paced, server: RunningServer, options: Options): Promise<Paced> {
  const asking = (microseconds: number): RoundSettings => {
    const request = bytesOf({ method: 'GET', path: `/${Math.max(0, Math.round(microseconds))}` })
    return { next: () => request, status: 200 }
  }
  const { microseconds: own } = await pacedFor(server, asking(0), options)
  return { ...product, ...asking(product.microseconds - own) }
}
