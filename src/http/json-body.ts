import { RestError } from './rest-error.js'
import { decodeBytes } from '../php/text.js'
import { JsonFault, parseJson } from './json-parser.js'

/** A decoded JSON body. */
export interface JsonBody {
  /** Any JSON value; `null` also for a body that is empty or faulty. */
  readonly value: unknown
  /** `rest_invalid_json`, with PHP's code and message of the fault. */
  readonly problem: RestError | null
}

/** Whether WordPress takes a body for none: it is empty, or the one character `0`. */
export function saysNothing(body: Uint8Array): boolean {
  return body.length === 0 || (body.length === 1 && body[0] === 0x30)
}

/** Decodes a body that declares itself JSON. An empty body and the body `0` say nothing (docs/wire.md#json-bodies). */
export function readJson(body: Uint8Array): JsonBody {
  if (saysNothing(body)) return { value: null, problem: null }
  try {
    return { value: parseJson(decodeBytes(body)), problem: null }
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    const data = { status: 400, json_error_code: error.code, json_error_message: error.message }
    return { value: null, problem: new RestError('rest_invalid_json', 'Invalid JSON body passed.', data) }
  }
}
