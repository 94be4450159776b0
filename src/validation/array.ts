import type { Problem } from '../http/rest-error.js'
import { isIntegerKey, isMap, valuesOf } from '../php/array-shape.js'
import { toBoolean, toFloat, toText } from '../php/cast.js'
import { splitList } from '../sanitizers/lists.js'
import type { CompiledType, CompileInner, Rules } from './compiled-type.js'
import { duplicateItems, notOfType, tooFewItems, tooManyItems } from './problems.js'
import { areUnique } from './unique-items.js'

/**
 * `type: array`: a list, a map without text keys, or a scalar, which is split at commas and white space. The items
 * first, then how many, then whether one occurs twice (docs/wire.md#types).
 */
export function compileArray(rules: Rules, compileInner: CompileInner): CompiledType {
  const items = rules['items'] === undefined ? null : compileInner(rules['items'])
  const checks = compileListChecks(rules)
  const unique = toBoolean(rules['uniqueItems'])
  return {
    validate(value, path) {
      if (!isArrayLike(value)) return notOfType(path, 'array')
      const list = itemsOf(value)
      if (items) {
        for (let index = 0; index < list.length; index += 1) {
          const problem = items.validate(list[index], `${path}[${index}]`)
          if (problem) return problem
        }
      }
      for (const check of checks) {
        const problem = check(list, path)
        if (problem) return problem
      }
      return null
    },
    coerce(value, path, trouble) {
      const list = itemsOf(value)
      const coerced = items ? list.map((item, index) => items.coerce(item, `${path}[${index}]`, trouble)) : list
      // Items that differed as sent may be equal now: [1, "1"] as integers.
      return unique && !areUnique(coerced) ? trouble.add(duplicateItems(path)) : coerced
    },
  }
}

function compileListChecks(rules: Rules): ((list: readonly unknown[], path: string) => Problem | null)[] {
  const checks: ((list: readonly unknown[], path: string) => Problem | null)[] = []
  const { minItems, maxItems, uniqueItems } = rules
  if (minItems !== undefined) {
    const least = toFloat(minItems)
    checks.push((list, path) => (list.length < least ? tooFewItems(path, minItems) : null))
  }
  if (maxItems !== undefined) {
    const most = toFloat(maxItems)
    checks.push((list, path) => (list.length > most ? tooManyItems(path, maxItems) : null))
  }
  if (toBoolean(uniqueItems)) checks.push((list, path) => (areUnique(list) ? null : duplicateItems(path)))
  return checks
}

/** Whether {@link compileArray} takes the value for an array. */
export function isArrayLike(value: unknown): boolean {
  if (isMap(value)) return Object.keys(value).every(isIntegerKey)
  return Array.isArray(value) || isScalar(value)
}

const isScalar = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** A new list, whatever the value: the items of a list, the values of a map, the parts of a text. */
function itemsOf(value: unknown): unknown[] {
  if (isScalar(value)) return splitList(toText(value))
  return typeof value === 'object' && value !== null ? valuesOf(value) : []
}
