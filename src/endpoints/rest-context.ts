import { whyUnavailable } from '../auth/availability.js'
import { HttpRequest } from '../http/rest-request.js'

/** Data about a request that the service's own handlers read, and handlers of an application cannot. */
export class RestContext {
  /** @param environment `production`, `staging`, `development` or `local`. */
  constructor(readonly environment: string) {}

  /** Why application passwords may not be used in this request, as a sentence; null when they may. */
  whyUnavailable(request: object): string | null {
    return whyUnavailable(this.environment, httpRequest(request).incoming)
  }

  /** UUID of the application password that authenticated the caller; null for other authentication. */
  applicationPasswordOf(request: object): string | null {
    return httpRequest(request).applicationPassword
  }
}

function httpRequest(request: object): HttpRequest {
  if (request instanceof HttpRequest) return request
  throw new TypeError('The request of this handler must be an HttpRequest.')
}
