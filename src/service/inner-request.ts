import { HttpRequest, type ParsedRequest } from '../request/rest-request.js'
import { parseQuery, type Bag } from '../request/query.js'

const noParameters: Bag = Object.freeze(Object.create(null) as Bag)

/** A request that the service makes of itself, on behalf of the same caller. */
export interface InnerRequest {
  readonly method: string
  /** `/shop/v1/products/5` */
  readonly route: string
  readonly query: Bag
  /** Sent as a form. */
  readonly form?: Bag
  readonly headers?: Readonly<Record<string, string | undefined>>
}

/** @param outer the request in progress: its caller, address and connection are the inner one's. */
export function innerRequest({ method, route, query, form, headers }: InnerRequest, outer: HttpRequest): HttpRequest {
  const parsed: ParsedRequest = {
    method,
    overridden: false,
    query,
    posted: noParameters,
    form: form ?? (Object.create(null) as Bag),
    files: noParameters,
    isJson: false,
    jsonValue: null,
    json: null,
    problem: null,
  }
  const incoming = { ...outer.incoming, method, headers: headers ?? outer.incoming.headers, body: new Uint8Array(0) }
  return new HttpRequest({ incoming, parsed, route, user: outer.user })
}

/**
 * A GET of an address, when it is one of this service.
 * @param root `https://shop.example/wp-json/`
 */
export function requestTo(href: string, root: string, outer: HttpRequest): HttpRequest | null {
  if (!href.startsWith(root)) return null
  const [path = '', query = ''] = href.slice(root.length).split('?', 2)
  return innerRequest({ method: 'GET', route: `/${path.replace(/\/+$/, '')}`, query: parseQuery(query).bag }, outer)
}
