import { lowerPattern, PatternError, routePattern, translateLowered } from '../pcre/pattern.js'
import { bytesOf } from '../php/bytes.js'
import { maxPathBytesFor } from './table.js'

/**
 * A function that tells whether a path matches a route pattern with the case that the pattern declares. Routes are matched
 * without case: `/shop/v1/Products` reaches `/shop/v1/products`.
 * @param pattern with its namespace. Nothing matches a pattern that the start refuses.
 */
export function exactMatcher(pattern: string): (path: string) => boolean {
  try {
    const lowered = lowerPattern(pattern, { ...routePattern, ignoreCase: false })
    // The analysis at the start read the pattern without case. With case, `[^a]` also matches `A`.
    const maxBytes = maxPathBytesFor(lowered)
    const { matches } = translateLowered(lowered)
    return (path) => bytesOf(path).length <= maxBytes && matches(path)
  } catch (error) {
    if (error instanceof PatternError) return () => false
    throw error
  }
}
