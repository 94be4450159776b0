import type { IncomingRequest, OutgoingResponse, Respond } from '../../src/http/exchange.js'

/** Returns the response to a request, at once or later. */
export type Responder = (request: IncomingRequest) => OutgoingResponse | Promise<OutgoingResponse>

/** A responder as the server calls it. */
export const respondBy =
  (responder: Responder): Respond =>
  (request, send) => {
    const response = responder(request)
    if (response instanceof Promise) void response.then(send)
    else send(response)
  }
