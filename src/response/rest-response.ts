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

/** A link of a response, sent in the body under `_links` (WIRE 8.5). */
export interface ResponseLink {
  readonly href: string
  /** Sent before `href`; `embeddable: true` lets `_embed` fetch it. */
  readonly attributes: Readonly<Record<string, unknown>>
}

/** What a handler answers: a body, a status, and headers of its own. */
export class RestResponse<T = unknown> {
  readonly headers: Map<string, string>
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
      throw new RangeError(
        `RestResponse: ${status} is not a status that HTTP ends a request with. Use one such as 200, 201, 204 or 404.`,
      )
    }
    this.headers = new Map(headers && Object.entries(headers))
  }

  /** Sets a header; with `replace` false the value joins what is there, separated by a comma. */
  header(name: string, value: string, replace = true): this {
    const present = this.headers.get(name)
    this.headers.set(name, replace || present === undefined ? value : `${present}, ${value}`)
    return this
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
