import { RestError } from './rest-error.js'
import { InternedNames } from './interned-names.js'
import { asBytes, decodeFormText } from './percent.js'
import { parameterMap, maxDepth, Variables, type ParameterMap } from './variables.js'

export type { ParameterMap } from './variables.js'

/** Maximum number of variables in one query or form, as PHP's `max_input_vars`. */
export const maxVariables = 1000

/** A decoded query string or form body. */
export interface ParsedVariables {
  /** By name. */
  readonly parameters: ParameterMap
  /** The error with status 400 when a limit is exceeded, else null. PHP would silently ignore what exceeds a limit. */
  readonly problem: RestError | null
}

/**
 * Decodes a query string or an `application/x-www-form-urlencoded` body as PHP does: `a[b]=1` is a map in the variable
 * `a`.
 * @param text the query without its question mark, or the body, with one character per byte (latin1).
 */
export function parseQuery(text: string): ParsedVariables {
  if (text === '') return { parameters: parameterMap(), problem: null }
  const plain = plainVariables(text)
  if (plain !== null) return { parameters: plain, problem: null }
  const bytes = asBytes(text)
  const variables = new Variables()
  let count = 0
  for (let start = 0; start < bytes.length;) {
    const separator = bytes.indexOf('&', start)
    const end = separator === -1 ? bytes.length : separator
    if (end > start) {
      count += 1
      if (count > maxVariables) return { parameters: variables.toMap(), problem: tooManyVariables() }
      const equals = bytes.slice(start, end).indexOf('=')
      const nameEnd = equals === -1 ? end : start + equals
      const value = decodeFormText(bytes.slice(nameEnd + 1, end))
      const fits = variables.add(decodeFormText(bytes.slice(start, nameEnd)), value)
      if (!fits) return { parameters: variables.toMap(), problem: nameTooDeep() }
    }
    start = end + 1
  }
  return { parameters: variables.toMap(), problem: null }
}

const names = new InternedNames()
const codeOfNine = '9'.charCodeAt(0)

/**
 * A fast path for most queries: the variables of a text that needs no decoding. Null for a text with other characters
 * (such as `%`, `+`, `.` or brackets) or with a name that may be an integer. Null also for a text with more than
 * {@link maxVariables} characters: a shorter one cannot contain more variables than that.
 */
function plainVariables(text: string): ParameterMap | null {
  if (text.length > maxVariables || !/^[\w~!$*(),;:@/?&=-]+$/.test(text)) return null
  const parameters = parameterMap()
  for (let start = 0; start < text.length;) {
    // JavaScript would reorder integer keys. They begin with `-` or a digit, none of which comes after `9` in ASCII.
    if (text.charCodeAt(start) <= codeOfNine) return null
    const separator = text.indexOf('&', start)
    const end = separator === -1 ? text.length : separator
    const equals = text.indexOf('=', start)
    const nameEnd = equals === -1 || equals > end ? end : equals
    if (nameEnd > start) parameters[names.of(text.slice(start, nameEnd))] = text.slice(Math.min(nameEnd + 1, end), end)
    start = end + 1
  }
  return parameters
}

/** The error for more than {@link maxVariables} variables. */
export function tooManyVariables(): RestError {
  const message = `Too many parameters: at most ${maxVariables} are accepted in one query or form.`
  return new RestError('rest_too_many_params', message, { status: 400 })
}

/** The error for a name with more than {@link maxDepth} pairs of brackets. */
export function nameTooDeep(): RestError {
  const message = `A parameter name may have at most ${maxDepth} pairs of brackets.`
  return new RestError('rest_params_too_deep', message, { status: 400 })
}
