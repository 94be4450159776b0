import type { Data } from '../data/data.js'
import { median } from '../load/load.js'
import type { Options } from '../options.js'
import { rounded, type Check, type Section } from '../report/check.js'
import { productName, productOnWordPress } from '../servers/commands.js'
import { startServer } from '../servers/server.js'
import { howToInstall, installedPrograms } from '../wordpress/programs.js'
import { installTracking, startWordPress, type WordPress } from '../wordpress/wordpress.js'
import { brokenIn, measuredWithDatabase, type RoundWithDatabase } from './measure.js'
import { checkSameResponses } from './same-responses.js'
import { bytesFrom } from './throughput.js'
import { workloads } from './workload.js'

/** Requests a CPU-second of everything but the database, at least so many times those of PHP and nginx. */
const targets: Readonly<Record<string, number>> = { list: 25, product: 40, password: 10 }

const modes = [
  { id: 'default', title: 'nothing kept', isTracked: false },
  { id: 'tracked', title: 'with tracking', isTracked: true },
] as const
type Mode = (typeof modes)[number]

/** Two for each worker of PHP: fifty would only queue. */
const connectionsOfPhp = 8

/** The product and PHP on one database: that of the site, which both answer from. */
export async function onItsDatabase(data: Data, options: Options): Promise<Section> {
  const programs = installedPrograms()
  if (programs === null) return skipped()
  const site = await startWordPress(programs, data)
  try {
    const rows: (readonly (string | number)[])[] = []
    const checks: Check[] = []
    for (const mode of modes) {
      if (mode.isTracked) installTracking(site, options.node)
      for (const [id, target] of Object.entries(targets)) {
        const { ratio, database, lines } = await compared(id, mode, site, data, options)
        rows.push(...lines)
        checks.push(ratioCheck(id, mode, target, ratio))
        checks.push(databaseCheck(id, mode, database))
      }
    }
    const columns = ['request', 'server', 'requests/CPU-s', '× WordPress', 'database, µs/request', 'p50, ms', 'p99, ms']
    const { version, php, database } = site.about
    return {
      series: [{ id: 'shared-wordpress', title: `On the database of WordPress ${version}`, columns, rows }],
      checks,
      notes: [
        `Both answer from the tables of one site: PHP ${php} (php-fpm, opcache) behind nginx, and the product with --wordpress; ` +
          `MariaDB ${database}. Requests per CPU-second are those of nginx and PHP, and of the product; the time of the database is apart.`,
      ],
    }
  } finally {
    await site.stop()
  }
}

async function compared(id: string, { title }: Mode, site: WordPress, data: Data, options: Options) {
  const workload = workloads.find((each) => each.id === id)
  if (workload === undefined) throw new Error(`There is no workload ${id}.`)
  const server = await startServer(productOnWordPress(options.node, site.configPath))
  const credentials = { ...data.credentials, authorization: site.about.authorization }
  const servers = [server, site.pages] as const
  try {
    await checkSameResponses(
      servers.map((each) => ({ server: each, credentials })),
      workload,
    )
    const rounds: readonly RoundWithDatabase[][] = servers.map(() => [])
    const next = bytesFrom(workload, credentials)
    for (let round = 0; round < options.rounds; round += 1) {
      for (const [index, each] of servers.entries()) {
        const isPhp = each === site.pages
        const load = { next, status: workload.status, ...(isPhp && { connections: connectionsOfPhp }) }
        if (round === 0) await brokenIn(each, load, options)
        // PHP answers so few that a round must be longer to be as exact.
        const seconds = isPhp && !options.quick ? options.seconds * 2 : options.seconds
        rounds[index]?.push(await measuredWithDatabase(each, site.databaseCpuSeconds, load, { ...options, seconds }))
      }
    }
    const of = (index: number, value: (round: RoundWithDatabase) => number) => median((rounds[index] ?? []).map(value))
    const speeds = servers.map((_, index) => of(index, ({ perCpuSecond }) => perCpuSecond))
    const database = servers.map((_, index) => of(index, ({ databaseMicroseconds }) => databaseMicroseconds))
    const ratio = (speeds[0] ?? 0) / (speeds[1] ?? 1)
    const lines = servers.map(({ name }, index) => [
      workload.title,
      index === 0 ? `${productName}, ${title}` : name,
      Math.round(speeds[index] ?? 0),
      index === 0 ? rounded(ratio) : '',
      Math.round(database[index] ?? 0),
      rounded(of(index, ({ p50 }) => p50)),
      rounded(of(index, ({ p99 }) => p99)),
    ])
    return { ratio, database, lines }
  } finally {
    await server.stop()
  }
}

function ratioCheck(workload: string, { id, title }: Mode, target: number, ratio: number | null): Check {
  return {
    id: `shared-wordpress-${id}-${workload}`,
    title: `${workload} on the database of WordPress, ${title}, against PHP`,
    target: `≥ ${target} ×`,
    measured: ratio === null ? 'WordPress is not installed' : `${rounded(ratio)} ×`,
    met: ratio === null ? 'not run' : ratio >= target,
  }
}

function databaseCheck(workload: string, { id, title }: Mode, database: readonly number[] | null): Check {
  const [ours = 0, theirs = 0] = database ?? []
  return {
    id: `shared-wordpress-${id}-${workload}-database`,
    title: `${workload}, ${title}: CPU time of the database for a request, against PHP`,
    target: '≤ 1 ×',
    measured: database === null ? 'WordPress is not installed' : `${rounded(ours / theirs)} ×`,
    met: database === null ? 'not run' : ours <= theirs,
  }
}

function skipped(): Section {
  const checks = modes.flatMap((mode) =>
    Object.entries(targets).flatMap(([id, target]) => [
      ratioCheck(id, mode, target, null),
      databaseCheck(id, mode, null),
    ]),
  )
  return {
    series: [],
    checks,
    notes: [`WordPress is not installed, so nothing was measured on its database. To install it: ${howToInstall}`],
  }
}
