import type { Data } from '../data/data.js'
import { median } from '../load/load.js'
import type { Options } from '../options.js'
import { below, rounded, type Check, type Section } from '../report/check.js'
import { peer, product, productName } from '../servers/commands.js'
import { startServer } from '../servers/server.js'
import { brokenIn, measured } from './measure.js'
import { bytesFrom } from './throughput.js'
import { workloads } from './workload.js'

const share = 0.8

/** How long answers take at four fifths of the highest load, counted from the moment each was due. */
export async function latencyUnderLoad({ file, credentials }: Data, options: Options): Promise<Section> {
  const settings = { node: options.node, database: file, synchronous: 'FULL' } as const
  const rows: (string | number)[][] = []
  const checks: Check[] = []
  const ids = options.quick ? ['list'] : ['hello', 'list', 'password']
  for (const workload of workloads.filter(({ id }) => ids.includes(id))) {
    const next = bytesFrom(workload, credentials)
    for (const name of [productName, ...options.peers.filter((each) => each === 'fastify')]) {
      const server = await startServer(name === productName ? product(settings) : peer(name, settings))
      try {
        const usual = { next, status: workload.status }
        const rounds = []
        await brokenIn(server, usual, options)
        for (let round = 0; round < options.rounds; round += 1) {
          const highest = await measured(server, usual, options)
          rounds.push(await measured(server, { ...usual, rate: highest.perSecond * share }, options))
        }
        const p50 = median(rounds.map((round) => round.p50))
        const p99 = median(rounds.map((round) => round.p99))
        rows.push([
          name,
          workload.id,
          rounded(median(rounds.map((round) => round.perSecond))),
          rounded(p50),
          rounded(p99),
        ])
        if (name === productName) {
          const ratio = median(rounds.map((round) => round.p99 / round.p50))
          checks.push(
            below(`latency-${workload.id}`, `p99 at 80 % of the highest load, ${workload.id}`, ratio, 5, '× p50'),
          )
        }
      } finally {
        await server.stop()
      }
    }
  }
  const columns = ['server', 'row', 'requests/s', 'p50, ms', 'p99, ms']
  return { series: [{ id: 'latency', title: 'At 80 % of the highest load', columns, rows }], checks }
}
