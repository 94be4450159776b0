import { isIntegerKey, valuesOf } from '../php/array-shape.js'
import { toText } from '../php/cast.js'

/** Names to keep: `true` keeps a member whole, a tree keeps those of its members that it names. */
type Selection = Map<string, true | Selection>

/**
 * The body with nothing but the fields that `_fields` names, in the order of the body. Of a list, each item is filtered.
 * Null and scalars stay as they are, and so does a body when `fields` names nothing. A container of which nothing is left
 * is `[]`. Rules: docs/wire.md#_fields.
 * @param fields a text of names, separated by commas and white space, or a list of names; a name may be dotted.
 */
export function filterFields(body: unknown, fields: unknown): unknown {
  const names = namesOf(fields)
  const content = contentOf(body)
  if (names.length === 0 || !isContainer(content)) return body
  const selection = selectionOf(names)
  if (!hasIntegerKeysOnly(content)) return selected(content, selection)
  const item = (value: unknown): unknown => {
    const inner = contentOf(value)
    return isContainer(inner) ? selected(inner, selection) : inner
  }
  if (Array.isArray(content)) return content.map(item)
  return Object.fromEntries(Object.entries(content).map(([key, value]) => [key, item(value)]))
}

function namesOf(fields: unknown): string[] {
  if (fields === null || fields === undefined) return []
  if (!isContainer(fields))
    return toText(fields)
      .split(/[\s,]+/)
      .filter((name) => name !== '')
  return valuesOf(fields)
    .filter((name) => !isContainer(name) && name !== null)
    .map((name) => toText(name).trim())
}

/** A name below one that is already kept whole ends the reading: all names after it are lost, as in WordPress. */
function selectionOf(names: readonly string[]): Selection {
  const selection: Selection = new Map()
  for (const name of names) {
    const steps = name.split('.')
    const last = steps.pop() ?? ''
    let branch = selection
    for (const step of steps) {
      const inner = branch.get(step) ?? new Map<string, true | Selection>()
      if (inner === true) return selection
      branch.set(step, inner)
      branch = inner
    }
    branch.set(last, true)
  }
  return selection
}

function selected(container: object, selection: Selection): unknown {
  const kept: [string, unknown][] = []
  for (const [key, value] of Object.entries(container)) {
    const choice = selection.get(key)
    if (choice === undefined || value === undefined) continue
    const inner = choice === true ? value : contentOf(value)
    kept.push([key, choice !== true && isContainer(inner) ? selected(inner, choice) : inner])
  }
  return kept.every(([key], index) => key === String(index)) ? kept.map(([, value]) => value) : Object.fromEntries(kept)
}

/** What JSON will say of a value that speaks for itself, such as a Date. */
function contentOf(value: unknown): unknown {
  if (!isContainer(value)) return value
  const { toJSON } = value as { toJSON?: unknown }
  return typeof toJSON === 'function' ? (toJSON.call(value, '') as unknown) : value
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function hasIntegerKeysOnly(container: object): boolean {
  return Array.isArray(container) || Object.keys(container).every(isIntegerKey)
}
