import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import { makeApplication } from '../data/application.js'
import type { Options } from '../options.js'
import { root } from '../places.js'
import { openServer, type DatabaseServer } from './database-server.js'
import { makeServerData } from './server-data.js'
import type { ServerReport } from './server-report.js'
import { serverRow, type ServerRow } from './server-rows.js'
import { workersOnServer, type WorkersRow } from './server-workers.js'
import { serverWorkloads } from './server-workloads.js'

/**
 * Compares the product with Fastify on a database server. The rows that add products come last.
 * @param address see `openServer`. @param tell is called with the name of each row before it is measured.
 */
export async function compareOnServer(
  address: string,
  options: Options,
  tell: (line: string) => void,
): Promise<ServerReport> {
  const isWanted = (id: string) =>
    options.only.length === 0 || options.only.some((beginning) => id.startsWith(beginning))
  const workloads = serverWorkloads.filter(({ id }) => isWanted(id))
  if (workloads.length === 0 && !isWanted('workers'))
    throw new TypeError(`No row is called so: ${[...serverWorkloads.map(({ id }) => id), 'workers'].join(', ')}`)
  makeApplication()
  const server = await openServer(address)
  try {
    const [products, posts] = options.quick ? [500, 50] : [5000, 500]
    tell(`making ${products} products and ${posts} posts on ${server.version}`)
    const data = await makeServerData(options.node, server.url, products, posts)
    try {
      const rows: ServerRow[] = []
      let workers: readonly WorkersRow[] = []
      if (isWanted('workers')) {
        tell('workers')
        workers = await workersOnServer(data, options)
      }
      for (const workload of workloads) {
        tell(workload.title)
        rows.push(await serverRow(workload, server, data, options))
      }
      return { kind: server.kind, machine: machineOf(server, options, products), rows, workers }
    } finally {
      await data.drop()
    }
  } finally {
    await server.stop()
  }
}

function machineOf(
  { version, durability }: DatabaseServer,
  { node, rounds, seconds, quick }: Options,
  products: number,
): ServerReport['machine'] {
  const ask = (program: string, args: readonly string[]) =>
    execFileSync(program, args, { cwd: root, encoding: 'utf8' }).trim()
  return {
    date: new Date().toISOString(),
    commit: ask('git', ['describe', '--always', '--dirty']),
    database: version,
    durability,
    node: ask(node, ['--version']),
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    products,
    rounds,
    seconds,
    quick,
  }
}
