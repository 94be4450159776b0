import { textOf } from '../base/thrown-text.js'
import { tooLargeText } from '../http/refusal.js'
import type { RestError } from '../http/rest-error.js'
import { errorResponse } from '../http/error-response.js'
import { StorageError } from '../database/storage-error.js'
import type { RestResponse } from '../http/rest-response.js'
import type { Explanation, Step } from './explanation.js'

const order = [
  'path',
  'authentication',
  'route',
  'arguments',
  'permission',
  'idempotency key',
  'around',
  'handler',
] as const

/** What decides a response before the handler: a refusal of a step, or a response with its source in words. */
export type EarlyResponse =
  | { readonly step: Step['name']; readonly error: RestError }
  | { readonly response: RestResponse; readonly source: string }

/** An explanation to which steps are added. A method that returns an `Explanation` completes it. */
export class Draft {
  readonly #steps: Step[] = []
  #parts: Omit<Explanation, 'summary' | 'steps'>

  constructor(method: string, path: string | null) {
    this.#parts = {
      status: null,
      code: null,
      message: null,
      method,
      path,
      caller: null,
      route: null,
      nearest: [],
      arguments: [],
      permission: null,
      around: [],
      allow: null,
    }
  }

  addStep(step: Step): this {
    this.#steps.push(step)
    return this
  }

  set(parts: Partial<Explanation>): this {
    this.#parts = { ...this.#parts, ...parts }
    return this
  }

  refused(step: Step['name'], error: RestError): Explanation {
    const { status } = errorResponse(error)
    this.set({ status, code: error.code, message: error.message })
    return this.#finished(`${status} ${error.code}, refused by ${partyOf(step)}: ${error.message}`)
  }

  /** Completes the explanation of a response that does not come from the handler. */
  respondsEarly(earlyResponse: EarlyResponse): Explanation {
    if ('error' in earlyResponse) return this.refused(earlyResponse.step, earlyResponse.error)
    const { response, source } = earlyResponse
    const { status } = response
    const { code, message } = errorTextsOf(response)
    this.set({ status, code, message })
    return this.#finished(`${code === null ? status : `${status} ${code}`}: ${source}`)
  }

  /** No step before the handler decides the response. A function around it that was not run may. */
  handled(handler: string): Explanation {
    this.addStep({ name: 'handler', outcome: 'passed', lines: [`${handler} produces the response. It was not run.`] })
    const isCertain = this.#parts.around.every(({ outcome }) => outcome !== 'not run')
    if (isCertain) return this.#finished(`${handler} is called: nothing before it refuses the request.`)
    const exception = 'unless a function around it answers first: such functions were not run'
    return this.#finished(`${handler} is called, ${exception}. Nothing else before it refuses the request.`)
  }

  /** @param limit in bytes. */
  bodyTooLarge(limit: number): Explanation {
    const code = 'rest_request_too_large'
    const message = tooLargeText(limit)
    return this.set({ status: 413, code, message }).#finished(`413 ${code}: ${message} The request is not read.`)
  }

  servedBySite(): Explanation {
    return this.#finished('Not a request to the API: a page of the site answers.')
  }

  /** OPTIONS needs no permission: docs/wire.md#options. */
  servedAsOptions(): Explanation {
    return this.set({ status: 200 }).#finished(
      '200: OPTIONS describes the route to every caller. No handler is called.',
    )
  }

  invalidJsonpCallback(): Explanation {
    this.set({ status: 400, code: 'rest_callback_invalid', message: 'Invalid JSONP callback function.' })
    return this.#finished('400 rest_callback_invalid: the parameter _jsonp is not the name of a function.')
  }

  /** A validator, sanitiser or permission callback has thrown an error other than a RestError. */
  failed(error: unknown): Explanation {
    const name = order[this.#steps.length] ?? 'handler'
    const isWrite = error instanceof StorageError && error.fault === 'read-only'
    const line = isWrite
      ? 'A callback tried to change data, which an explanation does not allow. Its result is unknown.'
      : `A callback threw ${textOf(error)}`
    this.addStep({ name, outcome: 'refused', lines: [line] })
    if (isWrite) return this.#finished(line)
    this.set({ status: 500, code: 'internal_server_error' })
    return this.#finished(`500 internal_server_error: a callback of ${partyOf(name)} threw ${textOf(error)}`)
  }

  #finished(summary: string): Explanation {
    const reachedNames = new Set(this.#steps.map(({ name }) => name))
    const otherNames = order.filter((name) => !reachedNames.has(name))
    return {
      summary,
      ...this.#parts,
      steps: [...this.#steps, ...otherNames.map((name): Step => ({ name, outcome: 'not reached', lines: [] }))],
    }
  }
}

/** A step in a sentence: `refused by the permission`. */
const partyOf = (step: Step['name']): string => (step === 'around' ? 'a function around the handler' : `the ${step}`)

/** The code and the message in the body of an error response; null for a missing one. */
function errorTextsOf({ status, body }: RestResponse): { code: string | null; message: string | null } {
  const texts = status < 400 || typeof body !== 'object' || body === null ? {} : body
  const { code, message } = texts as { readonly code?: unknown; readonly message?: unknown }
  const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)
  return { code: textOrNull(code), message: textOrNull(message) }
}
