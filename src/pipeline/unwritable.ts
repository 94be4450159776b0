import { HandlerError } from './handler-error.js'

/** Maximum depth of a body. */
const maxDepth = 512

/**
 * The path of the value in a body that has no JSON form: `.items[1].at`, `''` for the body itself; null when none is found.
 * Only for the log, after serializing failed: clients must not see the names of members.
 */
export function unwritablePlace(body: unknown): string | null {
  try {
    return placeIn(body, '', new Set())
  } catch {
    // A getter or a `toJSON` threw. Its own error is more useful.
    return null
  }
}

/** @param outer the containers around the value. One set for all, because a body may have a million nested values. */
function placeIn(given: unknown, place: string, outer: Set<object>): string | null {
  const value = hasToJson(given) ? given.toJSON('') : given
  if (typeof value === 'number') return Number.isFinite(value) ? null : place
  if (typeof value !== 'object' || value === null) return null
  if (outer.has(value) || outer.size === maxDepth) return place
  const isList = Array.isArray(value)
  const members = isList ? [...value.entries()] : Object.entries(value)
  if (!isList && members.length === 0)
    return value instanceof Promise || value instanceof Map || value instanceof Set ? place : null
  outer.add(value)
  for (const [name, member] of members) {
    const found = placeIn(member, place + step(name), outer)
    if (found !== null) return found
  }
  outer.delete(value)
  return null
}

function step(name: string | number): string {
  if (typeof name === 'number') return `[${name}]`
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}

function hasToJson(value: unknown): value is { toJSON(name: string): unknown } {
  return typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
}

/**
 * The error to throw instead of an error of serializing a body: with the handler and the path of the value, where they are
 * known.
 */
export function unwritable(error: unknown, body: unknown, handler: string): unknown {
  const place = unwritablePlace(body)
  if (place === null || !(error instanceof Error)) return error
  return new HandlerError(`${handler}: ${error.message} ${placeText(place)}`, { cause: error })
}

/** `It stands at .items[1].` */
function placeText(place: string): string {
  return place === '' ? 'It is the body itself.' : `It stands at ${place}.`
}
