import type { IncomingRequest } from '../http/exchange.js'
import { parseCookies } from '../http/headers.js'
import type { ParsedRequest } from '../http/parsed-request.js'

/** A request for a page, with access to the text fields of its query and its form. */
export class PageRequest {
  readonly cookies: ReadonlyMap<string, string>

  /** @param path relative to the address of the site, percent-encoded as the client sent it: `/product/lamp/`. */
  constructor(
    readonly incoming: IncomingRequest,
    readonly parsed: ParsedRequest,
    readonly path: string,
  ) {
    this.cookies = parseCookies(incoming.headers['cookie'])
  }

  /** The method of the request line. Method overrides such as `_method` apply to the API only. */
  get method(): string {
    return this.incoming.method
  }

  /** The parts of the request that the authenticator reads. */
  get credentials() {
    const { headers, method, secure } = this.incoming
    return { headers, method, secure, cookies: this.cookies }
  }

  /** A field of the query; `''` when it is missing or not a text. */
  query(name: string): string {
    return textIn(this.parsed.query, name)
  }

  /** A field of the posted form; `''` when it is missing or not a text. */
  field(name: string): string {
    return textIn(this.parsed.posted, name)
  }

  /** Whether the body is a form with at least one field. */
  get hasForm(): boolean {
    return Object.keys(this.parsed.posted).length > 0
  }

  hasField(name: string): boolean {
    return Object.hasOwn(this.parsed.posted, name)
  }

  /** A field of the form, or of the query when the form does not have it, like PHP's `$_REQUEST`. */
  value(name: string): string {
    return this.hasField(name) ? this.field(name) : this.query(name)
  }
}

/**
 * The path relative to a base path: `/blog/x` relative to `/blog` is `/x`. The base is compared case-insensitively.
 * @returns null when the path is not below the base.
 */
export function pathBelow(path: string, base: string): string | null {
  if (base === '') return path
  if (path.slice(0, base.length).toLowerCase() !== base.toLowerCase()) return null
  const rest = path.slice(base.length)
  return rest === '' || rest.startsWith('/') ? rest || '/' : null
}

function textIn(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = Object.hasOwn(fields, name) ? fields[name] : ''
  return typeof value === 'string' ? value : ''
}
