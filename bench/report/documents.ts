import { readFileSync, writeFileSync } from 'node:fs'
import { serverText, type ServerReport } from '../databases/server-report.js'
import { isDatabaseKind } from '../../test/support/servers/server-programs.js'
import { root } from '../places.js'
import { chartOf } from './chart.js'
import {
  machineText,
  notesText,
  reservation,
  seriesTable,
  targetsTable,
  throughputTable,
  type Report,
} from './report.js'
import { table } from './table.js'
import { highlightedRows } from './highlighted-rows.js'

const notMeasured = 'Not measured in this run.'

/** What a run leaves in the documentation, by path from the project's folder. */
export const documentPaths = [
  'docs/performance.json',
  'docs/performance.svg',
  'docs/performance.md',
  'README.md',
] as const

/**
 * Writes the figures of a run into the documentation, whose own words stay. So do the figures on database servers, which
 * come from other runs.
 */
export function writeDocuments(report: Report): void {
  const { databases } = documentedReport()
  write(databases === undefined ? report : { ...report, databases })
}

/** Writes the figures on one database server, and leaves all others. */
export function writeServerDocuments(server: ServerReport): void {
  const report = documentedReport()
  write({ ...report, databases: { ...report.databases, [server.kind]: server } })
}

function documentedReport(): Report {
  return JSON.parse(readFileSync(`${root}docs/performance.json`, 'utf8')) as Report
}

function write(report: Report): void {
  for (const [path, text] of Object.entries(documentsOf(report))) writeFileSync(root + path, text)
}

/** The documents with the figures of a run, by path. @throws Error for a mark that names no figures. */
export function documentsOf(report: Report): Record<(typeof documentPaths)[number], string> {
  const filled = (path: string) => withFigures(readFileSync(root + path, 'utf8'), report)
  return {
    'docs/performance.json': `${JSON.stringify(report, null, 2)}\n`,
    'docs/performance.svg': chartOf(report),
    'docs/performance.md': filled('docs/performance.md'),
    'README.md': filled('README.md'),
  }
}

/**
 * Puts figures between `<!-- figures: name -->` and `<!-- end of figures -->`. A name is `machine`, `targets`, `throughput`,
 * `notes`, `telling`, a kind of database servers, or that of a series; figures that were not measured leave nothing there.
 */
function withFigures(text: string, report: Report): string {
  return text.replaceAll(
    /(<!-- figures: ([\w-]+) -->\n)[^]*?(<!-- end of figures -->)/g,
    (_, begin: string, name: string, end: string) => `${begin}${figuresOf(name, report)}\n${end}`,
  )
}

function figuresOf(name: string, report: Report): string {
  if (name === 'machine') return machineText(report)
  if (name === 'targets') return targetsTable(report)
  if (name === 'throughput') return report.throughput.map(throughputTable).join('\n\n')
  if (name === 'notes') return notesText(report)
  if (name === 'telling') return tellingTable(report)
  if (isDatabaseKind(name)) {
    const server = report.databases?.[name]
    return server === undefined ? notMeasured : serverText(server)
  }
  const series = report.series.find(({ id }) => id === name)
  return series === undefined ? notMeasured : seriesTable(series)
}

function tellingTable(report: Report): string {
  const rows = highlightedRows(report)
  const hasWordPress = rows.some(({ timesWordPress }) => timesWordPress !== null)
  const columns = [
    'requests per CPU-second',
    'as-rest-route',
    'Fastify',
    'Express',
    ...(hasWordPress ? ['× WordPress'] : []),
  ]
  const figures = table(
    columns,
    rows.map(({ id, title, servers, timesWordPress }) => [
      title,
      `**${shown(servers['as-rest-route']?.perCpuSecond)}**`,
      shown(servers['fastify']?.perCpuSecond),
      shown(servers['express']?.perCpuSecond),
      ...(hasWordPress ? [timesText(timesWordPress, id.startsWith('cached'))] : []),
    ]),
  )
  return [figures, ...reservation(report)].join('\n\n')
}

function timesText(times: number | null, isCached: boolean): string {
  if (times === null) return '–'
  return isCached ? `${times} × its page cache in nginx` : `${times} ×`
}

function shown(value: number | null | undefined): string {
  return value == null ? '–' : Math.round(value).toLocaleString('en')
}
