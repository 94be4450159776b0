import type { ServerKind } from '../../test/support/servers/server-programs.js'
import { rounded, type Check } from '../report/check.js'
import { table } from '../report/table.js'
import { productName } from '../servers/commands.js'
import type { Ratio, ServerRow } from './server-rows.js'
import type { WorkersRow } from './server-workers.js'
import { databaseTarget, workersTarget } from './server-workloads.js'

/** The figures on one database server. */
export interface ServerReport {
  readonly kind: ServerKind
  readonly machine: Readonly<Record<string, string | number | boolean>>
  readonly rows: readonly ServerRow[]
  readonly workers: readonly WorkersRow[]
}

/** The reports by kind of server. */
export type ServerReports = Partial<Readonly<Record<ServerKind, ServerReport>>>

export function serverText(report: ServerReport): string {
  const { machine } = report
  const parts = [
    Object.entries(machine)
      .map(([name, value]) => `${name}: ${value}`)
      .join(' · '),
    targetsTable(report),
    servicesTable(report),
    ...(report.workers.length === 0 ? [] : [workersTable(report)]),
    ...(machine['quick'] === true ? ['A quick run: it proves that everything runs; its figures say nothing.'] : []),
  ]
  return parts.join('\n\n')
}

export function serverChecks({ rows, workers }: ServerReport): readonly Check[] {
  const checks: Check[] = []
  for (const { id, title, target, timesFastify } of rows) {
    if (target === null) continue
    const { median } = timesFastify
    checks.push({
      id,
      title,
      target: `≥ ${target.toFixed(2)} × Fastify`,
      measured: ratioText(timesFastify),
      met: median >= target,
    })
  }
  for (const { id, title, databaseTimesFastify: ratio } of rows.filter((row) => row.id.startsWith('list'))) {
    if (ratio === null) continue
    // Requests at one time share a read of the change token. On one connection there is one request at a time, so the
    // figure has no target.
    const isTarget = id === 'list'
    checks.push({
      id: `database-${id}`,
      title: `CPU of the database, ${title}`,
      target: isTarget ? `≤ ${databaseTarget} × Fastify's` : '–',
      measured: ratioText(ratio),
      met: isTarget ? ratio.median <= databaseTarget : 'reported',
    })
  }
  for (const { id, title, connections, ratio } of workers) {
    checks.push({
      id: `workers-${id}-${connections}`,
      title: `${title}, ${connections} connections: 2 workers, against 1`,
      target: `≥ ${workersTarget} ×`,
      measured: ratioText(ratio),
      met: ratio.median >= workersTarget,
    })
  }
  return checks
}

function targetsTable(report: ServerReport): string {
  return table(
    ['requests per CPU-second of the service', 'target', 'measured (lowest to highest round)', 'result'],
    serverChecks(report).map(({ title, target, measured, met }) => [
      title,
      target,
      measured,
      met === true ? 'met' : met === false ? 'MISSED' : met,
    ]),
  )
}

function servicesTable({ rows }: ServerReport): string {
  const columns = [
    'request',
    'service',
    'requests/CPU-s',
    'with the database',
    '× Fastify',
    '× with the database',
    'database, µs a request',
    'requests/s',
    'p50, ms',
    'p99, ms',
  ]
  const lines = rows.flatMap(({ title, services, timesFastify, timesFastifyTogether }) =>
    Object.entries(services).map(([name, figures]) => {
      const isOwn = name === productName
      return [
        title,
        name,
        Math.round(figures.perCpuSecond),
        numberText(figures.perCpuSecondTogether),
        isOwn ? timesFastify.median.toFixed(2) : '',
        isOwn ? (timesFastifyTogether?.median.toFixed(2) ?? '–') : '',
        numberText(figures.databaseMicroseconds),
        Math.round(figures.perSecond),
        rounded(figures.p50),
        rounded(figures.p99),
      ]
    }),
  )
  return table(columns, lines)
}

function workersTable({ workers }: ServerReport): string {
  return table(
    ['request', 'connections', '1 worker, requests/CPU-s', '2 workers, requests/CPU-s', '2 against 1'],
    workers.map(({ title, connections, one, two, ratio }) => [
      title,
      connections,
      Math.round(one),
      Math.round(two),
      ratio.median.toFixed(2),
    ]),
  )
}

/** JSON has no NaN, and writes null. */
function numberText(value: number | null): string {
  return value === null || Number.isNaN(value) ? '–' : String(rounded(value))
}

function ratioText({ median, lowest, highest }: Ratio): string {
  return `${median.toFixed(2)} × (${lowest.toFixed(2)} to ${highest.toFixed(2)})`
}
