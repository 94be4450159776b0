import { editDistance } from '../base/nearest.js'
import { lowerPattern, PatternError, routePattern, translateLowered } from '../pcre/pattern.js'
import { exponentialRisk } from '../pcre/safety.js'
import type { Route } from '../routing/table.js'
import type { Endpoint } from '../routing/endpoint.js'
import type { ExplainedService } from './explained-service.js'
import type { NearMiss } from './explanation.js'
import { placeOfEndpoint } from './route-step.js'

/** Longer paths have no suggestions, which bounds the work. */
const maxPathLength = 500

/** Routes whose patterns are similar to a path, compared segment by segment; the most similar first. */
export function nearestRoutes(
  path: string,
  method: string,
  { pipeline, routes }: ExplainedService,
): readonly NearMiss[] {
  if (path.length > maxPathLength) return []
  const segments = path.split('/').filter((segment) => segment !== '')
  const similar = pipeline.table.routes.flatMap((route) => {
    const difference = differenceOf(segments, route)
    if (difference === null) return []
    const isOffered = route.handlers.some(({ methods }) => methods.includes(method))
    return [{ route, sentence: difference.sentence, distance: difference.distance + (isOffered ? 0 : 1) }]
  })
  similar.sort((left, right) => left.distance - right.distance)
  return similar.flatMap(({ route, sentence }) => {
    const endpoint = route.handlers.find(({ methods }) => methods.includes(method)) ?? route.handlers[0]
    if (!endpoint) return []
    const offeredMethods = [...new Set(route.handlers.flatMap(({ methods }) => methods))].join(', ')
    return [
      {
        suggestion: `${offeredMethods} ${route.pattern}`,
        reason: sentence,
        place: placeOfEndpoint(endpoint, method, routes),
      },
    ]
  })
}

/** The difference between a path and a pattern; null when there is none, or when it is too large. */
function differenceOf(
  segments: readonly string[],
  { pattern }: Route<Endpoint>,
): { readonly distance: number; readonly sentence: string } | null {
  const parts = segmentsOf(pattern)
  if (parts.length !== segments.length || parts.length === 0) return null
  let distance = 0
  const sentences: string[] = []
  for (const [index, part] of parts.entries()) {
    const segment = segments[index] ?? ''
    if (fits(part, segment)) continue
    const isLiteral = /^[\w.-]+$/.test(part)
    const edits = isLiteral ? editDistance(segment, part) : 2
    if (isLiteral && edits > Math.max(2, part.length / 3)) return null
    distance += edits
    sentences.push(isLiteral ? `'${segment}' is not '${part}'.` : `'${segment}' does not match ${part}.`)
  }
  return distance === 0 ? null : { distance, sentence: sentences.join(' ') }
}

/** The pattern split at slashes outside of groups and character classes. */
function segmentsOf(pattern: string): string[] {
  const segments: string[] = []
  let segment = ''
  let depth = 0
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern.charAt(index)
    if (character === '\\') {
      segment += character + pattern.charAt((index += 1))
      continue
    }
    if ('(['.includes(character)) depth += 1
    if (')]'.includes(character)) depth -= 1
    if (character !== '/' || depth > 0) segment += character
    else if (segment !== '') {
      segments.push(segment)
      segment = ''
    }
  }
  return segment === '' ? segments : [...segments, segment]
}

function fits(part: string, segment: string): boolean {
  try {
    const lowered = lowerPattern(part, routePattern)
    // The start has checked the whole pattern only. Without the flags that precede it there, such as `(?-i)`, a part can take
    // exponential time.
    return exponentialRisk(lowered) === null && translateLowered(lowered).matches(segment)
  } catch (error) {
    if (error instanceof PatternError) return false
    throw error
  }
}
