import { memberStep } from '../base/member-path.js'
import { ignoreRejection, isThenable } from '../base/thenable.js'
import { hasToJson, isWithoutJsonForm } from '../http/json.js'
import { HandlerError } from './handler-error.js'

/** Maximum depth of a body. */
const maxDepth = 512

/**
 * The path of the value in a body that has no JSON form: `.items[1].at`, `''` for the body itself; null when none is found.
 * Only for the log, after serializing failed: clients must not see the names of members.
 */
export function unwritablePath(body: unknown): string | null {
  return unwritableIn(body)?.path ?? null
}

/** A value without a JSON form. */
interface Unwritable {
  readonly path: string
  /** `contains itself`, `holds NaN`; null for a value that the error of serializing describes. */
  readonly what: string | null
}

function unwritableIn(body: unknown): Unwritable | null {
  try {
    return searched(body, '', new Set())
  } catch {
    // A getter or a `toJSON` threw. Its own error is more useful.
    return null
  }
}

/** @param outer the containers around the value. One set for all, because a body may have a million nested values. */
function searched(member: unknown, path: string, outer: Set<object>): Unwritable | null {
  const value = typeof member === 'object' && member !== null && hasToJson(member) ? member.toJSON('') : member
  if (ArrayBuffer.isView(value)) return { path, what: null }
  if (isThenable(value)) ignoreRejection(value)
  if (typeof value === 'number') return Number.isFinite(value) ? null : { path, what: `holds ${value}` }
  if (typeof value !== 'object' || value === null) return null
  if (outer.has(value)) return { path, what: 'contains itself' }
  if (outer.size === maxDepth) return { path, what: `has more than ${maxDepth} levels` }
  const isList = Array.isArray(value)
  const members = isList ? [...value.entries()] : Object.entries(value)
  if (!isList && members.length === 0) return isWithoutJsonForm(value) ? { path, what: null } : null
  outer.add(value)
  for (const [name, inner] of members) {
    const fault = searched(inner, path + memberStep(name), outer)
    if (fault !== null) return fault
  }
  outer.delete(value)
  return null
}

/**
 * The error to throw instead of an error of serializing a body: with the handler and the path of the value, where they are
 * known.
 */
export function unwritable(error: unknown, body: unknown, handler: string): unknown {
  const fault = unwritableIn(body)
  if (fault === null || !(error instanceof Error)) return error
  const { path, what } = fault
  const sentence = what === null ? `${error.message} ${pathText(path)}` : `the body ${what}${path && ` at ${path}`}.`
  return new HandlerError(`${handler}: ${sentence}`, { cause: error })
}

/** `It is at .items[1].` */
function pathText(path: string): string {
  return path === '' ? 'It is the body itself.' : `It is at ${path}.`
}
