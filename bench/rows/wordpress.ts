import { copyOf, removeDatabase, type Data } from '../data/data.js'
import { median } from '../load/load.js'
import type { Options } from '../options.js'
import { rounded, type Check, type Section } from '../report/check.js'
import { exampleShop, product, type Settings } from '../servers/commands.js'
import { startServer, type RunningServer, type ServerCommand } from '../servers/server.js'
import { howToInstall, installedPrograms } from '../wordpress/programs.js'
import { startWordPress, type WordPress } from '../wordpress/wordpress.js'
import { brokenIn, measured, type Round } from './measure.js'
import { checkSameResponses } from './same-responses.js'
import { bytesFrom } from './throughput.js'
import { workloads, type Workload } from './workload.js'

interface Comparison {
  readonly workload: string
  /** The product answers at least this many times the requests of WordPress per CPU-second. */
  readonly target: number
  /** nginx answers from its page cache, the product from its response cache. */
  readonly cached?: boolean
}

const comparisons: readonly Comparison[] = [
  { workload: 'list', target: 100 },
  { workload: 'product', target: 100 },
  { workload: 'partial', target: 100 },
  { workload: 'password', target: 100 },
  { workload: 'cached-list', target: 1, cached: true },
  // Last, because all rows share one site, and this row adds records to it.
  { workload: 'post-full', target: 70 },
]

/** Connections to WordPress: two for each worker of PHP. The requests of more would wait in a queue. */
const connections = 8

/** The same routes as a WordPress plugin, on the same data, for what nginx, PHP and MariaDB use together. */
export async function besideWordPress(data: Data, options: Options): Promise<Section> {
  const programs = installedPrograms()
  if (programs === null) return skipped()
  const site = await startWordPress(programs, data)
  try {
    const rows: (readonly (string | number)[])[] = []
    const checks: Check[] = []
    for (const comparison of comparisons) {
      const workload = workloads.find(({ id }) => id === comparison.workload)
      if (workload === undefined) continue
      const { ratio, lines } = await compared(workload, comparison, site, data, options)
      rows.push(...lines)
      checks.push(checkOf(comparison, ratio, site))
    }
    const columns = [
      'request',
      'server',
      'requests/CPU-s',
      '× WordPress',
      'p50, ms',
      'p99, ms',
      'memory, MB',
      'start, ms',
    ]
    const { version, php, database } = site.about
    return {
      series: [{ id: 'wordpress', title: `Beside WordPress ${version}`, columns, rows }],
      checks,
      notes: [
        `WordPress ${version} with PHP ${php} (php-fpm, opcache), MariaDB ${database} and nginx, as Debian packages them; ` +
          'no theme, no other plugin, no WP-Cron. It verifies application passwords with phpass, 8,192 rounds of MD5, more ' +
          'slowly than WordPress 7.1, which hashes them once with BLAKE2b. Memory counts pages shared by its processes once for each.',
      ],
    }
  } finally {
    await site.stop()
  }
}

function skipped(): Section {
  return {
    series: [],
    checks: comparisons.map((comparison) => checkOf(comparison, null, null)),
    notes: [`WordPress is not installed, so nothing was compared with it. To install it: ${howToInstall}`],
  }
}

async function compared(
  workload: Workload,
  { cached = false }: Comparison,
  site: WordPress,
  data: Data,
  options: Options,
) {
  const database = workload.writes ? copyOf(data.file, `${workload.id}-wordpress`) : data.file
  const settings: Settings = { node: options.node, database, synchronous: 'FULL' }
  const command: ServerCommand = cached ? exampleShop(settings) : product(settings)
  const server = await startServer(command)
  const other = cached ? site.cached : site.server
  const participants = [
    { server, credentials: data.credentials },
    { server: other, credentials: { ...data.credentials, authorization: site.about.authorization } },
  ]
  try {
    await checkSameResponses(participants, workload)
    const rounds: (readonly [server: RunningServer, its: Round[]])[] = participants.map((each) => [each.server, []])
    const loads = participants.map(({ credentials }) => bytesFrom(workload, credentials))
    for (let round = 0; round < options.rounds; round += 1) {
      for (const [index, [each, its]] of rounds.entries()) {
        const usual = { next: loads[index] ?? (() => Buffer.alloc(0)), status: workload.status }
        const load = each === site.server ? { ...usual, connections } : usual
        if (round === 0) await brokenIn(each, load, options)
        // WordPress answers fewer requests, so that its rounds are longer to be as exact.
        const seconds = each === site.server && !options.quick ? options.seconds * 2 : options.seconds
        its.push(await measured(each, load, { ...options, seconds }))
      }
    }
    const speeds = rounds.map(([, its]) => median(its.map(({ perCpuSecond }) => perCpuSecond)))
    const ratio = (speeds[0] ?? 0) / (speeds[1] ?? 1)
    const lines = rounds.map(([{ name, startMilliseconds, memoryMegabytes }, its], index) => [
      workload.title,
      name,
      Math.round(speeds[index] ?? 0),
      index === 0 ? rounded(ratio) : '',
      rounded(median(its.map(({ p50 }) => p50))),
      rounded(median(its.map(({ p99 }) => p99))),
      Math.round(memoryMegabytes()),
      Math.round(startMilliseconds),
    ])
    return { ratio, lines }
  } finally {
    await server.stop()
    if (workload.writes) removeDatabase(database)
  }
}

function checkOf({ workload, target, cached }: Comparison, ratio: number | null, site: WordPress | null): Check {
  const other = cached ? 'nginx with a page cache before WordPress' : `WordPress ${site?.about.version ?? ''}`.trim()
  return {
    id: `wordpress-${workload}`,
    title: `${workload}, against ${other}`,
    target: `≥ ${target} ×`,
    measured: ratio === null ? 'WordPress is not installed' : `${rounded(ratio)} ×`,
    met: ratio === null ? 'not run' : ratio >= target,
  }
}
