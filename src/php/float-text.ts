/**
 * The shortest text that reads back as this float, as PHP writes it with `serialize_precision=-1`:
 * `0.1`, `1.0E+25`, `-0`, `INF`, `NAN`.
 */
export function floatText(number: number): string {
  return specialText(number) ?? layOut(number.toExponential(), 17)
}

/**
 * The float with 14 significant digits, as PHP's string cast writes it and as WordPress stores it in metadata:
 * `0.1 + 0.2` is `0.3`, `1e20` is `1.0E+20`, `10` is `10`.
 */
export function floatText14(number: number): string {
  return shortText(number) ?? specialText(number) ?? layOut(roundedToEven(number), 14)
}

/**
 * A fast path for numbers that need no rounding, such as prices: JavaScript and PHP write them alike. Null for others.
 */
function shortText(number: number): string | null {
  const size = Math.abs(number)
  if (!(size >= 0.0001 && size < 1e14)) return null
  const text = String(number)
  // Longer texts may have more than 14 significant digits.
  return text.length <= 14 ? text : null
}

function specialText(number: number): string | null {
  if (Number.isNaN(number)) return 'NAN'
  if (!Number.isFinite(number)) return number > 0 ? 'INF' : '-INF'
  if (number === 0) return Object.is(number, -0) ? '-0' : '0'
  return null
}

/** `toExponential(13)`, except that an exact tie rounds to the even digit, as in PHP. JavaScript rounds it up. */
function roundedToEven(number: number): string {
  const rounded = number.toExponential(13)
  if (!/^-?\d\.\d{13}5e/.test(number.toExponential())) return rounded
  const exact = number.toExponential(60)
  const [tie] = /^-?\d\.\d{13}(?=50{46}e)/.exec(exact) ?? []
  if (tie === undefined || !'02468'.includes(tie.slice(-1))) return rounded
  return tie + exact.slice(exact.indexOf('e'))
}

/** Turns `1.5e+25` into `1.5E+25`, or into plain digits when the decimal point is within `precision` places. */
function layOut(exponential: string, precision: number): string {
  const [mantissa = '', exponentText = '0'] = exponential.split('e')
  const sign = mantissa.startsWith('-') ? '-' : ''
  const digits = mantissa.replace(/[-.]/g, '').replace(/0+$/, '')
  const exponent = Number(exponentText)
  const point = exponent + 1
  if (point > precision || point < -3) {
    return `${sign}${digits.slice(0, 1)}.${digits.slice(1) || '0'}E${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`
  }
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  if (digits.length <= point) return sign + digits.padEnd(point, '0')
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}
