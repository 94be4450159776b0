import { readFileSync } from 'node:fs'
import { grownData, makeData, removeDatabase, type Data } from '../data/data.js'
import { bytesOf, type BenchRequest } from '../load/exchange.js'
import { median } from '../load/load.js'
import type { Options } from '../options.js'
import { rounded, type Check, type Section, type Series } from '../report/check.js'
import { peer, product, productName } from '../servers/commands.js'
import { startServer, type RunningServer } from '../servers/server.js'
import { brokenIn, measured, type RoundSettings } from './measure.js'

interface Step {
  readonly size: number
  /** One after the other, and from the beginning again. */
  readonly requests: readonly BenchRequest[]
  readonly data?: Data
  readonly connections?: number
}

/** CPU time of one request in microseconds, by server name, then in the order of the steps. */
type Costs = ReadonlyMap<string, readonly number[]>

export async function growthOfArguments(data: Data, options: Options): Promise<Section> {
  const steps = [1, 10, 100].map((size) => {
    const query = Array.from({ length: size }, (_, index) => `a${index}=${index}`).join('&')
    return { size, requests: [{ method: 'GET', path: `/wp-json/bench/v1/arguments-${size}?${query}` }] }
  })
  const costs = await costsOf(steps, data, options)
  return sectionOf('arguments', 'Declared and sent arguments', steps, costs, 100)
}

export async function growthOfBodies(data: Data, options: Options): Promise<Section> {
  const steps = [1000, 10_000, 100_000, 1_000_000].map((size) => ({
    size,
    requests: [
      { method: 'POST', path: '/wp-json/bench/v1/body', body: JSON.stringify({ text: 'x'.repeat(size - 11) }) },
    ],
  }))
  return sectionOf('body', 'Bytes of a JSON body', steps, await costsOf(steps, data, options), 1000)
}

export async function growthOfConnections(data: Data, options: Options): Promise<Section> {
  const requests = [{ method: 'GET', path: '/wp-json/bench/v1/hello?count=7' }]
  const sizes = options.quick ? [10, 500] : [10, 100, 1000, 5000]
  const maximum = openFiles()
  const steps = sizes.filter((size) => size + 100 < maximum).map((size) => ({ size, requests, connections: size }))
  const costs = await costsOf(steps, data, options)
  const section = sectionOf('connections', 'Open connections, all of them busy', steps, costs, 2)
  if (steps.length === sizes.length) return section
  return {
    ...section,
    notes: [`A process may open ${maximum} files here: ulimit -n must allow more for all the connections.`],
  }
}

/** How many a process may have, as Node raises its own limit: to the hard one. */
function openFiles(): number {
  return Number(/^Max open files\s+\S+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 1024)
}

export async function growthOfRecords(data: Data, options: Options): Promise<Section> {
  const sizes = options.quick ? [1000, 20_000] : [1000, 10_000, 100_000, 1_000_000]
  const stores = sizes.map((size) =>
    size < 5000 ? makeData(options.node, size, 500) : grownData(options.node, data, size),
  )
  const pages = (pagesOf: (size: number) => readonly number[]) =>
    sizes.map((size, index) => ({
      size,
      requests: pagesOf(size).map((page) => ({ method: 'GET', path: `/wp-json/shop/v1/products?page=${page}` })),
      data: stores[index] ?? data,
    }))
  try {
    const first = pages(() => [1])
    // From the last one on, since the rows of a page that comes again are kept: of the larger stores none comes twice. Few
    // connections: where a response takes tens of milliseconds, more would only queue.
    const lastPages = (size: number) => Array.from({ length: size / 20 }, (_, index) => size / 10 - index)
    const deep = pages(lastPages).map((step) => ({ ...step, connections: 4 }))
    const growth = (sizes.at(-1) ?? 1) / (sizes[0] ?? 1)
    const ofFirst = sectionOf(
      'records-first',
      'Products in the store: first page, cached',
      first,
      await costsOf(first, data, options),
      2,
    )
    const deepCosts = await costsOf(deep, data, options)
    const ofDeep = sectionOf('records-deep', 'Products in the store: last pages in sequence', deep, deepCosts, growth)
    return {
      series: [...ofFirst.series, ...ofDeep.series],
      checks: [...ofFirst.checks, ...ofDeep.checks, ...besideFastify(deepCosts, sizes.at(-1) ?? 0)],
    }
  } finally {
    for (const store of stores) removeDatabase(store.file)
  }
}

/** Whose statement skips whole rows where the product's skips ids. */
function besideFastify(costs: Costs, size: number): readonly Check[] {
  const [own, other] = [costs.get(productName)?.at(-1), costs.get('fastify')?.at(-1)]
  if (own === undefined || other === undefined) return []
  return [
    {
      id: 'growth-records-deep-fastify',
      title: `last pages of ${size} products, against Fastify`,
      target: 'cost ≤ 1 ×',
      measured: `${rounded(own / other)} ×`,
      met: own <= other,
    },
  ]
}

async function costsOf(steps: readonly Step[], data: Data, options: Options): Promise<Costs> {
  const names = [productName, ...options.peers.filter((name) => name === 'fastify')]
  const costs = new Map(names.map((name) => [name, steps.map(() => [] as number[])]))
  const stores = [...new Set(steps.map((step) => step.data ?? data))]
  const servers = new Map<string, RunningServer>()
  const keyOf = (name: string, store: Data) => `${name} ${store.file}`
  try {
    for (const store of stores) {
      const settings = { node: options.node, database: store.file, synchronous: 'FULL' } as const
      for (const name of names) {
        servers.set(
          keyOf(name, store),
          await startServer(name === productName ? product(settings) : peer(name, settings)),
        )
      }
    }
    const loads = steps.map(({ requests, connections }) => {
      const bytes = requests.map(bytesOf)
      let turn = 0
      const usual = { next: () => bytes[turn++ % bytes.length] ?? Buffer.alloc(0), status: 200 }
      return connections === undefined ? usual : { ...usual, connections }
    })
    const each = async (visit: (server: RunningServer, load: RoundSettings, costs: number[]) => Promise<void>) => {
      for (const [index, { data: own = data }] of steps.entries()) {
        for (const name of names) {
          const [server, load, its] = [servers.get(keyOf(name, own)), loads[index], costs.get(name)?.[index]]
          if (server && load && its) await visit(server, load, its)
        }
      }
    }
    await each((server, load) => brokenIn(server, load, options))
    for (let round = 0; round < options.rounds; round += 1) {
      await each(async (server, load, its) => {
        its.push(1e6 / (await measured(server, load, options)).perCpuSecond)
      })
    }
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()))
  }
  return new Map([...costs].map(([name, lists]) => [name, lists.map(median)]))
}

/** @param maximum how many times the first step's cost the last one may have. */
function sectionOf(id: string, title: string, steps: readonly Step[], costs: Costs, maximum: number): Section {
  const series: Series = {
    id,
    title,
    columns: ['server', ...steps.map(({ size }) => `${size}`), '(µs of CPU a request)'],
    rows: [...costs].map(([name, list]) => [name, ...list.map(rounded), '']),
  }
  const own = costs.get(productName) ?? []
  const ratio = (own.at(-1) ?? 0) / (own[0] ?? 1)
  const check: Check = {
    id: `growth-${id}`,
    title: `${title.toLowerCase()}: ${steps[0]?.size} → ${steps.at(-1)?.size}`,
    target: `cost ≤ ${maximum} ×`,
    measured: `${rounded(ratio)} ×`,
    met: ratio <= maximum,
  }
  return { series: [series], checks: [check] }
}
