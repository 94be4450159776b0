import { isNumeric } from '../php/numeric-text.js'

/** Maximum length of a numeric text, in UTF-16 code units. A longer one is not an id. */
const maxNumberLength = 64

/**
 * The id in the target of a capability check. The target is a number, a text that is numeric in PHP, or an object with
 * one of these as `ID` or `id`. See conformance/recorded/vectors/caps-odd-targets.json.
 * @returns 0, which no row has, for any other target.
 */
export function idOf(target: unknown): number {
  if (typeof target === 'object' && target !== null && !Array.isArray(target)) return scalarId(idField(target))
  return scalarId(target)
}

function idField(target: object): unknown {
  if ('ID' in target) return target.ID
  return 'id' in target ? target.id : null
}

function scalarId(value: unknown): number {
  if ((typeof value === 'string' && value.length > maxNumberLength) || !isNumeric(value)) return 0
  const id = Math.trunc(Number(value))
  return Number.isSafeInteger(id) && id > 0 ? id : 0
}
