import { restSanitizeBoolean } from '../sanitizers/boolean.js'
import type { CompiledType } from './compiled-type.js'
import { notOfType } from './problems.js'

const words = new Set(['true', 'false', '0', '1'])

/** `true`, `false`, 0, 1 and the texts `true false 0 1` in any case (docs/wire.md#types). */
export function isBooleanLike(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= 5 && words.has(value.toLowerCase())
  return typeof value === 'boolean' || value === 0 || value === 1
}

/** `type: boolean`; every text but `''`, `0` and `false` is true (docs/wire.md#coercion). */
export const booleanChecks: CompiledType = {
  validate: (value, path) => (isBooleanLike(value) ? null : notOfType(path, 'boolean')),
  coerce: restSanitizeBoolean,
}
