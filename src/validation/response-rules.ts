import { isObject } from '../base/value-type.js'
import type { ArgumentRules } from './rules.js'
import { rulesOf, type Rules } from './compiled-type.js'

/** Rules that apply to arguments only. A response schema may have them, so that both can share a constant. */
const argumentOnlyRules = ['default', 'validate_callback', 'sanitize_callback'] as const
const byName = ['properties', 'patternProperties'] as const
const single = ['items', 'additionalProperties'] as const
const lists = ['anyOf', 'oneOf'] as const

/** The same rules without those that apply to arguments only, at any depth. Rules that contain themselves stay as they are. */
export function withoutArgumentRules(declared: unknown, outer: readonly object[] = []): unknown {
  if (typeof declared !== 'object' || declared === null || Array.isArray(declared)) return declared
  if (outer.includes(declared)) return declared
  const rules: Record<string, unknown> = { ...declared }
  const inner = (value: unknown): unknown => withoutArgumentRules(value, [...outer, declared])
  for (const name of argumentOnlyRules) delete rules[name]
  for (const name of single) if (isObject(rules[name])) rules[name] = inner(rules[name])
  for (const name of lists) if (Array.isArray(rules[name])) rules[name] = (rules[name] as unknown[]).map(inner)
  for (const name of byName) {
    const named = rules[name]
    if (isObject(named) && !Array.isArray(named))
      rules[name] = Object.fromEntries(Object.entries(named).map(([key, value]) => [key, inner(value)]))
  }
  return rules
}

/** The types that rules name; null for any type. */
export function typesOf(rules: Rules): readonly unknown[] | null {
  const { type } = rules
  if (type === undefined) return null
  return Array.isArray(type) ? (type as unknown[]) : [type]
}

/**
 * The rules of each candidate of `anyOf` or `oneOf`, joined with the rules beside it; null for rules without candidates.
 * The properties of both are described.
 */
export function alternativesOf(rules: Rules): readonly ArgumentRules[] | null {
  const { anyOf, oneOf, ...commonRules } = rules
  const candidates = anyOf ?? oneOf
  if (!Array.isArray(candidates)) return null
  const otherCandidates = anyOf === undefined || oneOf === undefined ? {} : { oneOf }
  return candidates.map((candidate: unknown) => {
    const candidateRules = rulesOf(candidate)
    const properties = { ...rulesOf(commonRules['properties']), ...rulesOf(candidateRules['properties']) }
    const hasProperties = commonRules['properties'] !== undefined || candidateRules['properties'] !== undefined
    const required = [commonRules['required'], candidateRules['required']].filter(Array.isArray).flat()
    return {
      ...commonRules,
      ...candidateRules,
      ...otherCandidates,
      ...(hasProperties && { properties }),
      ...(required.length > 0 && { required }),
    } as ArgumentRules
  })
}

/** The names that an object must have. */
export function requiredNamesOf(rules: Rules): ReadonlySet<string> {
  const { required, properties } = rules
  if (Array.isArray(required)) return new Set(required.map(String))
  return new Set(
    Object.entries(rulesOf(properties)).flatMap(([name, inner]) => (rulesOf(inner)['required'] === true ? [name] : [])),
  )
}
