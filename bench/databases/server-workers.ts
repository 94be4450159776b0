import { median } from '../load/load.js'
import type { Options } from '../options.js'
import { brokenIn, measured } from '../rows/measure.js'
import { bytesFrom } from '../rows/throughput.js'
import { product, withWorkers } from '../servers/commands.js'
import { startServer, type RunningServer } from '../servers/server.js'
import type { ServerData } from './server-data.js'
import { ratioOf, type Ratio } from './server-rows.js'
import { serverWorkloads, workerIds, workersConnections } from './server-workloads.js'

/** Requests per CPU-second of one and of two workers, and their ratio. */
export interface WorkersRow {
  readonly id: string
  readonly title: string
  readonly connections: number
  readonly one: number
  readonly two: number
  readonly ratio: Ratio
}

/** What a request costs when two workers serve, against one, on a database server. */
export async function workersOnServer({ url, credentials }: ServerData, options: Options): Promise<WorkersRow[]> {
  const settings = { node: options.node, database: url, synchronous: 'FULL' } as const
  const services: RunningServer[] = []
  const rows: WorkersRow[] = []
  try {
    for (const count of [1, 2]) services.push(await startServer(withWorkers(product(settings), count)))
    for (const workload of serverWorkloads.filter(({ id }) => workerIds.includes(id))) {
      const load = { next: bytesFrom(workload, credentials), status: workload.status }
      // Each of the two workers compiles its own code.
      for (const service of [...services, ...services.slice(1)]) await brokenIn(service, load, options)
      for (const connections of workersConnections) {
        const rounds = services.map(() => [] as number[])
        for (let round = 0; round < options.rounds; round += 1)
          for (const [index, service] of services.entries())
            rounds[index]?.push((await measured(service, { ...load, connections }, options)).perCpuSecond)
        const [one = [], two = []] = rounds
        const ratio = ratioOf(two.map((perCpuSecond, index) => perCpuSecond / (one[index] ?? perCpuSecond)))
        rows.push({ id: workload.id, title: workload.title, connections, one: median(one), two: median(two), ratio })
      }
    }
  } finally {
    await Promise.all(services.map((service) => service.stop()))
  }
  return rows
}
