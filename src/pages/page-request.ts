import type { IncomingRequest } from '../http/exchange.js'
import { parseCookies } from '../http/headers.js'
import type { ParsedRequest } from '../http/rest-request.js'

/** A request for a page: what was sent, and the texts of its query and its form. */
export class PageRequest {
  readonly cookies: ReadonlyMap<string, string>

  /** @param path below the address of the site, as sent: `/product/lamp/`. */
  constructor(
    readonly incoming: IncomingRequest,
    readonly parsed: ParsedRequest,
    readonly path: string,
  ) {
    this.cookies = parseCookies(incoming.headers['cookie'])
  }

  /** As sent: pages know no overrides. */
  get method(): string {
    return this.incoming.method
  }

  /** What the authenticator looks at. */
  get credentials() {
    const { headers, method, secure } = this.incoming
    return { headers, method, secure, cookies: this.cookies }
  }

  /** A field of the query; `''` when it is missing or no text. */
  query(name: string): string {
    return textIn(this.parsed.query, name)
  }

  /** A field of the posted form; `''` when it is missing or no text. */
  field(name: string): string {
    return textIn(this.parsed.posted, name)
  }

  hasField(name: string): boolean {
    return Object.hasOwn(this.parsed.posted, name)
  }

  /** A field of the form, else of the query, as PHP's `$_REQUEST`. */
  value(name: string): string {
    return this.hasField(name) ? this.field(name) : this.query(name)
  }
}

/** A path below another, which is compared without case; null when it lies elsewhere. `/blog/x` below `/blog` is `/x`. */
export function pathBelow(path: string, base: string): string | null {
  if (base === '') return path
  if (path.slice(0, base.length).toLowerCase() !== base.toLowerCase()) return null
  const rest = path.slice(base.length)
  return rest === '' || rest.startsWith('/') ? rest || '/' : null
}

function textIn(bag: Readonly<Record<string, unknown>>, name: string): string {
  const value = Object.hasOwn(bag, name) ? bag[name] : ''
  return typeof value === 'string' ? value : ''
}
