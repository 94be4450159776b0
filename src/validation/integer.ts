import { toFloat, toInteger } from '../php/cast.js'
import { isNumeric } from '../php/numeric-text.js'
import type { CompiledType, Rules } from './compiled-type.js'
import { compileMagnitude } from './number.js'
import { notOfType } from './problems.js'

/**
 * `type: integer`: a number without a fraction, or text that is one (`"5.0"`, `"1e2"`, `" 5 "`). A fraction is
 * noticed last, so that 5.5 under a minimum of 10 is out of bounds rather than of the wrong type.
 * Rules: docs/wire.md#types.
 */
export function compileInteger(rules: Rules): CompiledType {
  const check = compileMagnitude(rules)
  return {
    validate(value, path) {
      if (!isNumeric(value)) return notOfType(path, 'integer')
      const number = toFloat(value)
      return check(number, path) ?? (Math.floor(number) === number ? null : notOfType(path, 'integer'))
    },
    coerce: toInteger,
  }
}

/** Whether {@link compileInteger} takes the value for an integer. */
export function isIntegral(value: unknown): boolean {
  if (!isNumeric(value)) return false
  const number = toFloat(value)
  return Math.floor(number) === number
}
