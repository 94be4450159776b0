import { pagination, type PagedRequest } from './pagination.js'

/** The final statuses that HTTP or WordPress define. */
const finalStatuses = new Set(
  (
    '200 201 202 203 204 205 206 207 208 226 300 301 302 303 304 305 306 307 308 ' +
    '400 401 402 403 404 405 406 407 408 409 410 411 412 413 414 415 416 417 418 421 422 423 424 425 426 428 429 431 451 ' +
    '500 501 502 503 504 505 506 507 508 510 511'
  )
    .split(' ')
    .map(Number),
)

/** Whether HTTP or WordPress define a status, and it is not that of an interim response (1xx). */
export const isFinalStatus = (status: number): boolean => finalStatuses.has(status)

/** A link of a response, sent in the body under `_links`. */
export interface ResponseLink {
  readonly href: string
  /** Sent before `href`. With `embeddable: true`, a request with `_embed` includes the linked resource. */
  readonly attributes: Readonly<Record<string, unknown>>
  /** Of `self`: the address of this service whose methods `targetHints` lists. Default: `href`. */
  readonly hintsOf?: string
}

/** The implementation of {@link RestResponse}. {@link RestResponseConstructor} has the type parameters of its constructor. */
class ResponseOfHandler<T, Status extends number> {
  /** By name, in the letter case in which it was first set. Values of `Set-Cookie` are in `cookies`. */
  readonly headers = new Map<string, string>()
  /** Values of `Set-Cookie`. Each is sent as a separate header. */
  readonly cookies: string[] = []
  readonly links = new Map<string, ResponseLink[]>()

  /**
   * @param body any value with a JSON form; `null` sends no bytes. Items of a list may be responses: each is sent as
   * its body with its links.
   * @param status default 200. With 204, no body is sent.
   * @param headers sent with the response, and inside an envelope.
   * @throws RangeError when HTTP does not define the status, or it is not final (1xx).
   */
  constructor(
    readonly body: T | null,
    readonly status: Status = 200 as Status,
    headers?: Readonly<Record<string, string>>,
  ) {
    if (!isFinalStatus(status)) {
      const invalidStatus: unknown = status
      throw new RangeError(
        `RestResponse: ${typeof invalidStatus === 'string' ? `the text '${invalidStatus}'` : String(invalidStatus)} is not a status of a final HTTP response. Use a number such as 200, 201, 204 or 404.`,
      )
    }
    if (headers) for (const [name, value] of Object.entries(headers)) this.header(name, value)
  }

  /**
   * Sets a header. The letter case of the name is ignored when the header exists already.
   * @param replace false appends the value to the existing one, separated by a comma. A `Set-Cookie` is appended as a
   *   separate header.
   */
  header(name: string, value: string, replace = true): this {
    const lower = name.toLowerCase()
    if (lower === 'set-cookie') {
      if (replace) this.cookies.length = 0
      this.cookies.push(value)
      return this
    }
    const key = this.headers.has(name)
      ? name
      : [...this.headers.keys()].find((existing) => existing.toLowerCase() === lower)
    const previous = key === undefined ? undefined : this.headers.get(key)
    this.headers.set(key ?? name, replace || previous === undefined ? value : `${previous}, ${value}`)
    return this
  }

  /** A copy with another body. Status, headers and cookies are copied, links are not. */
  withBody<B>(body: B | null): RestResponse<B, Status> {
    const copy = new ResponseOfHandler<B, Status>(body, this.status)
    for (const [name, value] of this.headers) copy.headers.set(name, value)
    copy.cookies.push(...this.cookies)
    return copy
  }

  /** Adds a `Link` header, such as `<url>; rel="next"`, with further attributes. Only `title` is quoted. */
  linkHeader(rel: string, url: string, attributes: Readonly<Record<string, string>> = {}): this {
    let value = `<${url}>; rel="${rel}"`
    for (const [name, text] of Object.entries(attributes)) {
      value += name === 'title' ? `; title="${text}"` : `; ${name}=${text}`
    }
    return this.header('Link', value, false)
  }

  /** Adds a link to the body's `_links`. Relations that start with `https://api.w.org/` are shortened to `wp:…`. */
  addLink(rel: string, href: string, attributes: Readonly<Record<string, unknown>> = {}): this {
    const links = this.links.get(rel)
    if (links) links.push({ href, attributes })
    else this.links.set(rel, [{ href, attributes }])
    return this
  }

  /**
   * Sets the headers by which WordPress clients read a list page by page: `X-WP-Total`, `X-WP-TotalPages`, and a `Link`
   * to the previous and the next page, where these exist.
   *
   * A link is the URL of the request with another `page`; other query parameters stay. The current page is the
   * parameter `page` (default 1), the size of a page is `per_page` (default 10; -1: all items in one page; -2: the same
   * as 2). Both are read after validation.
   *
   * @param total number of items on all pages.
   * @throws RangeError when `total` is not a whole number from 0 on.
   */
  paginate(request: PagedRequest, total: number): this {
    const { totalPages, links } = pagination(request, total)
    this.header('X-WP-Total', String(total)).header('X-WP-TotalPages', String(totalPages))
    for (const { rel, href } of links) this.linkHeader(rel, href)
    return this
  }
}

/** @typeParam Status the status, where the compiler knows it. */
interface RestResponseConstructor {
  /**
   * @param body any value with a JSON form; `null` sends no bytes. Items of a list may be responses: each is sent as
   * its body with its links.
   * @param status default 200. With 204, no body is sent.
   * @param headers sent with the response, and inside an envelope.
   * @throws RangeError when HTTP does not define the status, or it is not final (1xx).
   */
  new <const T>(body: T | null, status?: 200, headers?: Readonly<Record<string, string>>): RestResponse<T, 200>
  new <const T, const Status extends number = number>(
    body: T | null,
    status: Status,
    headers?: Readonly<Record<string, string>>,
  ): RestResponse<T, Status>
  readonly prototype: RestResponse
}

/** The response of a handler: body, status, headers, cookies and links. */
export interface RestResponse<T = unknown, Status extends number = number> extends ResponseOfHandler<T, Status> {}
export const RestResponse = ResponseOfHandler as unknown as RestResponseConstructor
Object.defineProperty(RestResponse, 'name', { value: 'RestResponse' })
