import type { Problem } from '../http/rest-error.js'
import { toInteger, toText } from '../php/cast.js'

/**
 * Every refusal of a value, in WordPress's words (docs/wire.md#messages). `path` is the argument with what is inside it:
 * `tags[0][name]`.
 */

/** @param type one type, or several joined by commas. */
export const notOfType = (path: string, type: string): Problem =>
  problem('rest_invalid_type', `${path} is not of type ${type}.`, { param: path })

/** @param value as declared: text or number. */
export const notMultiple = (path: string, value: unknown): Problem =>
  problem('rest_invalid_multiple', `${path} must be a multiple of ${toText(value)}.`)

export interface Bound {
  /** As declared: text or number; printed truncated. */
  readonly limit: unknown
  readonly exclusive: boolean
}

/** @param minimum and maximum are both named when both are declared, whichever was broken. */
export function outOfBounds(path: string, minimum: Bound | null, maximum: Bound | null): Problem {
  const sentence =
    minimum && maximum
      ? `be between ${inWords(minimum)} and ${inWords(maximum)}`
      : minimum
        ? `be greater than ${minimum.exclusive ? '' : 'or equal to '}${toInteger(minimum.limit)}`
        : `be less than ${maximum?.exclusive === true ? '' : 'or equal to '}${toInteger(maximum?.limit)}`
  return problem('rest_out_of_bounds', `${path} must ${sentence}`)
}

const inWords = ({ limit, exclusive }: Bound): string =>
  `${toInteger(limit)} (${exclusive ? 'exclusive' : 'inclusive'})`

export const tooShort = (path: string, least: unknown): Problem =>
  problem('rest_too_short', `${path} must be at least ${counted(least, 'character', 'characters')} long.`)

export const tooLong = (path: string, most: unknown): Problem =>
  problem('rest_too_long', `${path} must be at most ${counted(most, 'character', 'characters')} long.`)

export const patternMismatch = (path: string, pattern: string): Problem =>
  problem('rest_invalid_pattern', `${path} does not match pattern ${pattern}.`)

export const tooFewItems = (path: string, least: unknown): Problem =>
  problem('rest_too_few_items', `${path} must contain at least ${counted(least, 'item', 'items')}.`)

export const tooManyItems = (path: string, most: unknown): Problem =>
  problem('rest_too_many_items', `${path} must contain at most ${counted(most, 'item', 'items')}.`)

export const duplicateItems = (path: string): Problem => problem('rest_duplicate_items', `${path} has duplicate items.`)

export const tooFewProperties = (path: string, least: unknown): Problem =>
  problem('rest_too_few_properties', `${path} must contain at least ${counted(least, 'property', 'properties')}.`)

export const tooManyProperties = (path: string, most: unknown): Problem =>
  problem('rest_too_many_properties', `${path} must contain at most ${counted(most, 'property', 'properties')}.`)

export const propertyRequired = (path: string, property: string): Problem =>
  problem('rest_property_required', `${property} is a required property of ${path}.`)

export const propertyForbidden = (property: string): Problem =>
  problem('rest_additional_properties_forbidden', `${property} is not a valid property of Object.`)

/** @param values as text. */
export const notInEnum = (path: string, values: readonly string[]): Problem =>
  problem('rest_not_in_enum', `${path} is not ${values.length === 1 ? '' : 'one of '}${listed(values)}.`)

export const invalidHexColor = (): Problem => problem('rest_invalid_hex_color', 'Invalid hex color.')
export const invalidDate = (): Problem => problem('rest_invalid_date', 'Invalid date.')
export const invalidEmail = (): Problem => problem('rest_invalid_email', 'Invalid email address.')
export const invalidAddress = (path: string): Problem =>
  problem('rest_invalid_ip', `${path} is not a valid IP address.`)
export const invalidUuid = (path: string): Problem => problem('rest_invalid_uuid', `${path} is not a valid UUID.`)

/** The one candidate of `anyOf` or `oneOf` that is worth talking about. */
export const candidateMismatch = (path: string, title: string | null, reason: string, position: number): Problem =>
  problem(
    'rest_no_matching_schema',
    title === null
      ? `${path} does not match the expected format. Reason: ${reason}`
      : `${path} is not a valid ${title}. Reason: ${reason}`,
    { position },
  )

/** @param titles of all candidates; `null` when one has none. An empty list has lost its full stop on the way. */
export const noCandidate = (path: string, titles: readonly string[] | null): Problem =>
  problem(
    'rest_no_matching_schema',
    titles === null
      ? `${path} does not match any of the expected formats.`
      : `${path} is not a valid ${listed(titles)}${titles.length === 0 ? '' : '.'}`,
  )

/** @param titles of the candidates that matched; `null` when one has none. */
export const severalCandidates = (
  path: string,
  titles: readonly string[] | null,
  positions: readonly number[],
): Problem =>
  problem(
    'rest_one_of_multiple_matches',
    titles === null
      ? `${path} matches more than one of the expected formats.`
      : `${path} matches ${listed(titles)}, but should match only one.`,
    { positions },
  )

function problem(code: string, message: string, data: unknown = null): Problem {
  return { code, message, data }
}

/** `1,000 items`. The word follows the truncated number, the number is rounded: 1.5 gives `2 item`. */
function counted(declared: unknown, one: string, many: string): string {
  const number = typeof declared === 'number' ? declared : toInteger(declared)
  const digits = String(Math.round(number)).replace(/\B(?=(?:\d{3})+$)/g, ',')
  return `${digits} ${toInteger(declared) === 1 ? one : many}`
}

/** `A`, `A and B`, `A, B, and C`. */
function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  if (words.length < 2) return last
  return words.length === 2 ? `${words[0]} and ${last}` : `${words.slice(0, -1).join(', ')}, and ${last}`
}
