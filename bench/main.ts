import { writeFileSync } from 'node:fs'
import { makeData, removeDatabase, type Data } from './data/data.js'
import { help, optionsFrom, type Options } from './options.js'
import { atLeast, type Check, type Section } from './report/check.js'
import { reportOf, textOf } from './report/report.js'
import { cacheChecks, knowsCache } from './rows/cache.js'
import { growthOfArguments, growthOfBodies, growthOfConnections, growthOfRecords } from './rows/growth.js'
import { latencyUnderLoad } from './rows/latency.js'
import { manyRoutes } from './rows/routes.js'
import { starting } from './rows/start.js'
import { throughput, type ThroughputRow } from './rows/throughput.js'
import { workloads } from './rows/workload.js'
import { productName } from './servers/commands.js'

const sections: readonly (readonly [id: string, run: (data: Data, options: Options) => Promise<Section>])[] = [
  ['latency', latencyUnderLoad],
  ['routes', manyRoutes],
  ['start', starting],
  ['growth-arguments', growthOfArguments],
  ['growth-body', growthOfBodies],
  ['growth-connections', growthOfConnections],
  ['growth-records', growthOfRecords],
]

async function main(options: Options): Promise<void> {
  const isWanted = (id: string) =>
    options.only.length === 0 || options.only.some((beginning) => id.startsWith(beginning))
  const wantedRows = workloads.filter(({ id }) => isWanted(id))
  const wantedSections = sections.filter(([id]) => isWanted(id))
  if (wantedRows.length + wantedSections.length === 0) {
    throw new TypeError(
      `No row is called so: ${[...workloads.map(({ id }) => id), ...sections.map(([id]) => id)].join(', ')}`,
    )
  }
  tell('making 5,000 products and 500 posts')
  const data = makeData(options.node, 5000, 500)
  const rows: ThroughputRow[] = []
  const found: Section[] = []
  const checks: Check[] = []
  try {
    for (const workload of wantedRows) {
      tell(workload.title)
      const row = await throughput(workload, data, options)
      rows.push(row)
      const { target, id, title } = row
      if (target !== null) checks.push(atLeast(id, title, row.servers[productName]?.timesFastify ?? null, target))
    }
    if (options.only.length === 0 && !knowsCache(options.node)) checks.push(...cacheChecks)
    for (const [id, run] of wantedSections) {
      tell(id)
      const section = await run(data, options)
      found.push(section)
      checks.push(...section.checks)
    }
  } finally {
    removeDatabase(data.file)
  }
  const report = reportOf(options, rows, found, checks)
  process.stdout.write(textOf(report))
  if (options.json !== null) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`)
}

/** Beside the report, so that the report can be redirected. */
function tell(line: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)
}

try {
  const options = optionsFrom(process.argv.slice(2))
  if (options === null) process.stdout.write(help)
  else await main(options)
} catch (error) {
  process.stderr.write(`${error instanceof TypeError ? error.message : String((error as Error).stack)}\n`)
  process.exitCode = 1
}
