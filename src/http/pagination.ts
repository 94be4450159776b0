import { entriesOf } from '../php/array-shape.js'
import { percentEncoded, urlEncoded } from '../php/percent-encoding.js'

/** The parts of a request that determine the current page and the links to other pages. */
export interface PagedRequest {
  /** `https://shop.example/wp-json/` */
  readonly root: string
  /** `/shop/v1/products` */
  readonly route: string
  get_params(): object
  get_query_params(): Readonly<Record<string, unknown>>
}

export interface Pagination {
  readonly totalPages: number
  /** The link to the previous page, then to the next one. Beyond the last page, `prev` is the last page. */
  readonly links: readonly { readonly rel: 'prev' | 'next'; readonly href: string }[]
}

/**
 * The number of pages, and the links of the current page.
 * @param total number of items on all pages.
 * @throws RangeError when `total` is not a whole number from 0 on.
 */
export function pagination(request: PagedRequest, total: number): Pagination {
  if (!Number.isSafeInteger(total) || total < 0)
    throw new RangeError(`RestResponse.paginate: the total must be a whole number from 0 on; it is ${total}.`)
  const { page, per_page } = request.get_params() as { readonly page?: unknown; readonly per_page?: unknown }
  const current = Math.abs(wholeNumber(page)) || 1
  const size = wholeNumber(per_page)
  const totalPages = size === -1 ? Math.min(total, 1) : Math.ceil(total / (Math.abs(size) || 10))
  const previous = Math.min(current - 1, totalPages)
  return {
    totalPages,
    links: [
      ...(previous > 0 ? [{ rel: 'prev', href: urlOf(request, previous) } as const] : []),
      ...(current < totalPages ? [{ rel: 'next', href: urlOf(request, current + 1) } as const] : []),
    ],
  }
}

/** The value truncated to an integer; 0 when it is not a number. */
function wholeNumber(value: unknown): number {
  const number = typeof value === 'string' || typeof value === 'number' ? Math.trunc(Number(value)) : 0
  return Number.isSafeInteger(number) ? number : 0
}

/** `page` keeps its position among the parameters. `rest_route` is left out, because the path contains the route. */
function urlOf(request: PagedRequest, page: number): string {
  const query = request.get_query_params()
  const added: readonly (readonly [string, unknown])[] = 'page' in query ? [] : [['page', page]]
  const pairs = [...entriesOf(query), ...added]
    .filter(([name]) => name !== 'rest_route')
    .flatMap(([name, value]) => pairsOf(urlEncoded(name), name === 'page' ? page : value))
  return `${request.root}${escapedPath(request.route.slice(1))}?${pairs.join('&')}`
}

/** A parameter as WordPress writes it into a URL: lists by index, null left out, no `=` before an empty value. */
function pairsOf(name: string, value: unknown): string[] {
  if (value === null || value === undefined) return []
  if (typeof value === 'object')
    return entriesOf(value).flatMap(([key, inner]) => pairsOf(`${name}%5B${urlEncoded(key)}%5D`, inner))
  const text = value === true ? '1' : value === false ? '' : urlEncoded(String(value))
  return [text === '' ? name : `${name}=${text}`]
}

/**
 * Escapes the characters that could end the URL in a header. A route from the parameter `rest_route` is not encoded.
 */
function escapedPath(path: string): string {
  return percentEncoded(path, /^[\w.~!$&'()*+,;=:@%/-]$/)
}
