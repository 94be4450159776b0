import { memberStep } from '../base/member-path.js'
import { isThenable } from '../base/thenable.js'
import { isBoxed } from '../http/json.js'
import { RestResponse } from '../http/rest-response.js'
import { rulesOf, type Rules } from './compiled-type.js'
import { compilePattern } from './pattern.js'
import { alternativesOf, requiredNamesOf, typesOf } from './response-rules.js'
import type { ArgumentRules } from './rules.js'
import { compileSchema } from './schema.js'
import { unlimitedWork } from './work-limit.js'

/**
 * Checks the JSON form of a value. Returns a sentence that says what is wrong, or null for a valid value.
 * @param path of the value: `body.items[1].at`.
 */
export type Checker = (value: unknown, path: string) => string | null

/** Rules besides those of the type and of the members. */
export const allLimits: ReadonlySet<string> = new Set(
  (
    'enum format pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems ' +
    'maxItems uniqueItems minProperties maxProperties'
  ).split(' '),
)

/**
 * Compiles the check of a value of a response. Unlike an argument, the value is not converted: its JSON form must have the type of
 * its schema.
 * @param limits the rules that are checked besides types and required members. Default: all. With fewer of them, a value may
 * match several candidates of `oneOf`.
 */
export function checkerOf(declared: unknown, limits: ReadonlySet<string> = allLimits): Checker {
  const rules = rulesOf(declared)
  const check = compileRules(rules, limits)
  return (original, path) => {
    if (isThenable(original)) return `${path} is a promise. Write 'await' before it.`
    return check(jsonFormOf(original), path)
  }
}

function jsonFormOf(value: unknown): unknown {
  const { toJSON } = (value ?? {}) as { toJSON?: unknown }
  const jsonForm: unknown = typeof value === 'object' && typeof toJSON === 'function' ? toJSON.call(value, '') : value
  return typeof jsonForm === 'object' && jsonForm !== null && isBoxed(jsonForm) ? jsonForm.valueOf() : jsonForm
}

function compileRules(rules: Rules, limits: ReadonlySet<string>): Checker {
  const alternatives = alternativesOf(rules)
  if (alternatives !== null) return alternativesChecker(alternatives, limits, rules['oneOf'] !== undefined)
  const types = typesOf(rules)
  const checkLimits = limitChecker(rules, limits)
  if (types === null) return checkLimits
  const checkList = types.includes('array') ? listChecker(rules, limits) : null
  const checkMap = types.includes('object') ? mapChecker(rules, limits) : null
  return (value, path) => {
    if (!types.some((type) => isOfType(value, type)))
      return `${path} is ${typeTextOf(value)}, but must be ${typesText(types)}.`
    const problem = Array.isArray(value)
      ? checkList?.(value, path)
      : typeof value === 'object' && value !== null
        ? checkMap?.(value, path)
        : null
    return problem ?? checkLimits(value, path)
  }
}

/** Checks the rules of `limits` as they are checked for arguments. */
function limitChecker(rules: Rules, limits: ReadonlySet<string>): Checker {
  const { items: _i, properties: _p, patternProperties: _n, additionalProperties: _a, required: _r, ...others } = rules
  const limited = Object.fromEntries(
    Object.entries(others).filter(([name]) => !allLimits.has(name) || limits.has(name)),
  )
  if (!Object.keys(limited).some((name) => allLimits.has(name))) return () => null
  const schema = compileSchema(limited as ArgumentRules)
  return (value, path) => {
    const problem = typeof value === 'bigint' ? null : schema.validate(value, path)
    if (problem === null) return null
    const { path: problemPath, message } = problem
    return problemPath === undefined ? message : `${problemPath}: ${message}`
  }
}

function listChecker(
  rules: Rules,
  limits: ReadonlySet<string>,
): (list: readonly unknown[], path: string) => string | null {
  const check = checkerOf(rules['items'], limits)
  return (list, path) => {
    for (const [index, item] of list.entries()) {
      const problem = check(item instanceof RestResponse ? item.body : item, path + memberStep(index))
      if (problem !== null) return problem
    }
    return null
  }
}

function mapChecker(rules: Rules, limits: ReadonlySet<string>): (map: object, path: string) => string | null {
  const declared = Object.entries(rulesOf(rules['properties'])).map(
    ([name, inner]) => [name, checkerOf(inner, limits)] as const,
  )
  const byName = new Map(declared)
  const patterns = Object.entries(rulesOf(rules['patternProperties'])).map(([pattern, inner]) => ({
    matches: compilePattern(pattern),
    check: checkerOf(inner, limits),
  }))
  const { additionalProperties } = rules
  const others = typeof additionalProperties === 'object' ? checkerOf(additionalProperties, limits) : null
  const requiredNames = requiredNamesOf(rules)
  return (map, path) => {
    for (const name of requiredNames)
      if ((Object.hasOwn(map, name) ? (map as Record<string, unknown>)[name] : undefined) === undefined)
        return `${path}${memberStep(name)} is missing, and its schema requires it.`
    for (const [name, value] of Object.entries(map) as [string, unknown][]) {
      if (value === undefined) continue
      const check = byName.get(name) ?? patterns.find(({ matches }) => matches(name, unlimitedWork))?.check ?? others
      const problem = check?.(value, path + memberStep(name)) ?? null
      if (problem !== null) return problem
    }
    return null
  }
}

function alternativesChecker(
  alternatives: readonly ArgumentRules[],
  limits: ReadonlySet<string>,
  isOneOf: boolean,
): Checker {
  const checks = alternatives.map((rules) => checkerOf(rules, limits))
  return (value, path) => {
    const problems = checks.map((check) => check(value, path))
    const matching = problems.filter((problem) => problem === null).length
    if (matching === 0)
      return checks.length === 1
        ? (problems[0] ?? null)
        : `${path} matches none of its alternatives. The first: ${problems[0]}`
    return isOneOf && limits === allLimits && matching > 1 ? `${path} matches several alternatives of 'oneOf'.` : null
  }
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value) || typeof value === 'bigint'
    case 'number':
      return (typeof value === 'number' && Number.isFinite(value)) || typeof value === 'bigint'
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'null':
      return value === null
    default:
      return typeof value === type
  }
}

function typeTextOf(value: unknown): string {
  if (value === undefined) return 'undefined'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return `a ${typeof value}`
}

const typesText = (types: readonly unknown[]): string =>
  types
    .map((type) => (type === 'null' ? 'null' : `${/^[aio]/.test(String(type)) ? 'an' : 'a'} ${String(type)}`))
    .join(' or ')
