import type { ResponseErrorCode } from '../base/response-errors.js'
import type { Problem } from '../http/rest-error.js'
import { nearest } from '../base/nearest.js'
import { toInteger, toText } from '../php/cast.js'

// The problems of invalid values, with WordPress's codes and messages. `path` is the name of the argument, followed by
// the position of a nested value: `tags[0][name]`.

/** A problem of a value. */
export interface ValueProblem extends Problem {
  /**
   * The path of the value; left out when the message contains it. A 400 has WordPress's message to the letter; messages about
   * responses and metadata begin with this path.
   */
  readonly path?: string
}

/** @param type one type, or several joined by commas. */
export const notOfType = (path: string, type: string): Problem =>
  problem('rest_invalid_type', `${path} is not of type ${type}.`, { param: path })

/** @param value the declared factor, text or number. */
export const notMultiple = (path: string, value: unknown): Problem =>
  problem('rest_invalid_multiple', `${path} must be a multiple of ${toText(value)}.`)

/** A declared `minimum` or `maximum`. */
export interface Bound {
  /** The declared text or number. Messages truncate it to an integer. */
  readonly limit: unknown
  readonly exclusive: boolean
}

/** Like WordPress's, the message names both bounds when both are declared, whichever of them the value breaks. */
export function outOfBounds(path: string, minimum: Bound | null, maximum: Bound | null): Problem {
  const sentence =
    minimum && maximum
      ? `be between ${boundText(minimum)} and ${boundText(maximum)}`
      : minimum
        ? `be greater than ${minimum.exclusive ? '' : 'or equal to '}${toInteger(minimum.limit)}`
        : `be less than ${maximum?.exclusive === true ? '' : 'or equal to '}${toInteger(maximum?.limit)}`
  return problem('rest_out_of_bounds', `${path} must ${sentence}`)
}

const boundText = ({ limit, exclusive }: Bound): string =>
  `${toInteger(limit)} (${exclusive ? 'exclusive' : 'inclusive'})`

export const tooShort = (path: string, minimum: unknown): Problem =>
  problem('rest_too_short', `${path} must be at least ${countText(minimum, 'character', 'characters')} long.`)

export const tooLong = (path: string, maximum: unknown): Problem =>
  problem('rest_too_long', `${path} must be at most ${countText(maximum, 'character', 'characters')} long.`)

export const patternMismatch = (path: string, pattern: string): Problem =>
  problem('rest_invalid_pattern', `${path} does not match pattern ${pattern}.`)

export const tooFewItems = (path: string, minimum: unknown): Problem =>
  problem('rest_too_few_items', `${path} must contain at least ${countText(minimum, 'item', 'items')}.`)

export const tooManyItems = (path: string, maximum: unknown): Problem =>
  problem('rest_too_many_items', `${path} must contain at most ${countText(maximum, 'item', 'items')}.`)

export const duplicateItems = (path: string): Problem => problem('rest_duplicate_items', `${path} has duplicate items.`)

/** @param limit in bytes. */
export const fileTooLarge = (path: string, limit: number): Problem =>
  problem('rest_file_too_large', `${path} is larger than ${limit.toLocaleString('en')} bytes.`)

/** @param type the media type of the file. */
export const fileTypeRefused = (path: string, type: string, allowed: readonly string[]): Problem =>
  problem('rest_file_type_refused', `${path} is ${type}, but must be ${alternativesText(allowed)}.`)

export const tooFewProperties = (path: string, minimum: unknown): Problem =>
  problem('rest_too_few_properties', `${path} must contain at least ${countText(minimum, 'property', 'properties')}.`)

export const tooManyProperties = (path: string, maximum: unknown): Problem =>
  problem('rest_too_many_properties', `${path} must contain at most ${countText(maximum, 'property', 'properties')}.`)

export const propertyRequired = (path: string, property: string): Problem =>
  problem('rest_property_required', `${property} is a required property of ${path}.`)

