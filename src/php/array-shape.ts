/** Whether a decoded value is a list: PHP's array with the keys `0 … n-1`. */
export function isList(value: unknown): value is unknown[] {
  return Array.isArray(value)
}

/** Whether a decoded value is a map: PHP's array with other keys than `0 … n-1`. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
