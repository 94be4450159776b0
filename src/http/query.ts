import { RestError } from './rest-error.js'
import { InternedNames } from './interned-names.js'
import { asBytes, decodeFormText } from './percent.js'
import { bagOf, maximumDepth, Variables, type Bag } from './variables.js'

export type { Bag } from './variables.js'

/** Variables in one query or form, as PHP's `max_input_vars`. */
export const maximumVariables = 1000

/** What was decoded, and why not all of it. */
export interface ParsedVariables {
  readonly bag: Bag
  /** Status 400 when a limit was passed; PHP would drop the rest without a word. */
  readonly problem: RestError | null
}

/**
 * Decodes a query or a urlencoded form as PHP does, brackets included.
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
    const found = bytes.indexOf('&', start)
    const end = found === -1 ? bytes.length : found
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
 * The variables of a text in which nothing has to be decoded or kept in order, which most queries are; null for any other. Short, so
 * that none of the limits can be passed.
 */
function plainVariables(text: string): Bag | null {
  if (text.length > maximumVariables || !/^[\w~!$*(),;:@/?&=-]+$/.test(text)) return null
  const bag = bagOf()
  for (let start = 0; start < text.length;) {
    // An integer would not keep its place in the bag.
    if (text.charCodeAt(start) <= nine) return null
    const found = text.indexOf('&', start)
    const end = found === -1 ? text.length : found
    const equals = text.indexOf('=', start)
    const nameEnd = equals === -1 || equals > end ? end : equals
    if (nameEnd > start) bag[names.of(text.slice(start, nameEnd))] = text.slice(Math.min(nameEnd + 1, end), end)
    start = end + 1
  }
  return bag
}

export function tooMany(): RestError {
  const message = `Too many parameters: at most ${maximumVariables} are accepted in one query or form.`
  return new RestError('rest_too_many_params', message, { status: 400 })
}

export function tooDeep(): RestError {
  const message = `A parameter name may have at most ${maximumDepth} pairs of brackets.`
  return new RestError('rest_params_too_deep', message, { status: 400 })
}
