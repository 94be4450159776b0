import type { IncomingRequest } from '../request/exchange.js'
import { parseCookies } from '../request/headers.js'
import type { ParsedRequest } from '../request/rest-request.js'

/** A request for a page: what was sent, and the texts of its query and its form. */
export class PageRequest {
  readonly path: string
  readonly #cookies: Record<string, string> = Object.create(null) as Record<string, string>

  constructor(
    readonly incoming: IncomingRequest,
    readonly parsed: ParsedRequest,
  ) {
    this.path = incoming.path
    for (const [name, value] of parseCookies(incoming.headers['cookie'])) this.#cookies[name] = value
  }

  get method(): string {
    return this.incoming.method
  }

  get cookies(): Readonly<Record<string, string>> {
    return this.#cookies
  }

  /** What the authenticator looks at. */
  get credentials() {
    const { headers, method, secure } = this.incoming
    return { headers, method, secure, cookies: this.#cookies }
  }

  /** A field of the query; `''` when it is missing or no text. */
  query(name: string): string {
    return textIn(this.parsed.query, name)
  }

  /** A field of the posted form; `''` when it is missing or no text. */
  field(name: string): string {
    return textIn(this.parsed.posted, name)
  }
}

function textIn(bag: Readonly<Record<string, unknown>>, name: string): string {
  const value = bag[name]
  return typeof value === 'string' ? value : ''
}
