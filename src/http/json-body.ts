import { RestError } from './rest-error.js'
import { JsonError, parseJson, TooManyValuesError } from '../php/json-parser.js'
import { decodeBytes } from '../php/text.js'

/** A decoded JSON body. */
export interface JsonBody {
  /** Any JSON value; null also for an empty or invalid body. */
  readonly value: unknown
  /**
   * `rest_invalid_json`, with PHP's code and message of the syntax error; or `rest_too_many_json_values`; null when the
   * body is accepted.
   */
  readonly problem: RestError | null
}

/** Whether WordPress treats the body as missing: it is empty, or the single character `0`, which is false in PHP. */
export function isMissingBody(body: Uint8Array): boolean {
  return body.length === 0 || (body.length === 1 && body[0] === 0x30)
}

/** Maximum number of values in a body. Lists, maps and each of their members count. */
const maxValues = 50_000

/** Decodes a body with a JSON content type. */
export function readJson(body: Uint8Array): JsonBody {
  if (isMissingBody(body)) return { value: null, problem: null }
  try {
    return { value: parseJson(decodeBytes(body), { maxValues }), problem: null }
  } catch (error) {
    if (error instanceof TooManyValuesError) return { value: null, problem: tooManyValues() }
    if (!(error instanceof JsonError)) throw error
    const data = { status: 400, json_error_code: error.code, json_error_message: error.message }
    return { value: null, problem: new RestError('rest_invalid_json', 'Invalid JSON body passed.', data) }
  }
}

export function tooManyValues(): RestError {
  const message = `Too many values: at most ${maxValues} are accepted in one JSON body.`
  return new RestError('rest_too_many_json_values', message, { status: 400 })
}
