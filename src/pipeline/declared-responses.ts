import { ignoreFailures } from '../base/thenable.js'
import { logError } from '../log/log-error.js'
import type { Log } from '../log/log.js'
import type { HttpRequest } from '../http/http-request.js'
import type { RestResponse } from '../http/rest-response.js'
import type { Endpoint } from '../routing/endpoint.js'
import type { CompiledResponses } from '../validation/responses.js'
import { HandlerError } from './handler-error.js'

export interface DeclaredResponsesOptions {
  /** Whether a response that does not match its declaration becomes a 500. Otherwise only its declared parts are sent, and it is logged once. */
  readonly isStrict: boolean
  readonly log: Log
}

/**
 * Responses whose body is known to be plain, so that writing it needs no search for values without a JSON form. A later step that
 * changes the body makes a new response, which is not among them and is searched.
 */
const plainBodies = new WeakSet<RestResponse>()

/** Whether the body of a response needs no check before `JSON.stringify`. */
export const hasPlainBody = (response: RestResponse): boolean => plainBodies.has(response)

/** Compares the responses of handlers with the schemas in `responses` of their declarations, and removes what the schemas do not describe. */
export class DeclaredResponses {
  readonly #options: DeclaredResponsesOptions
  /** Statuses that were logged, by endpoint. */
  readonly #logged = new WeakMap<Endpoint, Set<number>>()

  constructor(options: DeclaredResponsesOptions) {
    this.#options = options
  }

  /**
   * The response with only the parts of its body that its schema describes.
   * @throws HandlerError for a response that is not as declared, where that is a 500, and for a body that a schema of a library
   *   refuses: such a schema does not tell which parts of it may be sent.
   */
  apply(response: RestResponse, responses: CompiledResponses, endpoint: Endpoint, request: HttpRequest): RestResponse {
    const { isStrict, log } = this.#options
    if (isStrict) this.#refuse(response, responses, endpoint)
    const declared = responses.declared(response)
    if (declared.isRefused) this.#refuse(response, responses, endpoint)
    if (declared.isPlain) plainBodies.add(declared.response)
    if (declared.isFaulty && !isStrict && this.#isFirst(endpoint, response.status)) {
      const fault = responses.faultOf(response)
      const { id: requestId, route } = request
      logError(log, 'response-undeclared', { handler: endpoint.name, status: response.status, fault, requestId, route })
    }
    return declared.response
  }

  /** @throws HandlerError when the response is not as declared. */
  #refuse(response: RestResponse, responses: CompiledResponses, endpoint: Endpoint): void {
    const fault = responses.faultOf(response)
    if (fault === null) return
    ignoreFailures(response.body)
    throw new HandlerError(sentence(endpoint, response.status, fault))
  }

  #isFirst(endpoint: Endpoint, status: number): boolean {
    let statuses = this.#logged.get(endpoint)
    if (!statuses) this.#logged.set(endpoint, (statuses = new Set()))
    const isFirst = !statuses.has(status)
    statuses.add(status)
    return isFirst
  }
}

function sentence({ name }: Endpoint, status: number, fault: string): string {
  return `${name}: its response with the status ${status} is not as declared: ${fault} Correct what the handler returns, or 'responses'.`
}
