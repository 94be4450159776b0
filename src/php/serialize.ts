import { floatText14 } from './float-text.js'
import { unserialize, unserializeForChange } from './serialized-reader.js'
import { numberIn, serialize, SerializedFragment } from './serialized-writer.js'
import { phpTrim } from './trim.js'

export { numberIn, serialize, SerializedFragment, unserialize, unserializeForChange }

/**
 * The text that WordPress stores for a metadata or option value. Text is stored as it is, or serialised when it looks
 * serialised already. `true` is `1`, `false` is empty, numbers have PHP's form, lists and maps are serialised.
 * @returns null, for the database's NULL, when the value is null or undefined.
 * @throws TypeError when the value contains a function or an instance of a class.
 * @throws RangeError when lists and maps are nested more than 512 levels deep.
 */
export function maybeSerialize(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return looksSerialized(value, false) ? serialize(value) : value
  if (typeof value === 'boolean') return value ? '1' : ''
  if (typeof value === 'number') return numberText(value)
  return serialize(value)
}

/**
 * The value of a text stored by {@link maybeSerialize}. Text that does not look serialised, is damaged, or contains an
 * object is returned unchanged.
 */
export function maybeUnserialize(text: string | null): unknown {
  if (text === null || !looksSerialized(text, true)) return text
  const value = unserialize(phpTrim(text))
  return value === undefined ? text : value
}

/**
 * Whether WordPress treats a text as the output of `serialize`. Only the start and the end of the text are examined.
 * @param isWhole whether the end must match too. WordPress requires it when it reads a text, not when it stores one.
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
 * PHP writes a float with 14 digits and an integer with all its digits. JavaScript has one number type, so a whole
 * number that 14 digits would change counts as an integer.
 */
function numberText(number: number): string {
  const text = floatText14(number)
  return Number.isSafeInteger(number) && Number(text) !== number ? String(number) : text
}
