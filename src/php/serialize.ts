import { floatText14 } from './float-text.js'
import { unserialize } from './serialized-reader.js'
import { serialize } from './serialized-writer.js'
import { phpTrim } from './trim.js'

export { serialize, unserialize }

/**
 * The text under which WordPress stores a metadata or option value: text as it is, text that looks serialised
 * serialised once more, `true` as `1`, `false` as nothing, numbers in PHP's form, lists and maps serialised.
 * @returns null, the database's own, for null.
 * @throws TypeError and RangeError as `serialize` does.
 * Rules: docs/wire.md#stored-values.
 */
export function maybeSerialize(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return looksSerialized(value, false) ? serialize(value) : value
  if (typeof value === 'boolean') return value ? '1' : ''
  if (typeof value === 'number') return numberText(value)
  return serialize(value)
}

/**
 * The value of a stored text, see {@link maybeSerialize}. Text that does not look serialised, is damaged, or contains
 * an object comes back as it is.
 */
export function maybeUnserialize(text: string | null): unknown {
  if (text === null || !looksSerialized(text, true)) return text
  const value = unserialize(phpTrim(text))
  return value === undefined ? text : value
}

/**
 * Whether WordPress takes a text for the output of `serialize`; it looks at both ends only.
 * @param isWhole false: what only begins like it counts too, as when WordPress is about to store the text.
 */
function looksSerialized(text: string, isWhole: boolean): boolean {
  const trimmed = phpTrim(text)
  if (trimmed === 'N;') return true
  if (/^[bid]:/.test(trimmed)) return (isWhole ? /^.:[-+.E\d]+;$/ : /^.:[-+.E\d]+;/).test(trimmed)
  if (!/^[aOEs]:\d+:/.test(trimmed)) return false
  if (!trimmed.startsWith('s')) return isWhole ? /[;}]$/.test(trimmed) : /[;}]/.test(trimmed)
  return isWhole ? /"[;}]$/.test(trimmed) : /[;}]/.test(trimmed) && trimmed.includes('"')
}

/**
 * A float keeps 14 digits, an integer all of them. JavaScript cannot tell one from the other, so a whole number that
 * 14 digits would change is an integer.
 */
function numberText(number: number): string {
  const text = floatText14(number)
  return Number.isSafeInteger(number) && Number(text) !== number ? String(number) : text
}
