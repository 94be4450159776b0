/** A value inside a sentence, in quotes when it is text; anything that was declared can be sourceText, whatever it is. */
export function sourceText(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'function') return 'a function'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
