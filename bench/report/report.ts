import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import { root } from '../places.js'
import type { ServerReports } from '../databases/server-report.js'
import type { Options } from '../options.js'
import type { ThroughputRow } from '../rows/throughput.js'
import type { Check, Section, Series } from './check.js'
import { rounded } from './check.js'
import { table } from './table.js'

export interface Report {
  readonly machine: Readonly<Record<string, string | number | boolean>>
  readonly throughput: readonly ThroughputRow[]
  readonly series: readonly Series[]
  readonly checks: readonly Check[]
  readonly notes: readonly string[]
  /** Of runs of their own, on database servers. */
  readonly databases?: ServerReports
}

export function reportOf(
  options: Options,
  rows: readonly ThroughputRow[],
  sections: readonly Section[],
  checks: readonly Check[],
): Report {
  const ask = (program: string, args: readonly string[]) =>
    execFileSync(program, args, { cwd: root, encoding: 'utf8' }).trim()
  return {
    machine: {
      date: new Date().toISOString(),
      commit: ask('git', ['describe', '--always', '--dirty']),
      node: ask(options.node, ['--version']),
      processor: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      kernel: ask('uname', ['-r']),
      rounds: options.rounds,
      seconds: options.seconds,
      connections: 50,
      quick: options.quick,
      sqlite: 'WAL, cache 16 MiB, checkpoint every 2000 pages, one file for all readers; synchronous=FULL unless said',
    },
    throughput: rows,
    series: sections.flatMap(({ series }) => series),
    checks,
    notes: sections.flatMap(({ notes = [] }) => notes),
  }
}

/** The report as Markdown, which a terminal shows just as well. */
export function textOf(report: Report): string {
  const parts = [
    machineText(report),
    ...report.throughput.map(throughputTable),
    ...report.series.map(seriesTable),
    `## Targets\n\n${targetsTable(report)}`,
    notesText(report),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

export function machineText({ machine }: Report): string {
  return Object.entries(machine)
    .map(([name, value]) => `${name}: ${value}`)
    .join(' · ')
}

export function targetsTable({ checks }: Report): string {
  return table(
    ['', 'target', 'measured', 'result'],
    checks.map(({ title, target, measured, met }) => [title, target, measured, resultOf(met)]),
  )
}

export function notesText(report: Report): string {
  return [...report.notes, ...reservation(report)].join('\n\n')
}

/** What a reader must know of figures that were taken in a hurry. */
export function reservation({ machine }: Report): readonly string[] {
  if (machine['quick'] === true) return ['A quick run: it proves that everything runs; its figures say nothing.']
  const seconds = Number(machine['rounds']) * Number(machine['seconds'])
  return seconds < 5 ? [`A short run, ${seconds} s for each server and row: its figures are rough.`] : []
}

export function seriesTable({ title, columns, rows }: Series): string {
  return `### ${title}\n\n${table(columns, rows)}`
}

export function throughputTable({ title, servers }: ThroughputRow): string {
  const columns = [
    'server',
    'requests/CPU-s',
    '× Fastify',
    '× node:http',
    'requests/s',
    'p50, ms',
    'p99, ms',
    'memory, MB',
    'start, ms',
  ]
  const rows = Object.entries(servers).map(([name, figures]) => [
    name,
    Math.round(figures.perCpuSecond),
    figures.timesFastify?.toFixed(2) ?? '–',
    figures.timesNodeHttp?.toFixed(2) ?? '–',
    Math.round(figures.perSecond),
    rounded(figures.p50),
    rounded(figures.p99),
    Math.round(figures.memoryMegabytes),
    Math.round(figures.startMilliseconds),
  ])
  return `### ${title}\n\n${table(columns, rows)}`
}

function resultOf(met: Check['met']): string {
  if (met === true) return 'met'
  return met === false ? 'MISSED' : met
}
