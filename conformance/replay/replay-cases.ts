import { difference } from '../difference.js'
import type { EmptyDatabases } from '../empty-databases.js'
import type { CaseResult } from '../result.js'
import type { VectorCase, VectorFile } from '../vectors.js'
import { recordedForm } from './recorded-form.js'

type Results = Readonly<Record<string, unknown>>

/** What this product says to a case. */
export interface Outcome {
  /** By the names that the case has for its results: `expect`, and beside it `sanitized` or `needsRehash`. */
  readonly actual: Results
  /** What the results are held against. Default: those that the case has by the same names. */
  readonly expected?: Results
  /** Why the case need not pass, by a rule; null when it must. Default: null. */
  readonly excuse?: string | null
}

export type ReplayFile = (file: VectorFile, databases: EmptyDatabases) => Promise<CaseResult[]>
export type ReplayCase = (recorded: VectorCase) => Outcome | Promise<Outcome>

/** Runs the cases of a file in order. A case whose replay throws has failed, and the others go on. */
export async function replayCases({ cases }: Pick<VectorFile, 'cases'>, replay: ReplayCase): Promise<CaseResult[]> {
  const results: CaseResult[] = []
  for (const recorded of cases) results.push(await resultOf(recorded, replay))
  return results
}

export async function resultOf(recorded: VectorCase, replay: ReplayCase): Promise<CaseResult> {
  const base = { id: recorded.id, rule: recorded.rule ?? recorded.id.replace(/-?\d+$/, '') }
  try {
    const { actual, expected, excuse = null } = await replay(recorded)
    const wanted = expected ?? Object.fromEntries(Object.keys(actual).map((name) => [name, recorded[name]]))
    const shown = recordedMembers(actual)
    const unexpected = difference(shown, recordedMembers(wanted))
    const differences = [excuse, unexpected].filter((sentence) => sentence !== null)
    return {
      ...base,
      passed: unexpected === null,
      quirk: excuse !== null,
      differences: unexpected === null ? [] : differences,
      actual: shown,
    }
  } catch (error) {
    return { ...base, passed: false, quirk: false, differences: [sentenceOf(error)], actual: null }
  }
}

/** Every case of the file as failed for one reason; a file without cases as one failed case. */
export function allFailed({ cases }: Pick<VectorFile, 'cases'>, reason: string): CaseResult[] {
  const failed = { passed: false, quirk: false, differences: [reason], actual: null }
  if (cases.length === 0) return [{ id: '(file)', rule: '(file)', ...failed }]
  return cases.map(({ id, rule = id }) => ({ id, rule, ...failed }))
}

function recordedMembers(actuals: Results): unknown {
  return Object.fromEntries(Object.entries(actuals).map(([name, value]) => [name, recordedForm(value)]))
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
