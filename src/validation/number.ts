import type { Problem } from '../http/rest-error.js'
import { toBoolean, toFloat } from '../php/cast.js'
import { isNumeric } from '../php/numeric-text.js'
import type { CompiledType, Rules } from './compiled-type.js'
import { type Bound, notMultiple, notOfType, outOfBounds } from './problems.js'

/** `type: number`: a number, or text that is one; coerced to a float (docs/wire.md#types). */
export function compileNumber(rules: Rules): CompiledType {
  const check = compileMagnitude(rules)
  return {
    validate: (value, path) => (isNumeric(value) ? check(toFloat(value), path) : notOfType(path, 'number')),
    coerce: toFloat,
  }
}

/** `multipleOf` first, then the bounds; an exclusive bound without its limit means nothing. */
export function compileMagnitude(rules: Rules): (number: number, path: string) => Problem | null {
  const checks: ((number: number, path: string) => Problem | null)[] = []
  const { multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = rules
  if (multipleOf !== undefined) {
    const step = toFloat(multipleOf)
    // A remainder by 0 is NaN, which is not 0: nothing is a multiple of 0.
    checks.push((number, path) => (number % step === 0 ? null : notMultiple(path, multipleOf)))
  }
  const low: Bound | null = minimum === undefined ? null : { limit: minimum, exclusive: toBoolean(exclusiveMinimum) }
  const high: Bound | null = maximum === undefined ? null : { limit: maximum, exclusive: toBoolean(exclusiveMaximum) }
  if (low) {
    const limit = toFloat(low.limit)
    const breaks = low.exclusive ? (n: number) => n <= limit : (n: number) => n < limit
    checks.push((number, path) => (breaks(number) ? outOfBounds(path, low, high) : null))
  }
  if (high) {
    const limit = toFloat(high.limit)
    const breaks = high.exclusive ? (n: number) => n >= limit : (n: number) => n > limit
    checks.push((number, path) => (breaks(number) ? outOfBounds(path, low, high) : null))
  }
  const [only, second] = checks
  if (!only) return () => null
  if (!second) return only
  return (number, path) => {
    for (const check of checks) {
      const problem = check(number, path)
      if (problem) return problem
    }
    return null
  }
}
