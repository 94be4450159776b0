import type { RestError } from '../http/rest-error.js'
import { errorResponse } from '../http/error-response.js'
import { StorageError } from '../database/storage-error.js'
import type { Explanation, Step } from './explanation.js'

const order = ['path', 'authentication', 'route', 'arguments', 'permission', 'handler'] as const

/** An explanation that is being written, step by step. */
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
      allow: null,
    }
  }

  take(step: Step): this {
    this.#steps.push(step)
    return this
  }

  add(parts: Partial<Explanation>): this {
    this.#parts = { ...this.#parts, ...parts }
    return this
  }

  refused(step: Step['name'], error: RestError): Explanation {
    const { status } = errorResponse(error)
    this.add({ status, code: error.code, message: error.message })
    return this.#finished(`${status} ${error.code}, refused by the ${step}: ${error.message}`)
  }

  handled(handler: string): Explanation {
    this.take({ name: 'handler', outcome: 'passed', lines: [`${handler} decides the answer. It was not run.`] })
    return this.#finished(`${handler} is called: nothing before it refuses the request.`)
  }

  notTheApi(): Explanation {
    return this.#finished('Not the API: a page of the site answers.')
  }

  /** The answer to OPTIONS, which asks for no permission (docs/wire.md#options). */
  described(): Explanation {
    return this.add({ status: 200 }).#finished('200: OPTIONS describes the route, whoever asks; no handler is called.')
  }

  badCallback(): Explanation {
    this.add({ status: 400, code: 'rest_callback_invalid', message: 'Invalid JSONP callback function.' })
    return this.#finished('400 rest_callback_invalid: the parameter _jsonp is not the name of a function.')
  }

  /** A validator, sanitiser or permission callback threw what is no RestError. */
  broken(error: unknown): Explanation {
    const name = order[this.#steps.length] ?? 'handler'
    const wrote = error instanceof StorageError && error.fault === 'read-only'
    const line = wrote
      ? 'A callback tried to change data, which an explanation does not let it: what it would have said is not known.'
      : `A callback threw ${String(error)}`
    this.take({ name, outcome: 'refused', lines: [line] })
    if (wrote) return this.#finished(line)
    this.add({ status: 500, code: 'internal_server_error' })
    return this.#finished(`500 internal_server_error: a callback of the ${name} threw ${String(error)}`)
  }

  #finished(summary: string): Explanation {
    const reached = new Set(this.#steps.map(({ name }) => name))
    const missing = order.filter((name) => !reached.has(name))
    return {
      summary,
      ...this.#parts,
      steps: [...this.#steps, ...missing.map((name): Step => ({ name, outcome: 'not reached', lines: [] }))],
    }
  }
}
