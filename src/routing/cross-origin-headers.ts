/** Headers that a page of another origin may send to a route, and read from its responses, besides those of all routes. */
export interface CrossOriginHeaders {
  readonly request: readonly string[]
  readonly response: readonly string[]
}

/** The headers of several endpoints of one route, each once; null for none. */
export function joined(all: readonly CrossOriginHeaders[]): CrossOriginHeaders | null {
  if (all.length === 0) return null
  return {
    request: [...new Set(all.flatMap(({ request }) => request))],
    response: [...new Set(all.flatMap(({ response }) => response))],
  }
}
