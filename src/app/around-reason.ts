import { describeValue } from './describe-value.js'

/** Why an entry of a list `around` cannot be used, after its name; null for one that can. */
export function aroundReason(entry: unknown): string | null {
  if (typeof entry !== 'function')
    return `is ${describeValue(entry)}, but must be a function: async (request, next) => next().`
  if (entry.length > 2) return `takes ${entry.length} parameters. It takes the request and next.`
  return /^class\b/.test(Function.prototype.toString.call(entry))
    ? 'is a class, but must be a function: async (request, next) => next(). Inject the class in it.'
    : null
}
