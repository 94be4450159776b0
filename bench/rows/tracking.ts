import type { Credentials, Data } from '../data/data.js'
import { openServer, type DatabaseServer } from '../databases/database-server.js'
import { makeServerData, type ServerData } from '../databases/server-data.js'
import { ratioOf, type Ratio } from '../databases/server-rows.js'
import { median } from '../load/load.js'
import type { Options } from '../options.js'
import { rounded, type Check, type Section } from '../report/check.js'
import { product, productName, productOnWordPress } from '../servers/commands.js'
import { startServer, type RunningServer } from '../servers/server.js'
import { howToInstall, installedPrograms } from '../wordpress/programs.js'
import { installTracking, startWordPress, type WordPress } from '../wordpress/wordpress.js'
import { brokenIn, measured, type Round } from './measure.js'
import { checkSameResponses } from './same-responses.js'
import { bytesFrom } from './throughput.js'
import { workloads } from './workload.js'

/** Requests per CPU-second with tracking, at least so many times those on the product's own tables. */
const target = 0.95
const ids: readonly string[] = ['list', 'product', 'partial', 'password', 'cookie']

/** Where both services have the same records. */
interface Databases {
  readonly site: WordPress
  readonly own: ServerData
}

/** The product on the database of a WordPress site with tracking, beside the product on its own tables in MariaDB. */
export async function trackingBesideOwnTables(data: Data, options: Options): Promise<Section> {
  const programs = installedPrograms()
  if (programs === null)
    return {
      series: [],
      checks: ids.map((id) => ratioCheck(id, null)),
      notes: [`WordPress is not installed, so nothing was measured with tracking. To install it: ${howToInstall}`],
    }
  let site: WordPress | undefined
  let server: DatabaseServer | undefined
  let own: ServerData | undefined
  try {
    site = await startWordPress(programs, data)
    installTracking(site, options.node)
    server = await openServer('mariadb')
    own = await makeServerData(options.node, server.url, 5000, 500)
    const rows: (readonly (string | number)[])[] = []
    const checks: Check[] = []
    for (const id of ids) {
      const { ratio, lines } = await compared(id, { site, own }, data, options)
      rows.push(...lines)
      checks.push(ratioCheck(id, ratio))
    }
    const columns = ['request', 'server', 'requests/CPU-s', '× own tables', 'lowest', 'highest', 'p50, ms', 'p99, ms']
    return {
      series: [{ id: 'tracking', title: 'With tracking, and on its own tables', columns, rows }],
      checks,
      notes: [
        `Tracking is on the tables of WordPress ${site.about.version} in MariaDB ${site.about.database}. × own tables is the ` +
          'median of the ratios of rounds that followed each other; lowest and highest are the extremes of these.',
      ],
    }
  } finally {
    await own?.drop()
    await server?.stop()
    await site?.stop()
  }
}

async function compared(id: string, { site, own }: Databases, data: Data, options: Options) {
  const workload = workloads.find((each) => each.id === id)
  if (workload === undefined) throw new Error(`There is no workload ${id}.`)
  const { authorization, cookie, nonce } = site.about
  const credentials: readonly Credentials[] = [{ ...data.credentials, authorization, cookie, nonce }, own.credentials]
  const services: RunningServer[] = []
  try {
    services.push(await startServer(productOnWordPress(options.node, site.configPath)))
    services.push(await startServer(product({ node: options.node, database: own.url, synchronous: 'FULL' })))
    const loads = services.map((server, index) => {
      const valid = credentials[index] ?? data.credentials
      const settings = { next: bytesFrom(workload, valid), status: workload.status }
      return { server, credentials: valid, settings, rounds: [] as Round[] }
    })
    await checkSameResponses(loads, workload)
    for (const { server, settings } of loads) await brokenIn(server, settings, options)
    for (let round = 0; round < options.rounds; round += 1)
      for (const { server, settings, rounds } of round % 2 === 0 ? loads : loads.toReversed())
        rounds.push(await measured(server, settings, options))
    const [tracked = [], plain = []] = loads.map(({ rounds }) => rounds)
    const ratio = ratioOf(tracked.map(({ perCpuSecond }, round) => perCpuSecond / (plain[round]?.perCpuSecond ?? 1)))
    const line = (name: string, rounds: readonly Round[], ratios: readonly (string | number)[]) => [
      workload.title,
      `${productName}, ${name}`,
      Math.round(median(rounds.map(({ perCpuSecond }) => perCpuSecond))),
      ...ratios,
      rounded(median(rounds.map(({ p50 }) => p50))),
      rounded(median(rounds.map(({ p99 }) => p99))),
    ]
    const figures = [ratio.median, ratio.lowest, ratio.highest].map((value) => value.toFixed(3))
    return {
      ratio,
      lines: [line('with tracking', tracked, figures), line('own tables', plain, ['', '', ''])],
    }
  } finally {
    await Promise.all(services.map((each) => each.stop()))
  }
}

function ratioCheck(workload: string, ratio: Ratio | null): Check {
  return {
    id: `tracking-${workload}`,
    title: `${workload} on the database of WordPress with tracking, against the product on its own tables`,
    target: `≥ ${target} ×`,
    measured: ratio === null ? 'WordPress is not installed' : `${ratio.median.toFixed(3)} ×`,
    met: ratio === null ? 'not run' : ratio.median >= target,
  }
}
