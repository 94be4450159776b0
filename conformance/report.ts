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

/** Prints passed/total of each file and the ids that failed. @returns whether everything passes under the rule. */
export function report(
  results: readonly FileResult[],
  exceptions: Exceptions,
  { diff, write }: ReportOptions,
): boolean {
  let excused = 0
  let quirks = 0
  let faults = 0
  let passed = 0
  let total = 0
  for (const { name, cases } of results) {
    const failed = cases.filter((found) => !found.passed)
    passed += cases.length - failed.length
    total += cases.length
    write(`${name}: ${cases.length - failed.length}/${cases.length}`)
    for (const found of failed) {
      const reason = exceptions.get(`${name} ${found.id}`)
      if (found.quirk) quirks += 1
      else if (reason !== undefined) excused += 1
      else faults += 1
      const mark = found.quirk ? 'quirk' : reason === undefined ? 'FAILED' : 'excepted'
      if (mark === 'FAILED' || diff)
        write(
          `  ${mark} ${found.id} (${found.rule})${diff || mark === 'FAILED' ? `: ${found.differences.join('; ')}` : ''}`,
        )
    }
  }
  const percent = total === 0 ? 0 : Math.floor((passed / total) * 10_000) / 100
  write(
    `\n${passed}/${total} (${percent} %): ${faults} failed, ${excused} excepted with a reason, ${quirks} quirks that differ`,
  )
  return faults === 0 && total > 0
}
