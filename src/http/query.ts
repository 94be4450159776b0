import { RestError } from './rest-error.js'
import { InternedNames } from './interned-names.js'
import { asBytes, decodeFormText } from './percent.js'
import { bagOf, maximumDepth, Variables, type Bag } from './variables.js'

export type { Bag } from './variables.js'

/** Maximum number of variables in one query or form, as PHP's `max_input_vars`. */
export const maximumVariables = 1000

/** A decoded query or form. */
export interface ParsedVariables {
  readonly bag: Bag
  /** An error with status 400 when a limit is exceeded, where PHP would ignore the rest silently; otherwise null. */
  readonly problem: RestError | null
}

/**
 * Decodes a query or a urlencoded form as PHP does, including brackets in names.
 * @param text without the question mark; one character per byte.
 */
export function parseQuery(text: string): ParsedVariables {
  if (text === '') return { bag: bagOf(), problem: null }
  const plain = plainVariables(text)
  if (plain !== null) return { bag: plain, problem: null }
  const bytes = asBytes(text)
  const variables = new Variables()
  let count = 0
  for (let start = 0; start < bytes.length;) {
    const separator = bytes.indexOf('&', start)
    const end = separator === -1 ? bytes.length : separator
    if (end > start) {
      count += 1
      if (count > maximumVariables) return { bag: variables.bag(), problem: tooMany() }
      const equals = bytes.slice(start, end).indexOf('=')
      const nameEnd = equals === -1 ? end : start + equals
      const value = decodeFormText(bytes.slice(nameEnd + 1, end))
      const fits = variables.add(decodeFormText(bytes.slice(start, nameEnd)), value)
      if (!fits) return { bag: variables.bag(), problem: tooDeep() }
    }
    start = end + 1
  }
  return { bag: variables.bag(), problem: null }
}

const names = new InternedNames()
const nine = 0x39

/**
 * A fast path for most queries: the variables of a short text without escapes, brackets and integer names; null for
 * other texts. The text is too short to exceed a limit.
 */
function plainVariables(text: string): Bag | null {
  if (text.length > maximumVariables || !/^[\w~!$*(),;:@/?&=-]+$/.test(text)) return null
  const bag = bagOf()
  for (let start = 0; start < text.length;) {
    // JavaScript would reorder an integer name.
    if (text.charCodeAt(start) <= nine) return null
    const separator = text.indexOf('&', start)
    const end = separator === -1 ? text.length : separator
    const equals = text.indexOf('=', start)
    const nameEnd = equals === -1 || equals > end ? end : equals
    if (nameEnd > start) bag[names.of(text.slice(start, nameEnd))] = text.slice(Math.min(nameEnd + 1, end), end)
    start = end + 1
  }
  return bag
}

/** The error for more than {@link maximumVariables} variables. */
export function tooMany(): RestError {
  const message = `Too many parameters: at most ${maximumVariables} are accepted in one query or form.`
  return new RestError('rest_too_many_params', message, { status: 400 })
}

/** The error for a name with more than {@link maximumDepth} pairs of brackets. */
export function tooDeep(): RestError {
  const message = `A parameter name may have at most ${maximumDepth} pairs of brackets.`
  return new RestError('rest_params_too_deep', message, { status: 400 })
}
