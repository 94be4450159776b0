/** Headers that a page of another origin may send to a route, and read of its responses, besides those of all routes. */
export interface CrossOriginHeaders {
  readonly request: readonly string[]
  readonly response: readonly string[]
}

const headersOf = new WeakMap<object, CrossOriginHeaders>()

/** Marks a function of `around`: the routes that it is around name these headers in their CORS headers. */
export function usingHeaders<T extends object>(around: T, headers: CrossOriginHeaders): T {
  headersOf.set(around, headers)
  return around
}

/** The headers of all these functions, each once; null for none. */
export function crossOriginHeadersOf(functions: readonly object[]): CrossOriginHeaders | null {
  const marked = functions.flatMap((around) => headersOf.get(around) ?? [])
  return joined(marked)
}

/** The headers of several endpoints of one route, each once; null for none. */
export function joined(all: readonly CrossOriginHeaders[]): CrossOriginHeaders | null {
  if (all.length === 0) return null
  return {
    request: [...new Set(all.flatMap(({ request }) => request))],
    response: [...new Set(all.flatMap(({ response }) => response))],
  }
}
