import type { ExpectedResponse, HttpCase } from './cases.js'

/**
 * The routes for which the example declares `cache: 60`, which WordPress does not know. They are named here, and not
 * read from the declarations, so that nothing else is ever taken for cached.
 */
const cached = /^\/wp-json\/shop\/v1\/(?:products(?:\/[^/]+)?|partials\/posts)\/*$/

/** All that a cache adds to a response, besides an `ETag`. */
const additions = {
  'cache-control': 'public, max-age=60',
  vary: 'Origin, Cookie, Authorization, X-WP-Nonce',
}

/** The responses that a case may get: the recorded ones, and a visitor's from a cached route with what the cache adds. */
export function acceptedResponses(httpCase: HttpCase): ExpectedResponse[] {
  const recorded = [httpCase.expect, ...(httpCase.alternatives ?? [])]
  const fromCache = recorded
    .filter((expected) => mayBeCached(httpCase, expected))
    .map((expected) => ({ ...expected, headers: { ...expected.headers, ...additions } }))
  return [...recorded, ...fromCache]
}

function mayBeCached({ as, method, path }: HttpCase, { status, headers }: ExpectedResponse): boolean {
  return (
    as.kind === 'anonymous' &&
    (method === 'GET' || method === 'HEAD') &&
    cached.test(path) &&
    status === 200 &&
    !('cache-control' in headers)
  )
}
