import type { Problem } from '../http/rest-error.js'
import { hasKey } from '../php/array-shape.js'
import { toText } from '../php/cast.js'
import { type CompiledType, type Rules, rulesOf } from './compiled-type.js'
import { candidateMismatch, noCandidate, severalCandidates } from './problems.js'

/** One schema of `anyOf` or `oneOf`. */
export interface Candidate extends CompiledType {
  readonly title: string | null
  /** Its own type or the one it inherits; undefined when there is none. */
  readonly type: unknown
  /** The names it has rules for; null when it says nothing about properties. */
  readonly properties: readonly string[] | null
}

/** Which candidate matches a value, by its position; or why none does, or too many. */
export type Match = (value: unknown, path: string) => number | Problem

/** @param type of the schema around, for candidates that have none. */
export function candidatesOf(
  declared: unknown,
  type: unknown,
  compile: (rules: Rules, type: unknown) => CompiledType,
): Candidate[] {
  return Object.values(rulesOf(declared)).map((entry) => {
    const rules = rulesOf(entry)
    const own = rules['type'] ?? type
    const { title, properties } = rules
    return {
      ...compile(rules, own),
      title: title === undefined ? null : toText(title),
      type: own,
      properties: properties === undefined ? null : Object.keys(rulesOf(properties)),
    }
  })
}

/** `anyOf`: the first that matches. */
export function matchAny(candidates: readonly Candidate[]): Match {
  return (value, path) => {
    const problems: Problem[] = []
    for (const [position, candidate] of candidates.entries()) {
      const problem = candidate.validate(value, path)
      if (!problem) return position
      problems.push(problem)
    }
    return mismatch(candidates, problems, value, path)
  }
}

/** `oneOf`: the only one that matches. */
export function matchOne(candidates: readonly Candidate[]): Match {
  return (value, path) => {
    const problems = candidates.map((candidate) => candidate.validate(value, path))
    const positions = problems.flatMap((problem, position) => (problem ? [] : [position]))
    const [only, second] = positions
    if (only === undefined) return mismatch(candidates, problems as Problem[], value, path)
    if (second === undefined) return only
    return severalCandidates(path, titlesOf(candidates.filter((_, position) => !problems[position])), positions)
  }
}

interface Failure {
  readonly candidate: Candidate
  readonly problem: Problem
  readonly position: number
}

/** The most helpful thing to say when no candidate matches (docs/wire.md#anyof-and-oneof). */
function mismatch(
  candidates: readonly Candidate[],
  problems: readonly Problem[],
  value: unknown,
  path: string,
): Problem {
  const failures = problems.flatMap((problem, position) => {
    const candidate = candidates[position]
    return candidate ? [{ candidate, problem, position }] : []
  })
  const likely = failures.filter(({ problem }) => !isWrongType(problem, path))
  const telling = failures.length === 1 ? failures[0] : likely.length === 1 ? likely[0] : closestObject(likely, value)
  if (!telling) return noCandidate(path, titlesOf(candidates))
  return candidateMismatch(path, telling.candidate.title, telling.problem.message, telling.position)
}

/** The value itself, not something inside it, is of another type than the candidate wants. */
function isWrongType({ code, data }: Problem, path: string): boolean {
  return code === 'rest_invalid_type' && (data as { param?: unknown } | null)?.param === path
}

/** Among objects: the one that has rules for the most properties of the value. */
function closestObject(failures: readonly Failure[], value: unknown): Failure | undefined {
  if (failures[0]?.candidate.type !== 'object' || typeof value !== 'object' || value === null) return undefined
  let closest: Failure | undefined
  let most = 0
  for (const failure of failures) {
    const shared = (failure.candidate.properties ?? []).filter((name) => hasKey(value, name)).length
    if (shared <= most) continue
    closest = failure
    most = shared
  }
  return closest
}

function titlesOf(candidates: readonly Candidate[]): string[] | null {
  const titles = candidates.flatMap(({ title }) => (title === null ? [] : [title]))
  return titles.length === candidates.length ? titles : null
}