/** @param names the declared arguments. None is suggested for a name of more than 50 characters: comparing it would take long. */
export function undeclaredArgument(name: string, names: readonly string[]): Problem {
  const similar = name.length > 50 ? null : nearest(name, names)
  const suggestion = similar === null ? '' : ` Did you mean ${similar}?`
  return problem('rest_additional_properties_forbidden', `${name} is not an argument of this route.${suggestion}`)
}

export const propertyForbidden = (path: string, property: string): ValueProblem => ({
  ...problem('rest_additional_properties_forbidden', `${property} is not a valid property of Object.`),
  path: `${path}[${property}]`,
})

/** @param values the texts of the allowed values. */
export const notInEnum = (path: string, values: readonly string[]): Problem =>
  problem('rest_not_in_enum', `${path} is not ${values.length === 1 ? '' : 'one of '}${listText(values)}.`)

export const invalidHexColor = (path: string): ValueProblem => ({
  ...problem('rest_invalid_hex_color', 'Invalid hex color.'),
  path,
})
export const invalidDate = (path: string): ValueProblem => ({
  ...problem('rest_invalid_date', 'Invalid date.'),
  path,
})
export const invalidEmail = (path: string): ValueProblem => ({
  ...problem('rest_invalid_email', 'Invalid email address.'),
  path,
})
export const invalidAddress = (path: string): Problem =>
  problem('rest_invalid_ip', `${path} is not a valid IP address.`)
export const invalidUuid = (path: string): Problem => problem('rest_invalid_uuid', `${path} is not a valid UUID.`)

/** No candidate of `anyOf` or `oneOf` matches; the message has the reason of one of them. */
export const candidateMismatch = (path: string, title: string | null, reason: string, position: number): Problem =>
  problem(
    'rest_no_matching_schema',
    title === null
      ? `${path} does not match the expected format. Reason: ${reason}`
      : `${path} is not a valid ${title}. Reason: ${reason}`,
    { position },
  )

/** @param titles of all candidates; null when a candidate has none. WordPress omits the full stop for an empty list. */
export const noCandidate = (path: string, titles: readonly string[] | null): Problem =>
  problem(
    'rest_no_matching_schema',
    titles === null
      ? `${path} does not match any of the expected formats.`
      : `${path} is not a valid ${listText(titles)}${titles.length === 0 ? '' : '.'}`,
  )

/** @param titles of the matching candidates; null when one of them has none. */
export const severalCandidates = (
  path: string,
  titles: readonly string[] | null,
  positions: readonly number[],
): Problem =>
  problem(
    'rest_one_of_multiple_matches',
    titles === null
      ? `${path} matches more than one of the expected formats.`
      : `${path} matches ${listText(titles)}, but should match only one.`,
    { positions },
  )

function problem(code: ResponseErrorCode, message: string, data: unknown = null): Problem {
  return { code, message, data }
}

/**
 * `1,000 items`. As in WordPress, the number is rounded, and the noun agrees with the truncated number: 1.5 is `2
 * item`.
 */
function countText(declaredCount: unknown, singular: string, plural: string): string {
  const number = typeof declaredCount === 'number' ? declaredCount : toInteger(declaredCount)
  const digits = String(Math.round(number)).replace(/\B(?=(?:\d{3})+$)/g, ',')
  return `${digits} ${toInteger(declaredCount) === 1 ? singular : plural}`
}

/** `A`, `A or B`, `A, B or C`. */
const alternativesText = (texts: readonly string[]): string =>
  [texts.slice(0, -1).join(', '), texts.at(-1) ?? ''].filter((text) => text !== '').join(' or ')

/** `A`, `A and B`, `A, B, and C`. */
function listText(texts: readonly string[]): string {
  const last = texts.at(-1) ?? ''
  if (texts.length < 2) return last
  return texts.length === 2 ? `${texts[0]} and ${last}` : `${texts.slice(0, -1).join(', ')}, and ${last}`
}
