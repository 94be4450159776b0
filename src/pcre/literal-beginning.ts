/** Segments of letters, digits, `_` and `-`. A `/` or the end must follow, so that no quantifier applies to them. */
const literalSegments = /^(?:\/[\w-]+)+(?=\/|$)/

/** A route pattern in two parts. */
export interface CutPattern {
  /** Literal text without special characters; `''` when the pattern does not begin with such text. */
  readonly literal: string
  /** The rest, which is a pattern. */
  readonly rest: string
}

/**
 * Cuts a route pattern behind the segments at its beginning that are literal text. Thousands of routes differ in these
 * segments and have the same rest (`/(?P<id>\d+)`), so results about the rest can be computed once and shared. The parts
 * must not be used separately when the rest has a `|` outside all groups: the literal then belongs to the first
 * alternative only.
 */
export function cutPattern(pattern: string): CutPattern {
  const literal = literalSegments.exec(pattern)?.[0] ?? ''
  return { literal, rest: pattern.slice(literal.length) }
}
