import { describeValue } from './describe-value.js'

/** Why an entry of a list `around` is invalid, as a sentence without its subject; null for a valid entry. */
export function aroundReason(entry: unknown): string | null {
  if (typeof entry !== 'function')
    return `is ${describeValue(entry)}, but must be a function: async (request, next) => next().`
  if (entry.length > 2) return `takes ${entry.length} parameters. It takes the request and next.`
  return /^class\b/.test(Function.prototype.toString.call(entry))
    ? 'is a class, but must be a function: async (request, next) => next(). Inject the class in it.'
    : null
}
