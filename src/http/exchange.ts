/** A request as an adapter hands it to the service: no HTTP library, nothing decoded. */
export interface IncomingRequest {
  /** As sent, upper case. */
  readonly method: string
  /** Path as sent, percent-encoded, beginning with `/`. */
  readonly path: string
  /** Without the question mark; `''` when there is none. */
  readonly query: string
  /** By lower-case name; several values of one name joined with `, ` (`; ` for cookies). Prototype-less. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The whole body; empty when there is none. Bounded by the adapter. */
  readonly body: Uint8Array
  /** The caller's address: the peer's, or what a trusted proxy says. */
  readonly address: string
  /** The request came over TLS, to us or to a trusted proxy. */
  readonly secure: boolean
  /** The peer is this machine and nothing was forwarded: a developer's own request. */
  readonly local: boolean
}

/** An answer as an adapter sends it. */
export interface OutgoingResponse {
  readonly status: number
  /** In sending order; a name may occur more than once. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Of a header list that many responses share: what senders have made of it. Left out for a list of its own. */
  readonly headerMemo?: HeaderMemo | undefined
  /** Under which the log speaks of the request; sent as `X-Request-Id`, behind the headers. Left out for none. */
  readonly requestId?: string
  /** Empty for none. */
  readonly body: string | Uint8Array
  /** The body is known to be a text of ASCII. */
  readonly isAscii?: boolean
}

/** A header list in the forms that senders need, each made once. The list must not change. */
export interface HeaderMemo {
  /** The lines of the head. */
  text?: { readonly lines: string; readonly isDated: boolean }
  /** Names and values in turn, for `node:http`. */
  flat?: readonly string[]
}
