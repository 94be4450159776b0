import type { Problem } from '../http/rest-error.js'
import { toBoolean, toFloat } from '../php/cast.js'
import { isNumeric } from '../php/numeric-text.js'
import type { CompiledType, Rules } from './compiled-type.js'
import { type Bound, notMultiple, notOfType, outOfBounds } from './problems.js'

/** `type: number`: a number, or text with a number. Coerces to a float. */
export function compileNumber(rules: Rules): CompiledType {
  const check = compileNumericRules(rules)
  return {
    validate: (value, path) => (isNumeric(value) ? check(toFloat(value), path) : notOfType(path, 'number')),
    coerce(value, _path, coercion) {
      coercion.isFloat = true
      return toFloat(value)
    },
  }
}

/**
 * Checks `multipleOf` first, then the bounds. `exclusiveMinimum` without `minimum` has no effect, likewise for
 * `maximum`.
 */
export function compileNumericRules(rules: Rules): (number: number, path: string) => Problem | null {
  const checks: ((number: number, path: string) => Problem | null)[] = []
  const { multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = rules
  if (multipleOf !== undefined) {
    const step = toFloat(multipleOf)
    // The remainder of a division by 0 is NaN, so no number is a multiple of 0.
    checks.push((number, path) => (number % step === 0 ? null : notMultiple(path, multipleOf)))
  }
  const lower: Bound | null = minimum === undefined ? null : { limit: minimum, exclusive: toBoolean(exclusiveMinimum) }
  const upper: Bound | null = maximum === undefined ? null : { limit: maximum, exclusive: toBoolean(exclusiveMaximum) }
  if (lower) {
    const limit = toFloat(lower.limit)
    const isOutside = lower.exclusive ? (n: number) => n <= limit : (n: number) => n < limit
    checks.push((number, path) => (isOutside(number) ? outOfBounds(path, lower, upper) : null))
  }
  if (upper) {
    const limit = toFloat(upper.limit)
    const isOutside = upper.exclusive ? (n: number) => n >= limit : (n: number) => n > limit
    checks.push((number, path) => (isOutside(number) ? outOfBounds(path, lower, upper) : null))
  }
  const [onlyCheck, secondCheck] = checks
  if (!onlyCheck) return () => null
  if (!secondCheck) return onlyCheck
  return (number, path) => {
    for (const check of checks) {
      const problem = check(number, path)
      if (problem) return problem
    }
    return null
  }
}
