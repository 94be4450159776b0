import { whyUnavailable } from '../auth/availability.js'
import { HttpRequest } from '../http/rest-request.js'

/** What the service's own handlers ask about a request, and what handlers of an application do not learn. */
export class RestContext {
  /** @param environment `production`, `staging`, `development` or `local`. */
  constructor(readonly environment: string) {}

  /** Why application passwords may not be used in this request, as a sentence; null when they may. */
  whyUnavailable(request: object): string | null {
    return whyUnavailable(this.environment, httpRequest(request).incoming)
  }

  /** UUID of the application password that identified the caller; null when none did. */
  applicationPasswordOf(request: object): string | null {
    return httpRequest(request).applicationPassword
  }
}

function httpRequest(request: object): HttpRequest {
  if (request instanceof HttpRequest) return request
  throw new TypeError('This handler is served by the service itself, with its own requests.')
}
