import { pagination, type PagedRequest } from './pagination.js'

/**
 * Statuses that HTTP (or WordPress's table of it) defines and that end a request; any other is a fault of the handler.
 */
const knownStatuses = new Set(
  (
    '200 201 202 203 204 205 206 207 208 226 300 301 302 303 304 305 306 307 308 ' +
    '400 401 402 403 404 405 406 407 408 409 410 411 412 413 414 415 416 417 418 421 422 423 424 425 426 428 429 431 451 ' +
    '500 501 502 503 504 505 506 507 508 510 511'
  )
    .split(' ')
    .map(Number),
)

/** A link of a response, sent in the body under `_links`. */
export interface ResponseLink {
  readonly href: string
  /** Sent before `href`; `embeddable: true` lets `_embed` fetch it. */
  readonly attributes: Readonly<Record<string, unknown>>
}

/** What a handler answers: a body, a status, and headers of its own. */
export class RestResponse<T = unknown> {
  /** By name as it was first spelled; those of `Set-Cookie` are in `cookies`. */
  readonly headers = new Map<string, string>()
  /** Values of `Set-Cookie`, each sent in a header of its own. */
  readonly cookies: string[] = []
  readonly links = new Map<string, ResponseLink[]>()

  /**
   * @param body anything JSON can say; `null` sends no bytes at all. Items of a list may be responses themselves: each
   *   is sent as its body and its links.
   * @param status default 200. 204 sends no bytes whatever the body is.
   * @param headers sent with the answer, and inside an envelope.
   * @throws RangeError when HTTP does not define the status, or it does not end a request (1xx).
   */
  constructor(
    readonly body: T | null,
    readonly status: number = 200,
    headers?: Readonly<Record<string, string>>,
  ) {
    if (!knownStatuses.has(status)) {
      const given: unknown = status
      throw new RangeError(
        `RestResponse: ${typeof given === 'string' ? `the text '${given}'` : String(given)} is not a status that HTTP ends a request with. Use a number such as 200, 201, 204 or 404.`,
      )
    }
    if (headers) for (const [name, value] of Object.entries(headers)) this.header(name, value)
  }

  /**
   * Sets a header, in whatever spelling its name is there already; with `replace` false the value joins what is there,
   * separated by a comma. A `Set-Cookie` joins the others as a header of its own.
   */
  header(name: string, value: string, replace = true): this {
    const lower = name.toLowerCase()
    if (lower === 'set-cookie') {
      if (replace) this.cookies.length = 0
      this.cookies.push(value)
      return this
    }
    const known = this.headers.has(name) ? name : [...this.headers.keys()].find((key) => key.toLowerCase() === lower)
    const present = known === undefined ? undefined : this.headers.get(known)
    this.headers.set(known ?? name, replace || present === undefined ? value : `${present}, ${value}`)
    return this
  }

  /** The same status and headers with another body, without the links. */
  withBody<B>(body: B | null): RestResponse<B> {
    const copy = new RestResponse(body, this.status)
    for (const [name, value] of this.headers) copy.headers.set(name, value)
    copy.cookies.push(...this.cookies)
    return copy
  }

  /** Adds a `Link` header: `<url>; rel="next"`, with further attributes; `title` is quoted. */
  linkHeader(rel: string, url: string, attributes: Readonly<Record<string, string>> = {}): this {
    let value = `<${url}>; rel="${rel}"`
    for (const [name, text] of Object.entries(attributes)) {
      value += name === 'title' ? `; title="${text}"` : `; ${name}=${text}`
    }
    return this.header('Link', value, false)
  }

  /** Adds a link to the body's `_links`. Relations of `https://api.w.org/` are shortened to `wp:…`. */
  addLink(rel: string, href: string, attributes: Readonly<Record<string, unknown>> = {}): this {
    const links = this.links.get(rel)
    if (links) links.push({ href, attributes })
    else this.links.set(rel, [{ href, attributes }])
    return this
  }

  /**
   * Says where in a longer list this page stands: sets `X-WP-Total`, `X-WP-TotalPages`, and a `Link` to the page before
   * and the page after, if there are any. Clients of WordPress page by these.
   *
   * The links are the address of the request, with `page` replaced and all other query parameters kept. Page and size
   * are the request's parameters `page` (default 1) and `per_page` (default 10; -1: all in one page, -2: as 2), after validation.
   *
   * @param total how many items all pages have together.
   * @throws RangeError when `total` is not a whole number from 0 on.
   */
  paginate(request: PagedRequest, total: number): this {
    const { totalPages, links } = pagination(request, total)
    this.header('X-WP-Total', String(total)).header('X-WP-TotalPages', String(totalPages))
    for (const { rel, href } of links) this.linkHeader(rel, href)
    return this
  }
}
