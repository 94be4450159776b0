import { toFloat, toInteger } from '../php/cast.js'
import { isNumeric } from '../php/numeric-text.js'
import type { CompiledType, Rules } from './compiled-type.js'
import { compileNumericRules } from './number.js'
import { notOfType } from './problems.js'

/**
 * `type: integer`: a number without a fraction, or text with such a number (`"5.0"`, `"1e2"`, `" 5 "`). As in
 * WordPress, the fraction is checked last: 5.5 with a minimum of 10 is reported as out of bounds, not as of the wrong
 * type.
 */
export function compileInteger(rules: Rules): CompiledType {
  const check = compileNumericRules(rules)
  return {
    validate(value, path) {
      if (!isNumeric(value)) return notOfType(path, 'integer')
      const number = toFloat(value)
      return check(number, path) ?? (Math.floor(number) === number ? null : notOfType(path, 'integer'))
    },
    coerce(value, _path, coercion) {
      coercion.isFloat = false
      return toInteger(value)
    },
  }
}

/** Whether {@link compileInteger} accepts the value when its rules have no `multipleOf` and no bounds. */
export function isIntegral(value: unknown): boolean {
  if (!isNumeric(value)) return false
  const number = toFloat(value)
  return Math.floor(number) === number
}
