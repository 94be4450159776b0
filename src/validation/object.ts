import type { Problem } from '../http/rest-error.js'
import { copyOrder, hasKey, keysOf } from '../php/array-shape.js'
import { toFloat } from '../php/cast.js'
import { floatsOf, markFloatItems, markFloats } from '../php/float-members.js'
import { type Coercion, type CompiledType, type CompileInner, type Rules, rulesOf } from './compiled-type.js'
import { compilePattern } from './pattern.js'
import { notOfType, propertyForbidden, propertyRequired, tooFewProperties, tooManyProperties } from './problems.js'
import type { WorkLimit } from './work-limit.js'

type Properties = Readonly<Record<string, unknown>>

const noProperties: Properties = Object.freeze(Object.create(null) as Properties)

/**
 * `type: object`: a map, a list, or `''`, which is the empty map. As in WordPress, required names are checked first,
 * then each property in the order of the request, then the number of properties.
 */
export function compileObject(rules: Rules, compileInner: CompileInner): CompiledType {
  const required = requiredNames(rules)
  const rulesFor = compileProperties(rules, compileInner)
  const countProblem = compileCount(rules)
  return {
    validate(value, path, work) {
      if (!isObjectLike(value)) return notOfType(path, 'object')
      const map = mapOf(value)
      for (const name of required) if (!hasKey(map, name)) return propertyRequired(path, name)
      const names = keysOf(map)
      work.spend(names.length)
      const floats = floatsOf(map)
      for (const name of rulesFor === null ? [] : names) {
        const checks = rulesFor?.(name, work)
        if (checks === 'forbidden') return propertyForbidden(path, name)
        const problem = checks?.validate(map[name], `${path}[${name}]`, work, floats?.has(name))
        if (problem) return problem
      }
      return countProblem(names.length, path)
    },
    coerce(value, path, coercion) {
      const { work } = coercion
      if (Array.isArray(value) && value.length > 0) {
        const list = coerceList(value, rulesFor, path, coercion)
        if (list !== null) return list
      }
      const map = mapOf(value)
      const coerced = Object.create(null) as Record<string, unknown>
      const floats = floatsOf(map)
      const coercedFloats = new Set<string>()
      const names = keysOf(map)
      work.spend(names.length)
      for (const name of names) {
        const checks = rulesFor?.(name, work)
        if (checks === 'forbidden') continue
        const isFloat = floats?.has(name) === true
        const member = checks ? checks.coerce(map[name], `${path}[${name}]`, coercion, isFloat) : map[name]
        coerced[name] = member
        if (Number.isInteger(member) && (checks ? coercion.isFloat : isFloat)) coercedFloats.add(name)
      }
      const result = Array.isArray(value) ? asList(coerced) : coerced
      markFloats(result, coercedFloats)
      if (!Array.isArray(value)) copyOrder(map, coerced)
      return result
    },
  }
}

/** Whether {@link compileObject} accepts the value as an object. */
export function isObjectLike(value: unknown): boolean {
  return value === '' || (typeof value === 'object' && value !== null)
}

const mapOf = (value: unknown): Properties =>
  typeof value === 'object' && value !== null ? (value as Properties) : noProperties

/** The coerced items of a list; null when a rule removes one. */
function coerceList(
  list: readonly unknown[],
  rulesFor: RulesFor | null,
  path: string,
  coercion: Coercion,
): unknown[] | null {
  const checks = rulesFor === null ? [] : list.map((_, index) => rulesFor(String(index), coercion.work))
  if (checks.includes('forbidden')) return null
  coercion.work.spend(list.length)
  const floats = floatsOf(list)
  const coercedFloats: number[] = []
  const coerced = list.map((item, index) => {
    const check = checks[index]
    const isFloat = floats?.has(index) === true
    const member =
      check === undefined || check === 'forbidden' ? item : check.coerce(item, `${path}[${index}]`, coercion, isFloat)
    if (Number.isInteger(member) && (check === undefined ? isFloat : coercion.isFloat)) coercedFloats.push(index)
    return member
  })
  markFloatItems(coerced, coercedFloats)
  return coerced
}

/** A list of which no item was removed stays a list, as in PHP. An empty list becomes an empty map. */
function asList(map: Record<string, unknown>): object {
  const names = Object.keys(map)
  return names.length > 0 && names.every((name, index) => name === String(index)) ? Object.values(map) : map
}

/** The list of names in the object's `required`; without such a list, the properties with `required: true`. */
function requiredNames({ required, properties }: Rules): readonly string[] {
  if (typeof required === 'object') return Object.values(required as object).map(String)
  return Object.entries(rulesOf(properties)).flatMap(([name, rules]) =>
    rulesOf(rules)['required'] === true ? [name] : [],
  )
}

/** Returns the checks of a property by its name; undefined when there are no rules for it. */
type RulesFor = (name: string, work: WorkLimit) => CompiledType | 'forbidden' | undefined

/** @returns null when the object has no rules for properties at all. */
function compileProperties(rules: Rules, compileInner: CompileInner): RulesFor | null {
  const rulesByName = new Map<string, CompiledType>()
  for (const [name, checks] of Object.entries(rulesOf(rules['properties']))) rulesByName.set(name, compileInner(checks))
  const rulesByPattern = Object.entries(rulesOf(rules['patternProperties'])).map(([pattern, checks]) => ({
    matches: compilePattern(pattern),
    checks: compileInner(checks),
  }))
  const { additionalProperties } = rules
  const otherRules =
    additionalProperties === false
      ? 'forbidden'
      : typeof additionalProperties === 'object'
        ? compileInner(additionalProperties)
        : undefined
  if (rulesByName.size === 0 && rulesByPattern.length === 0 && otherRules === undefined) return null
  return (name, work) =>
    rulesByName.get(name) ?? rulesByPattern.find(({ matches }) => matches(name, work))?.checks ?? otherRules
}

function compileCount({ minProperties, maxProperties }: Rules): (count: number, path: string) => Problem | null {
  const minimum = minProperties === undefined ? -Infinity : toFloat(minProperties)
  const maximum = maxProperties === undefined ? Infinity : toFloat(maxProperties)
  return (count, path) =>
    count < minimum
      ? tooFewProperties(path, minProperties)
      : count > maximum
        ? tooManyProperties(path, maxProperties)
        : null
}
