/**
 * The type of a value for an error message: `a boolean`, `a list`, `an object of Date`. The value itself may be secret.
 */
export function typeOfValue(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (typeof value === 'string') return 'a string'
  if (typeof value !== 'object') return `a ${typeof value}`
  if (Array.isArray(value)) return 'a list'
  const name: unknown = (value as { readonly constructor?: { readonly name?: unknown } }).constructor?.name
  return typeof name === 'string' && name !== '' && name !== 'Object' ? `an object of ${name}` : 'an object'
}

/**
 * @param name names the value in the message.
 * @throws TypeError when the value is not a string.
 */
export function requireString(value: unknown, name: string): asserts value is string {
  if (typeof value !== 'string') throw new TypeError(`${name} must be a string; it is ${typeOfValue(value)}.`)
}

/**
 * Accepts NaN and infinity.
 * @param name names the value in the message.
 * @throws TypeError when the value is not a number.
 */
export function requireNumber(value: unknown, name: string): asserts value is number {
  if (typeof value !== 'number') throw new TypeError(`${name} must be a number; it is ${typeOfValue(value)}.`)
}

/**
 * @param name names the value in the message.
 * @throws TypeError when the value is not a boolean. The text `false` of a query would count as true.
 */
export function requireBoolean(value: unknown, name: string): asserts value is boolean {
  if (typeof value !== 'boolean') throw new TypeError(`${name} must be a boolean; it is ${typeOfValue(value)}.`)
}

/** Whether a value is an object or a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
