import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CaseResult } from './result.js'

export interface FileResult {
  /** `http/writes`, `vectors/schema-types` */
  readonly name: string
  readonly cases: readonly CaseResult[]
}

/** Reason by `file id`: shipped cases that are known to differ. */
export type Exceptions = ReadonlyMap<string, string>

/** `exceptions.json`: `[{ "file": "http/protocol", "id": "…", "reason": "…" }]` */
export function readExceptions(folder: string): Exceptions {
  const path = join(folder, 'exceptions.json')
  if (!existsSync(path)) return new Map()
  const list = JSON.parse(readFileSync(path, 'utf8')) as readonly {
    readonly file: string
    readonly id: string
    readonly reason: string
  }[]
  return new Map(list.map(({ file, id, reason }) => [`${file} ${id}`, reason]))
}

export interface ReportOptions {
  readonly diff: boolean
  readonly write: (line: string) => void
}

type Standing = 'passed' | 'quirk' | 'excepted' | 'FAILED'

/** Prints passed/total of each file and the ids that failed. @returns whether everything passes under the rule. */
export function report(results: readonly FileResult[], exceptions: Exceptions, options: ReportOptions): boolean {
  const counts: Record<Standing, number> = { passed: 0, quirk: 0, excepted: 0, FAILED: 0 }
  for (const file of results) reportFile(file, exceptions, counts, options)
  const { passed, quirk, excepted, FAILED: failed } = counts
  const total = passed + quirk + excepted + failed
  const percent = total === 0 ? 0 : Math.floor((passed / total) * 10_000) / 100
  const quirks = quirk === 1 ? '1 quirk that differs' : `${quirk} quirks that differ`
  options.write(`\n${passed}/${total} (${percent} %): ${failed} failed, ${excepted} excepted with a reason, ${quirks}`)
  return failed === 0 && total > 0
}

function reportFile(
  { name, cases }: FileResult,
  exceptions: Exceptions,
  counts: Record<Standing, number>,
  { diff, write }: ReportOptions,
): void {
  write(`${name}: ${cases.filter(({ passed }) => passed).length}/${cases.length}`)
  for (const result of cases) {
    const reason = exceptions.get(`${name} ${result.id}`)
    const standing = standingOf(result, reason)
    counts[standing] += 1
    if (standing === 'FAILED' || (diff && standing !== 'passed'))
      write(`  ${standing} ${result.id} (${result.rule}): ${[...result.differences, reason ?? []].flat().join('; ')}`)
    if (standing === 'passed' && reason !== undefined) write(`  ${name} ${result.id} passes: it needs no exception`)
  }
}

function standingOf({ passed, quirk }: CaseResult, reason: string | undefined): Standing {
  if (passed) return 'passed'
  if (quirk) return 'quirk'
  return reason === undefined ? 'FAILED' : 'excepted'
}
