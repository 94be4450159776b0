import type { Problem } from '../http/rest-error.js'
import { isIntegerKey, isMap, keysOf, valuesOf } from '../php/array-shape.js'
import { toBoolean, toFloat, toText } from '../php/cast.js'
import { copyFloats, floatsOf, markFloatItems } from '../php/float-members.js'
import { hasTooManyItems, maxListItems, splitList } from '../sanitizers/lists.js'
import type { Coercion, CompiledType, CompileInner, Rules } from './compiled-type.js'
import { duplicateItems, notOfType, tooFewItems, tooManyItems } from './problems.js'
import { areUnique } from './unique-items.js'
import type { WorkLimit } from './work-limit.js'

/**
 * `type: array`. Accepts a list, a map without text keys, and a scalar, which is split at commas and white space. As in
 * WordPress, the items are validated first, then their number, then `uniqueItems`.
 */
export function compileArray(rules: Rules, compileInner: CompileInner): CompiledType {
  const items = rules['items'] === undefined ? null : compileInner(rules['items'])
  const checks = compileListChecks(rules)
  const unique = toBoolean(rules['uniqueItems'])
  return {
    validate(value, path, work) {
      if (!isArrayLike(value, work)) return notOfType(path, 'array')
      if (isScalar(value) && hasTooManyItems(value)) return tooManyItems(path, maxListItems)
      const list = itemsOf(value, work)
      const floats = floatsOf(list)
      if (items) {
        for (let index = 0; index < list.length; index += 1) {
          const problem = items.validate(list[index], `${path}[${index}]`, work, floats?.has(index))
          if (problem) return problem
        }
      }
      for (const check of checks) {
        const problem = check(list, path, work)
        if (problem) return problem
      }
      return null
    },
    coerce(value, path, coercion) {
      const { work } = coercion
      const list = itemsOf(value, work)
      const coerced = items ? coerceItems(list, items, path, coercion) : list
      // Coercion can make different items equal: [1, "1"] as integers.
      return unique && !areUnique(coerced, work) ? coercion.add(duplicateItems(path)) : coerced
    },
  }
}

/** A new list of the coerced items, in which whole floats are marked. */
function coerceItems(list: readonly unknown[], items: CompiledType, path: string, coercion: Coercion): unknown[] {
  const floats = floatsOf(list)
  const coercedFloats: number[] = []
  const coerced = list.map((item, index) => {
    const value = items.coerce(item, `${path}[${index}]`, coercion, floats?.has(index))
    if (Number.isInteger(value) && coercion.isFloat) coercedFloats.push(index)
    return value
  })
  markFloatItems(coerced, coercedFloats)
  return coerced
}

type ListCheck = (list: readonly unknown[], path: string, work: WorkLimit) => Problem | null

function compileListChecks(rules: Rules): readonly ListCheck[] {
  const checks: ListCheck[] = []
  const { minItems, maxItems: declaredMaximum, uniqueItems } = rules
  if (minItems !== undefined) {
    const minimum = toFloat(minItems)
    checks.push((list, path) => (list.length < minimum ? tooFewItems(path, minItems) : null))
  }
  if (declaredMaximum !== undefined) {
    const maximum = toFloat(declaredMaximum)
    checks.push((list, path) => (list.length > maximum ? tooManyItems(path, declaredMaximum) : null))
  }
  if (toBoolean(uniqueItems)) checks.push((list, path, work) => (areUnique(list, work) ? null : duplicateItems(path)))
  return checks
}

/** Whether {@link compileArray} accepts the value as an array. */
export function isArrayLike(value: unknown, work: WorkLimit): boolean {
  if (isMap(value)) {
    const keys = Object.keys(value)
    work.spend(keys.length)
    return keys.every(isIntegerKey)
  }
  return Array.isArray(value) || isScalar(value)
}

/** Number of members that are copied in the time of one unit of work. */
const copiesPerUnit = 8

const isScalar = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** A new list: the items of a list, the values of a map, or the parts of a scalar; empty for other values. */
function itemsOf(value: unknown, work: WorkLimit): unknown[] {
  if (isScalar(value)) return splitList(toText(value))
  if (typeof value !== 'object' || value === null) return []
  const list = valuesOf(value)
  work.spend(list.length / copiesPerUnit)
  const floats = floatsOf(value)
  if (floats === undefined) return list
  if (Array.isArray(value)) copyFloats(value, list)
  else
    markFloatItems(
      list,
      keysOf(value).flatMap((key, index) => (floats.has(key) ? [index] : [])),
    )
  return list
}
