import type { OpenApiDocument } from '../../src/documents/openapi-document.js'

/** A user with valid credentials of each kind. */
export interface Member {
  readonly login: string
  readonly id: number
  /** The header `Authorization`. */
  readonly basic: string
  /** The header `Cookie`. */
  readonly cookie: string
  readonly nonce: string
  /** Of an application password. */
  readonly uuid: string
}

export interface Started {
  readonly port: number
  readonly url: string
  readonly document: OpenApiDocument
}

/** In bytes, after a collection of garbage. */
export interface Measurement {
  readonly heapUsed: number
  readonly external: number
  readonly rss: number
  /** How many of each kind keep the process alive. */
  readonly handles: Readonly<Record<string, number>>
}
