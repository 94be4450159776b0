import type { Data } from '../data/data.js'
import { median } from '../load/load.js'
import type { Options } from '../options.js'
import { rounded, type Check, type Section } from '../report/check.js'
import { product, withWorkers } from '../servers/commands.js'
import { startServer, type RunningServer } from '../servers/server.js'
import { brokenIn, measured } from './measure.js'
import { bytesFrom } from './throughput.js'
import { workloads } from './workload.js'

const target = 0.85

/** Requests that read from the caches, read each row anew, and have a caller. */
const measuredIds = ['list', 'product', 'password', 'cookie']

/** What a request costs when two workers serve, against one: all run on one core, and CPU time is what counts. */
export async function severalWorkers({ file, credentials }: Data, options: Options): Promise<Section> {
  const settings = { node: options.node, database: file, synchronous: 'FULL' } as const
  const rows: (string | number)[][] = []
  const checks: Check[] = []
  const servers: RunningServer[] = []
  try {
    for (const count of [1, 2]) servers.push(await startServer(withWorkers(product(settings), count)))
    for (const workload of workloads.filter(({ id }) => measuredIds.includes(id))) {
      const load = { next: bytesFrom(workload, credentials), status: workload.status }
      // Each of the two workers compiles its own code.
      for (const server of [...servers, ...servers.slice(1)]) await brokenIn(server, load, options)
      const results = servers.map(() => [] as number[])
      for (let round = 0; round < options.rounds; round += 1)
        for (const [index, server] of servers.entries())
          results[index]?.push((await measured(server, load, options)).perCpuSecond)
      const [one = [], two = []] = results
      const ratio = median(two.map((perCpuSecond, index) => perCpuSecond / (one[index] ?? perCpuSecond)))
      rows.push([workload.title, rounded(median(one)), rounded(median(two)), rounded(ratio)])
      checks.push({
        id: `workers-${workload.id}`,
        title: `${workload.title}: 2 workers, against 1`,
        target: `≥ ${target} ×`,
        measured: `${ratio.toFixed(2)} ×`,
        met: ratio >= target,
      })
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
  const columns = ['request', '1 worker, requests/CPU-s', '2 workers, requests/CPU-s', '2 against 1']
  return { series: [{ id: 'workers', title: 'What several workers cost', columns, rows }], checks }
}
