import type { ClientPresence } from '../base/client-presence.js'
import type { ReceivedForm } from './form-reader.js'
import type { RestError } from './rest-error.js'

/** A request as an adapter passes it to the service, independent of an HTTP library. Path, query and body are undecoded. */
export interface IncomingRequest {
  /** The method of the request line, in upper case. */
  readonly method: string
  /** The percent-encoded path. It begins with `/`. */
  readonly path: string
  /** Without the question mark; empty without a query. */
  readonly query: string
  /** By lower-case name, without a prototype. Several values of one name are joined with `, ` (`; ` for cookies). */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The whole body; empty without one. The adapter limits its size. */
  readonly body: Uint8Array
  /** The `multipart/form-data` body of a POST that was read while it arrived; `body` is empty then. */
  readonly form?: ReceivedForm | undefined
  /** The client's address: that of the peer, or the one that a trusted proxy reports. */
  readonly address: string
  /** The request was sent over TLS, to the service or to a trusted proxy. */
  readonly secure: boolean
  /** The peer has a loopback address, and the request has no forwarding header: a request of a developer. */
  readonly local: boolean
  /** The id of the request that a trusted proxy has given. */
  readonly requestId?: string | undefined
  /** Absent without a socket: `service.fetch` cannot tell whether the client is still there. */
  readonly client?: ClientPresence
  /** Set when the rate limit of its route has counted the request, so that it is counted once. */
  limited?: LimitDecision | undefined
}

/** The decision of a rate limit about a request. */
export interface LimitDecision {
  /** Null for a request that may go on. */
  readonly refusal: RestError | null
  /** Headers that are added to the response, of an accepted and of a refused request. */
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** Sends the response to a request. It must not throw. */
export type SendResponse = (outgoing: OutgoingResponse) => void

/**
 * Calls `send` exactly once, synchronously or later. Must not throw: an error inside becomes a response. `undefined` in place of
 * `void` refuses a function that returns a response.
 */
export type Respond = (request: IncomingRequest, send: SendResponse) => undefined

/** A response as an adapter sends it. */
export interface OutgoingResponse {
  readonly status: number
  /** In sending order; a name may occur more than once. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The converted forms of a header list that many responses share. Absent for a list of one response. */
  readonly headerMemo?: HeaderMemo | undefined
  /** The request id in the log. It is sent as `X-Request-Id` after the headers. Absent for a response without one. */
  readonly requestId?: string
  /** Empty for a response without a body, and for one whose body is a stream. */
  readonly body: string | Uint8Array
  /** A body that is sent while it is read. The adapter reads it to its end, or cancels it. */
  readonly stream?: OutgoingStream | undefined
  /** True when the body is a string of ASCII characters only. Absent when that is unknown. */
  readonly isAscii?: boolean
}

/** A body that is read chunk by chunk. */
export interface OutgoingStream {
  /** In bytes; null when it is not known before the end. */
  readonly size: number | null
  /**
   * The next chunk, which is not empty; null at the end. To be called again when the chunk has been taken. Rejects when the
   * source fails, which is then logged, and after `cancel`: the response must not look complete.
   */
  next(): Promise<Uint8Array | null>
  /** Ends the source, also while a chunk is awaited. May be called at any time. */
  cancel(): void
  /** Calls back once, when the stream is at its end, has failed or is cancelled. */
  whenEnded(callback: () => void): void
}

/** The converted forms of a header list. Each is computed once, so the list must not change. */
export interface HeaderMemo {
  /** The lines of an HTTP/1.1 response. `isDated`: whether they contain `Date`. */
  text?: { readonly lines: string; readonly isDated: boolean }
  /** Names and values alternately, for `node:http`. */
  flat?: readonly string[]
}
