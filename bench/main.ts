import { readFileSync, writeFileSync } from 'node:fs'
import { compareOnServer } from './databases/compare-on-server.js'
import { serverText } from './databases/server-report.js'
import { makeData, removeDatabase, type Data } from './data/data.js'
import { makeApplication } from './data/application.js'
import { help, optionsFrom, type Options } from './options.js'
import { compareBuilds } from './rows/against.js'
import { atLeast, type Check, type Section } from './report/check.js'
import { writeDocuments, writeServerDocuments } from './report/documents.js'
import { reportOf, textOf, type Report } from './report/report.js'
import { costOfFeatures } from './rows/features.js'
import { generatorOfLoad } from './rows/generator.js'
import { growthOfArguments, growthOfBodies, growthOfConnections, growthOfRecords } from './rows/growth.js'
import { latencyUnderLoad } from './rows/latency.js'
import { manyRoutes } from './rows/routes.js'
import { starting } from './rows/start.js'
import { throughput, type ThroughputRow } from './rows/throughput.js'
import { trackingBesideOwnTables } from './rows/tracking.js'
import { workloads } from './rows/workload.js'
import { severalWorkers } from './rows/workers.js'
import { besideWordPress } from './rows/wordpress.js'
import { onItsDatabase } from './rows/shared-wordpress.js'
import { productName } from './servers/commands.js'

const sections: readonly (readonly [id: string, run: (data: Data, options: Options) => Promise<Section>])[] = [
  ['wordpress', besideWordPress],
  ['shared-wordpress', onItsDatabase],
  ['tracking', trackingBesideOwnTables],
  ['latency', latencyUnderLoad],
  ['routes', manyRoutes],
  ['start', starting],
  ['workers', severalWorkers],
  ['features', costOfFeatures],
  ['growth-arguments', growthOfArguments],
  ['growth-body', growthOfBodies],
  ['growth-connections', growthOfConnections],
  ['growth-records', growthOfRecords],
  ['generator', generatorOfLoad],
]

const withAllRounds: ReadonlySet<string> = new Set(['latency', 'tracking'])

async function measure(options: Options): Promise<Report> {
  const isWanted = (id: string) =>
    options.only.length === 0 || options.only.some((beginning) => id.startsWith(beginning))
  const wantedRows = workloads.filter(({ id }) => isWanted(id))
  const wantedSections = sections.filter(([id]) => isWanted(id))
  const steps = wantedRows.length + wantedSections.length
  if (steps === 0) {
    throw new TypeError(
      `No row is called so: ${[...workloads.map(({ id }) => id), ...sections.map(([id]) => id)].join(', ')}`,
    )
  }
  let step = 0
  const next = (title: string) => tell(`${(step += 1)}/${steps} ${title}`)
  tell('making 5,000 products and 500 posts')
  makeApplication()
  const data = makeData(options.node, 5000, 500)
  const rows: ThroughputRow[] = []
  const finished: Section[] = []
  const checks: Check[] = []
  try {
    for (const workload of wantedRows) {
      next(workload.title)
      const row = await throughput(workload, data, options)
      rows.push(row)
      const { target, id, title } = row
      if (target !== null) checks.push(atLeast(id, title, row.servers[productName]?.timesFastify ?? null, target))
    }
    // Ratios near 1, and the slowest of many responses, need the most rounds. For the other rows three are enough.
    const fewer = { ...options, rounds: Math.min(3, options.rounds) }
    for (const [id, run] of wantedSections) {
      next(id)
      const section = await run(data, withAllRounds.has(id) ? options : fewer)
      finished.push(section)
      checks.push(...section.checks)
    }
  } finally {
    removeDatabase(data.file)
  }
  return reportOf(options, rows, finished, checks)
}

/** Beside the report, so that the report can be redirected. */
function tell(line: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)
}

async function main(options: Options): Promise<void> {
  const { from, json, write, against, database } = options
  if (against !== null) return compareBuilds(against, options, tell)
  if (database !== null) {
    const server = await compareOnServer(database, options, tell)
    process.stdout.write(`${serverText(server)}\n`)
    if (json !== null) writeFileSync(json, `${JSON.stringify(server, null, 2)}\n`)
    if (write) writeServerDocuments(server)
    return
  }
  const report = from === null ? await measure(options) : (JSON.parse(readFileSync(from, 'utf8')) as Report)
  process.stdout.write(textOf(report))
  if (json !== null) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`)
  if (write) writeDocuments(report)
}

try {
  const options = optionsFrom(process.argv.slice(2))
  if (options === null) process.stdout.write(help)
  else await main(options)
} catch (error) {
  process.stderr.write(`${error instanceof TypeError ? error.message : String((error as Error).stack)}\n`)
  process.exitCode = 1
}
