import type { RestResponse } from '../http/rest-response.js'
import { joined } from '../routing/cross-origin-headers.js'
import type { Endpoint } from '../routing/endpoint.js'
import type { Route, RouteTable } from '../routing/table.js'
import { allowHeaders, expose } from './headers.js'

type HeaderLines = readonly (readonly [name: string, value: string])[]

/** The CORS headers of routes whose handlers add headers of their own to them. */
export type CrossOriginRoutes = ReadonlyMap<Route<Endpoint>, HeaderLines>

export function crossOriginRoutes({ routes }: RouteTable<Endpoint>): CrossOriginRoutes {
  const lines = new Map<Route<Endpoint>, HeaderLines>()
  for (const route of routes) {
    const headers = joined(route.handlers.flatMap(({ crossOrigin }) => crossOrigin ?? []))
    if (headers === null) continue
    lines.set(route, [
      [expose[0], [expose[1], ...headers.response].join(', ')],
      [allowHeaders[0], [allowHeaders[1], ...headers.request].join(', ')],
    ])
  }
  return lines
}

/** Headers that the handler has set stay. @param lines undefined for a route without its own. */
export function addCrossOriginHeaders(response: RestResponse, lines: HeaderLines = []): void {
  for (const [name, value] of lines) if (!response.headers.has(name)) response.header(name, value)
}
