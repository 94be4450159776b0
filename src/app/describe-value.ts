/** A declared value in an error message: text in quotes, a number as it is, else `a list`, `a function`, `an object`. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'function') return 'a function'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
