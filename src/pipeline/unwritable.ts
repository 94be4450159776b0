import { ignoreRejection, isThenable } from '../base/thenable.js'
import { HandlerError } from './handler-error.js'

/** Maximum depth of a body. */
const maxDepth = 512

/**
 * The path of the value in a body that has no JSON form: `.items[1].at`, `''` for the body itself; null when none is found.
 * Only for the log, after serializing failed: clients must not see the names of members.
 */
export function unwritablePath(body: unknown): string | null {
  try {
    return unwritableIn(body, '', new Set())
  } catch {
    // A getter or a `toJSON` threw. Its own error is more useful.
    return null
  }
}

/** @param outer the containers around the value. One set for all, because a body may have a million nested values. */
function unwritableIn(member: unknown, outerPath: string, outer: Set<object>): string | null {
  const value = hasToJson(member) ? member.toJSON('') : member
  if (isThenable(value)) ignoreRejection(value)
  if (typeof value === 'number') return Number.isFinite(value) ? null : outerPath
  if (typeof value !== 'object' || value === null) return null
  if (outer.has(value) || outer.size === maxDepth) return outerPath
  const isList = Array.isArray(value)
  const members = isList ? [...value.entries()] : Object.entries(value)
  if (!isList && members.length === 0)
    return value instanceof Promise || value instanceof Map || value instanceof Set ? outerPath : null
  outer.add(value)
  for (const [name, inner] of members) {
    const path = unwritableIn(inner, outerPath + step(name), outer)
    if (path !== null) return path
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
  const path = unwritablePath(body)
  if (path === null || !(error instanceof Error)) return error
  return new HandlerError(`${handler}: ${error.message} ${pathText(path)}`, { cause: error })
}

/** `It is at .items[1].` */
function pathText(path: string): string {
  return path === '' ? 'It is the body itself.' : `It is at ${path}.`
}
