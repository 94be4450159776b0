import type { Problem } from '../http/rest-error.js'
import { copyOrder, hasKey, keysOf } from '../php/array-shape.js'
import { toFloat } from '../php/cast.js'
import { emptyBag } from '../http/variables.js'
import { type CompiledType, type CompileInner, type Rules, rulesOf } from './compiled-type.js'
import { compilePattern } from './pattern.js'
import { notOfType, propertyForbidden, propertyRequired, tooFewProperties, tooManyProperties } from './problems.js'

type Properties = Readonly<Record<string, unknown>>

/**
 * `type: object`: a map, a list, or `''`, which is the empty map. The names that must be there first, then each
 * property in the order it was sent, then how many there are (docs/wire.md#types).
 */
export function compileObject(rules: Rules, compileInner: CompileInner): CompiledType {
  const required = requiredNames(rules)
  const rulesFor = compileProperties(rules, compileInner)
  const countProblem = compileCount(rules)
  return {
    validate(value, path) {
      if (!isObjectLike(value)) return notOfType(path, 'object')
      const map = mapOf(value)
      for (const name of required) if (!hasKey(map, name)) return propertyRequired(path, name)
      const names = keysOf(map)
      for (const name of rulesFor === null ? [] : names) {
        const inner = rulesFor?.(name)
        if (inner === 'forbidden') return propertyForbidden(name)
        const problem = inner?.validate(map[name], `${path}[${name}]`)
        if (problem) return problem
      }
      return countProblem(names.length, path)
    },
    coerce(value, path, trouble) {
      const map = mapOf(value)
      const coerced = Object.create(null) as Record<string, unknown>
      for (const name of keysOf(map)) {
        const inner = rulesFor?.(name)
        if (inner === 'forbidden') continue
        coerced[name] = inner ? inner.coerce(map[name], `${path}[${name}]`, trouble) : map[name]
      }
      if (Array.isArray(value)) return asList(coerced)
      copyOrder(map, coerced)
      return coerced
    },
  }
}

/** Whether {@link compileObject} takes the value for an object. */
export function isObjectLike(value: unknown): boolean {
  return value === '' || (typeof value === 'object' && value !== null)
}

const mapOf = (value: unknown): Properties =>
  typeof value === 'object' && value !== null ? (value as Properties) : emptyBag

/** A list that keeps all its items stays a list, as PHP's array does; an empty one is an empty map. */
function asList(map: Record<string, unknown>): unknown {
  const names = Object.keys(map)
  return names.length > 0 && names.every((name, index) => name === String(index)) ? Object.values(map) : map
}

/** A list of names on the object itself, and only without one the properties that say `required: true` themselves. */
function requiredNames({ required, properties }: Rules): readonly string[] {
  if (typeof required === 'object') return Object.values(required as object).map(String)
  return Object.entries(rulesOf(properties)).flatMap(([name, rules]) =>
    rulesOf(rules)['required'] === true ? [name] : [],
  )
}

/** The rules of a property by its name; undefined when nothing is said about it. Null: nothing about any. */
type RulesFor = (name: string) => CompiledType | 'forbidden' | undefined

function compileProperties(rules: Rules, compileInner: CompileInner): RulesFor | null {
  const named = new Map<string, CompiledType>()
  for (const [name, inner] of Object.entries(rulesOf(rules['properties']))) named.set(name, compileInner(inner))
  const byPattern = Object.entries(rulesOf(rules['patternProperties'])).map(([pattern, inner]) => ({
    matches: compilePattern(pattern),
    checks: compileInner(inner),
  }))
  const { additionalProperties } = rules
  const others =
    additionalProperties === false
      ? 'forbidden'
      : typeof additionalProperties === 'object'
        ? compileInner(additionalProperties)
        : undefined
  if (named.size === 0 && byPattern.length === 0 && others === undefined) return null
  return (name) => named.get(name) ?? byPattern.find(({ matches }) => matches(name))?.checks ?? others
}

function compileCount({ minProperties, maxProperties }: Rules): (count: number, path: string) => Problem | null {
  const least = minProperties === undefined ? -Infinity : toFloat(minProperties)
  const most = maxProperties === undefined ? Infinity : toFloat(maxProperties)
  return (count, path) =>
    count < least ? tooFewProperties(path, minProperties) : count > most ? tooManyProperties(path, maxProperties) : null
}
