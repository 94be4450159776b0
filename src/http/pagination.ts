import { entriesOf } from '../php/array-shape.js'
import { percentEncoded, urlEncoded } from '../php/percent-encoding.js'

/** What of a request says which page it asks for, and where it was sent. */
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
  /** The page before, then the page after. A page beyond the last one has the last one before it. */
  readonly links: readonly { readonly rel: 'prev' | 'next'; readonly href: string }[]
}

/** @throws RangeError */
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
      ...(previous > 0 ? [{ rel: 'prev', href: addressOf(request, previous) } as const] : []),
      ...(current < totalPages ? [{ rel: 'next', href: addressOf(request, current + 1) } as const] : []),
    ],
  }
}

/** 0 for what is no number. */
function wholeNumber(value: unknown): number {
  const number = typeof value === 'string' || typeof value === 'number' ? Math.trunc(Number(value)) : 0
  return Number.isSafeInteger(number) ? number : 0
}

/** The page keeps its place among the parameters; the parameter `rest_route` is what the path says already. */
function addressOf(request: PagedRequest, page: number): string {
  const query = request.get_query_params()
  const named: readonly (readonly [string, unknown])[] = 'page' in query ? [] : [['page', page]]
  const pairs = [...entriesOf(query), ...named]
    .filter(([name]) => name !== 'rest_route')
    .flatMap(([name, value]) => pairsOf(urlEncoded(name), name === 'page' ? page : value))
  return `${request.root}${safePath(request.route.slice(1))}?${pairs.join('&')}`
}

/** A parameter as WordPress writes it into an address: lists by index, nothing of null, no `=` before an empty value. */
function pairsOf(name: string, value: unknown): string[] {
  if (value === null || value === undefined) return []
  if (typeof value === 'object')
    return entriesOf(value).flatMap(([key, inner]) => pairsOf(`${name}%5B${urlEncoded(key)}%5D`, inner))
  const text = value === true ? '1' : value === false ? '' : urlEncoded(String(value))
  return [text === '' ? name : `${name}=${text}`]
}

/** A path that came as a parameter is decoded: nothing in it may end the address in a header. */
function safePath(path: string): string {
  return percentEncoded(path, /^[\w.~!$&'()*+,;=:@%/-]$/)
}
