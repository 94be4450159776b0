// Each digit can be matched in one way only, so a long run of digits causes no backtracking.
const numberPattern = String.raw`[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?`
const whiteSpace = String.raw`[ \t\n\r\v\f]*`
const leadingNumber = new RegExp(`^${whiteSpace}(${numberPattern})`)
const numericText = new RegExp(`^${whiteSpace}${numberPattern}$`)

/**
 * The decimal number at the start of a text, without leading white space: `'5.5'` for `' 5.5kg'`, null for `'kg'`.
 * A hexadecimal number such as `0x1A` is read as its `0`.
 */
export function leadingNumberOf(text: string): string | null {
  return leadingNumber.exec(text)?.[1] ?? null
}

/**
 * PHP's `is_numeric`: a number, or text that is a decimal number with optional white space on either side.
 */
export function isNumeric(value: unknown): boolean {
  if (typeof value === 'number') return true
  return typeof value === 'string' && numericText.test(trimWhiteSpaceEnd(value))
}

function trimWhiteSpaceEnd(text: string): string {
  let end = text.length
  while (end > 0 && ' \t\n\r\v\f'.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
