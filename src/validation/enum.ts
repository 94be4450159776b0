import { asArrays, hasKey } from '../php/array-shape.js'
import { toText } from '../php/cast.js'
import { EncodingError, toJson } from '../http/json.js'
import { type CompiledType, CoercionFailures } from './compiled-type.js'
import { notInEnum } from './problems.js'

/**
 * `enum`: the value is coerced first, then compared strictly, so that `"1"` is among the integers `[1]` and nothing is
 * among `["1"]` (docs/wire.md#enum). An empty `enum` is none.
 * @param coerce the coercion of the schema that has the `enum`.
 */
export function compileEnum(declared: unknown, coerce: CompiledType['coerce']): CompiledType['validate'] | null {
  const values = typeof declared === 'object' && declared !== null ? Object.values(declared) : []
  if (values.length === 0) return null
  const scalars = new Set<unknown>(values.filter((value) => typeof value !== 'object' || value === null))
  const structures = values.filter((value) => typeof value === 'object' && value !== null)
  const texts = values.map(enumText)
  return (value, path) => {
    const trouble = new CoercionFailures()
    const coerced = coerce(value, path, trouble)
    if (trouble.has(coerced)) return coerced
    const found = scalars.has(coerced) || structures.some((allowed) => areEqual(coerced, allowed))
    return found ? null : notInEnum(path, texts)
  }
}

/** How a message names an allowed value: a scalar as PHP's text, everything else as JSON, nothing when JSON cannot say it. */
function enumText(value: unknown): string {
  if (value !== null && typeof value !== 'object') return toText(value)
  try {
    return toJson(asArrays(value))
  } catch (error) {
    if (error instanceof EncodingError) return ''
    throw error
  }
}

/** Whether two values are the same; the order of keys does not count, a list equals the map of its items. */
function areEqual(left: unknown, right: unknown): boolean {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right
  const names = Object.keys(left)
  if (names.length !== Object.keys(right).length) return false
  return names.every(
    (name) =>
      hasKey(right, name) &&
      areEqual((left as Record<string, unknown>)[name], (right as Record<string, unknown>)[name]),
  )
}
