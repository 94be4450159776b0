import { execFileSync, spawnSync } from 'node:child_process'
import type { Data } from '../data/data.js'
import { bytesOf } from '../load/exchange.js'
import { median } from '../load/load.js'
import type { Options } from '../options.js'
import { rounded, type Section } from '../report/check.js'
import { peer, product, productName } from '../servers/commands.js'
import { startServer, type RunningServer } from '../servers/server.js'
import { brokenIn, measured } from './measure.js'

const path = '/wp-json/bench/v1/hello?count=7'
const request = bytesOf({ method: 'GET', path })
const load = { next: () => request, status: 200 }

interface Reached {
  readonly perSecond: number
  readonly perCpuSecond: number
}

/** Whether the load is the bottleneck: our client beside wrk, on servers that do less and less. */
export async function generatorOfLoad({ file }: Data, options: Options): Promise<Section> {
  const settings = { node: options.node, database: file, synchronous: 'FULL' } as const
  const clients: readonly (readonly [string, (server: RunningServer, options: Options) => Promise<Reached>])[] = [
    ['our own', (server) => measured(server, load, options)],
    ...(spawnSync('wrk', ['--version']).error ? [] : [['wrk', byWrk] as const]),
  ]
  const rows: (string | number)[][] = []
  for (const name of [productName, 'node-http', 'constant']) {
    const server = await startServer(name === productName ? product(settings) : peer(name, settings))
    try {
      await brokenIn(server, load, options)
      const rounds = clients.map(() => [] as Reached[])
      for (let round = 0; round < options.rounds; round += 1) {
        for (const [index, [, reach]] of clients.entries()) rounds[index]?.push(await reach(server, options))
      }
      clients.forEach(([client], index) => {
        const own = rounds[index] ?? []
        rows.push([
          name === 'constant' ? 'constant bytes on node:net' : name,
          client,
          rounded(median(own.map(({ perSecond }) => perSecond))),
          rounded(median(own.map(({ perCpuSecond }) => perCpuSecond))),
        ])
      })
    } finally {
      await server.stop()
    }
  }
  const columns = ['server', 'client', 'requests/s', 'requests/CPU-s']
  return {
    series: [{ id: 'generator', title: 'Is the load the bottleneck?', columns, rows }],
    checks: [],
    notes: clients.length > 1 ? [] : ['wrk is not installed, so the load was not compared with it.'],
  }
}

async function byWrk({ port, cpuSeconds }: RunningServer, { seconds }: Options): Promise<Reached> {
  const time = Math.max(1, Math.round(seconds))
  const begin = cpuSeconds()
  const printed = execFileSync('wrk', ['-t1', '-c50', `-d${time}`, `http://127.0.0.1:${port}${path}`], {
    encoding: 'utf8',
  })
  const used = cpuSeconds() - begin
  const requests = Number(/(\d+) requests in/.exec(printed)?.[1] ?? 0)
  return { perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(printed)?.[1] ?? 0), perCpuSecond: requests / used }
}
