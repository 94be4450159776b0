// Each digit can be matched in one way only, so that a long run of digits costs no backtracking.
const number = String.raw`[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?`
const blank = String.raw`[ \t\n\r\v\f]*`
const leading = new RegExp(`^${blank}(${number})`)
const whole = new RegExp(`^${blank}${number}$`)

/** The number at the start of a text, behind white space: `'5.5'` of `' 5.5kg'`, null of `'kg'`. Hexadecimal is text. */
export function leadingNumberOf(text: string): string | null {
  return leading.exec(text)?.[1] ?? null
}

/**
 * PHP's `is_numeric`: a number, or text that is a decimal number with white space on either side.
 * Rules: docs/wire.md#types.
 */
export function isNumeric(value: unknown): boolean {
  if (typeof value === 'number') return true
  return typeof value === 'string' && whole.test(trimBlankEnd(value))
}

function trimBlankEnd(text: string): string {
  let end = text.length
  while (end > 0 && ' \t\n\r\v\f'.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
