import { editDistance } from '../base/nearest.js'
import { lowerPattern, PatternError, routePattern, translateLowered } from '../pcre/pattern.js'
import { exponentialRisk } from '../pcre/safety.js'
import type { Route } from '../routing/table.js'
import type { Endpoint } from '../routing/endpoint.js'
import type { ExplainedService } from './explained-service.js'
import type { NearMiss } from './explanation.js'
import { placeOfEndpoint } from './route-step.js'

/** A path this long is no misspelling. */
const maxPathLength = 500

/** Routes whose patterns almost match a path, segment by segment; the closest first. */
export function nearestRoutes(
  path: string,
  method: string,
  { pipeline, routes }: ExplainedService,
): readonly NearMiss[] {
  if (path.length > maxPathLength) return []
  const wanted = path.split('/').filter((segment) => segment !== '')
  const close = pipeline.table.routes.flatMap((route) => {
    const difference = differenceOf(wanted, route)
    if (difference === null) return []
    const isOffered = route.handlers.some(({ methods }) => methods.includes(method))
    return [{ route, sentence: difference.sentence, distance: difference.distance + (isOffered ? 0 : 1) }]
  })
  close.sort((one, other) => one.distance - other.distance)
  return close.flatMap(({ route, sentence }) => {
    const taken = route.handlers.find(({ methods }) => methods.includes(method)) ?? route.handlers[0]
    if (!taken) return []
    const offered = [...new Set(route.handlers.flatMap(({ methods }) => methods))].join(', ')
    return [
      {
        suggestion: `${offered} ${route.pattern}`,
        reason: sentence,
        place: placeOfEndpoint(taken, method, routes),
      },
    ]
  })
}

/** How far a path is from a pattern; null when that is too far to be meant. */
function differenceOf(
  wanted: readonly string[],
  { pattern }: Route<Endpoint>,
): { readonly distance: number; readonly sentence: string } | null {
  const parts = segmentsOf(pattern)
  if (parts.length !== wanted.length || parts.length === 0) return null
  let distance = 0
  const sentences: string[] = []
  for (const [index, part] of parts.entries()) {
    const segment = wanted[index] ?? ''
    if (fits(part, segment)) continue
    const isLiteral = /^[\w.-]+$/.test(part)
    const wrong = isLiteral ? editDistance(segment, part) : 2
    if (isLiteral && wrong > Math.max(2, part.length / 3)) return null
    distance += wrong
    sentences.push(isLiteral ? `'${segment}' is not '${part}'.` : `'${segment}' does not match ${part}.`)
  }
  return distance === 0 ? null : { distance, sentence: sentences.join(' ') }
}

/** A pattern at its slashes, but for those inside groups and classes. */
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
    // The start has judged the whole pattern, in which the part may have had other flags.
    return exponentialRisk(lowered) === null && translateLowered(lowered).matches(segment)
  } catch (error) {
    if (error instanceof PatternError) return false
    throw error
  }
}
