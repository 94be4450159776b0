import type { Problem } from '../http/rest-error.js'
import { hasKey } from '../php/array-shape.js'
import { toText } from '../php/cast.js'
import { type CompiledType, type Rules, rulesOf } from './compiled-type.js'
import { candidateMismatch, noCandidate, severalCandidates } from './problems.js'
import type { WorkLimit } from './work-limit.js'

/** One schema of `anyOf` or `oneOf`. */
export interface Candidate extends CompiledType {
  readonly title: string | null
  /** Its own type, or else the inherited one; undefined without either. */
  readonly type: unknown
  /** The names in its rule `properties`; null when it has no such rule. */
  readonly properties: readonly string[] | null
}

/** Returns the position of the matching candidate, or the problem when none matches or, for `oneOf`, several do. */
export type Match = (value: unknown, path: string, work: WorkLimit, isFloat?: boolean) => number | Problem

/**
 * Compiles the schemas of `anyOf` or `oneOf`.
 * @param type the type of the enclosing schema, for candidates without one.
 */
export function candidatesOf(
  declaration: unknown,
  type: unknown,
  compile: (rules: Rules, type: unknown) => CompiledType,
): Candidate[] {
  return Object.values(rulesOf(declaration)).map((entry) => {
    const rules = rulesOf(entry)
    const candidateType = rules['type'] ?? type
    const { title, properties } = rules
    return {
      ...compile(rules, candidateType),
      title: title === undefined ? null : toText(title),
      type: candidateType,
      properties: properties === undefined ? null : Object.keys(rulesOf(properties)),
    }
  })
}

/** `anyOf`: the first candidate that accepts the value matches. */
export function matchAny(candidates: readonly Candidate[]): Match {
  return (value, path, work, isFloat) => {
    const problems: Problem[] = []
    for (const [position, candidate] of candidates.entries()) {
      const problem = candidate.validate(value, path, work, isFloat)
      if (!problem) return position
      problems.push(problem)
    }
    return mismatch(candidates, problems, value, path)
  }
}

/** `oneOf`: a candidate matches when it alone accepts the value. */
export function matchOne(candidates: readonly Candidate[]): Match {
  return (value, path, work, isFloat) => {
    const problems = candidates.map((candidate) => candidate.validate(value, path, work, isFloat))
    const positions = problems.flatMap((problem, position) => (problem ? [] : [position]))
    const [firstPosition, secondPosition] = positions
    if (firstPosition === undefined) return mismatch(candidates, problems as Problem[], value, path)
    if (secondPosition === undefined) return firstPosition
    return severalCandidates(path, titlesOf(candidates.filter((_, position) => !problems[position])), positions)
  }
}

interface Failure {
  readonly candidate: Candidate
  readonly problem: Problem
  readonly position: number
}

/**
 * The problem when no candidate matches. As in WordPress, it gives the reason of one candidate when one stands out: the
 * only candidate, the only one of the right type, or the object schema with the most properties of the value.
 */
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
  const typed = failures.filter(({ problem }) => !isWrongType(problem, path))
  const best = failures.length === 1 ? failures[0] : typed.length === 1 ? typed[0] : closestObject(typed, value)
  if (!best) return noCandidate(path, titlesOf(candidates))
  return candidateMismatch(path, best.candidate.title, best.problem.message, best.position)
}

/** Whether the value itself, rather than a value inside it, has the wrong type for the candidate. */
function isWrongType({ code, data }: Problem, path: string): boolean {
  return code === 'rest_invalid_type' && (data as { param?: unknown } | null)?.param === path
}

/** The candidate of type object that has rules for the most properties of the value. */
function closestObject(failures: readonly Failure[], value: unknown): Failure | undefined {
  if (failures[0]?.candidate.type !== 'object' || typeof value !== 'object' || value === null) return undefined
  let closest: Failure | undefined
  let maxShared = 0
  for (const failure of failures) {
    const shared = (failure.candidate.properties ?? []).filter((name) => hasKey(value, name)).length
    if (shared <= maxShared) continue
    closest = failure
    maxShared = shared
  }
  return closest
}

function titlesOf(candidates: readonly Candidate[]): string[] | null {
  const titles = candidates.flatMap(({ title }) => (title === null ? [] : [title]))
  return titles.length === candidates.length ? titles : null
}
