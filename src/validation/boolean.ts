import { restSanitizeBoolean } from '../sanitizers/boolean.js'
import type { CompiledType } from './compiled-type.js'
import { notOfType } from './problems.js'

const booleanTexts = new Set(['true', 'false', '0', '1'])

/**
 * Whether the value is `true`, `false`, 0, 1, or one of the texts `true false 0 1` in any letter case.
 * @param isFloat the value is a whole float. As in WordPress, `1.0` is not a boolean.
 */
export function isBooleanLike(value: unknown, isFloat?: boolean): boolean {
  if (typeof value === 'string') return value.length <= 5 && booleanTexts.has(value.toLowerCase())
  return typeof value === 'boolean' || ((value === 0 || value === 1) && isFloat !== true)
}

/** `type: boolean`. Every text but `''`, `0` and `false` is coerced to true. */
export const booleanChecks: CompiledType = {
  validate: (value, path, _, isFloat) => (isBooleanLike(value, isFloat) ? null : notOfType(path, 'boolean')),
  coerce: restSanitizeBoolean,
}
