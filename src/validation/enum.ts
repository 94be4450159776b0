import { asArrays, hasKey } from '../php/array-shape.js'
import { toText } from '../php/cast.js'
import { EncodingError, toJson } from '../http/json.js'
import { type CompiledType, Coercion } from './compiled-type.js'
import { notInEnum } from './problems.js'

/**
 * `enum`: the value is coerced first and then compared strictly. With the type integer, `"1"` therefore matches `[1]`,
 * and no value matches `["1"]`.
 * @param coerce the coercion of the schema that has the `enum`.
 * @returns null for an empty `enum`, which WordPress ignores.
 */
export function compileEnum(declaredValues: unknown, coerce: CompiledType['coerce']): CompiledType['validate'] | null {
  const values = typeof declaredValues === 'object' && declaredValues !== null ? Object.values(declaredValues) : []
  if (values.length === 0) return null
  const scalars = new Set<unknown>(values.filter((value) => typeof value !== 'object' || value === null))
  const structures = values.filter((value) => typeof value === 'object' && value !== null)
  const texts = values.map(enumText)
  return (value, path, work, isFloat) => {
    const coercion = new Coercion(work)
    const coerced = coerce(value, path, coercion, isFloat)
    if (coercion.isProblem(coerced)) return coerced
    const isAllowed = scalars.has(coerced) || structures.some((allowed) => areEqual(coerced, allowed))
    return isAllowed ? null : notInEnum(path, texts)
  }
}

/** The text of an allowed value in messages: PHP's text of a scalar, otherwise JSON; empty when it has no JSON form. */
function enumText(value: unknown): string {
  if (value !== null && typeof value !== 'object') return toText(value)
  try {
    return toJson(asArrays(value))
  } catch (error) {
    if (error instanceof EncodingError) return ''
    throw error
  }
}

/** Whether two values are equal. The order of keys is irrelevant, and a list equals the map of its items. */
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
