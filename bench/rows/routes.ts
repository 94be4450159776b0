import type { Data } from '../data/data.js'
import { makeRoutes } from '../data/routes.js'
import { bytesOf } from '../load/exchange.js'
import { median } from '../load/load.js'
import type { Options } from '../options.js'
import { below, rounded, type Section } from '../report/check.js'
import { peer, product, productName } from '../servers/commands.js'
import { startServer, type RunningServer } from '../servers/server.js'
import { brokenIn, measured } from './measure.js'

/** Many declared routes: what they cost at the start, in memory, and when the last of them is asked for. */
export async function manyRoutes(data: Data, options: Options): Promise<Section> {
  const counts = [10, 1000, 10_000]
  const most = counts.at(-1) ?? 0
  const names = options.quick ? [productName] : [productName, ...options.peers.filter((name) => name === 'fastify')]
  const rows: (string | number)[][] = []
  const checks = []
  for (const name of names) {
    const servers = await started(name, counts, data, options)
    try {
      const memories = servers.map((server) => server.memoryMegabytes())
      const figures = await rounds(servers, counts, options)
      const afterLoad = servers.map((server) => server.memoryMegabytes())
      counts.forEach((count, index) => {
        const [start, memory, after, figure] = [
          servers[index]?.startMilliseconds,
          memories[index],
          afterLoad[index],
          figures[index],
        ]
        rows.push([name, count, rounded(start ?? 0), rounded(memory ?? 0), rounded(after ?? 0), rounded(figure ?? 0)])
      })
      if (name !== productName) continue
      const [few = 1, , many = 0] = figures
      checks.push(
        {
          id: 'routes-throughput',
          title: `throughput of the last of ${most} routes, against 10`,
          target: 'within 5 %',
          measured: `${((many / few - 1) * 100).toFixed(1)} %`,
          met: many / few >= 0.95,
        },
        below('routes-start', `start with ${most} routes`, (servers.at(-1)?.startMilliseconds ?? 0) / 1000, 1, 's'),
        below('routes-memory', `memory with ${most} routes, after load`, afterLoad.at(-1) ?? 0, 120, 'MB'),
      )
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
    }
  }
  const columns = ['server', 'routes', 'first answer, ms', 'memory, MB', 'after load, MB', 'last route, requests/CPU-s']
  return { series: [{ id: 'routes', title: 'Declared routes', columns, rows }], checks }
}

async function started(name: string, counts: readonly number[], { file }: Data, options: Options) {
  const settings = { node: options.node, database: file, synchronous: 'FULL' } as const
  const servers: RunningServer[] = []
  for (const count of counts) {
    const command = name === productName ? product(settings, makeRoutes(count)) : peer(name, settings, count)
    servers.push(await startServer(command))
  }
  return servers
}

/** Requests a CPU-second for each, medians of interleaved rounds. */
async function rounds(servers: readonly RunningServer[], counts: readonly number[], options: Options) {
  const results = servers.map(() => [] as number[])
  const requests = counts.map((count) =>
    bytesOf({ method: 'GET', path: `/wp-json/scale/v1/things-${count}/5?count=7` }),
  )
  const usual = requests.map((request) => ({ next: () => request, status: 200 }))
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [index, server] of servers.entries()) {
      const settings = usual[index]
      if (settings === undefined) continue
      if (round === 0) await brokenIn(server, settings, options)
      results[index]?.push((await measured(server, settings, options)).perCpuSecond)
    }
  }
  return results.map(median)
}
