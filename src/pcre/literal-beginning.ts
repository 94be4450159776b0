/** Whole segments of letters, digits, `_` and `-`. A `/` or the end follows, so that nothing repeats a part of them. */
const literalSegments = /^(?:\/[\w-]+)+(?=\/|$)/

/** A route pattern in two parts: text that stands for itself, and a pattern. */
export interface CutPattern {
  readonly literal: string
  readonly rest: string
}

/**
 * Cuts a route pattern behind the segments at its beginning that are mere text. Thousands of routes differ in these and
 * end alike (`/(?P<id>\d+)`), so what can be said of an end is worked out once. Does not hold for a rest with `|` at its
 * top, where the text belongs to the first alternative only.
 */
export function cutPattern(pattern: string): CutPattern {
  const literal = literalSegments.exec(pattern)?.[0] ?? ''
  return { literal, rest: pattern.slice(literal.length) }
}
