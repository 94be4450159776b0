import { ignoreFailures } from '../base/thenable.js'
import { isIntegerKey, valuesOf } from '../php/array-shape.js'
import { toText } from '../php/cast.js'

/** The selected members by name: `true` selects the whole member, a nested selection some of its members. */
type Selection = Map<string, true | Selection>

/**
 * The body with only the fields that `_fields` selects, in the order of the body. Each item of a list is filtered. Null
 * and scalars are returned unchanged, and so is every body when `fields` has no names. An object or a list without
 * selected members becomes `[]`.
 * @param fields a text of names, separated by commas and white space, or a list of names. Dots select nested members.
 */
export function filterFields(body: unknown, fields: unknown): unknown {
  const names = namesOf(fields)
  const content = contentOf(body)
  if (names.length === 0 || !isContainer(content)) return body
  const selection = selectionOf(names)
  if (!hasIntegerKeysOnly(content)) return selectedMembers(content, selection)
  const item = (value: unknown): unknown => {
    const itemContent = contentOf(value)
    return isContainer(itemContent) ? selectedMembers(itemContent, selection) : itemContent
  }
  if (Array.isArray(content)) return content.map(item)
  return Object.fromEntries(Object.entries(content).map(([key, value]) => [key, item(value)]))
}

/**
 * The members that `_fields` selects by their whole names, in the order of `members`.
 * @param fields as of {@link filterFields}; without names, it selects everything.
 * @param always the name of a member that stays.
 */
export function selectedWhole(members: object, fields: unknown, always: string): object {
  const names = namesOf(fields)
  if (names.length === 0) return members
  return Object.fromEntries(Object.entries(members).filter(([name]) => name === always || names.includes(name)))
}

/**
 * Whether `_fields` has one of these names, or the name of a member of theirs, such as `_links.self`.
 * @param fields as of {@link filterFields}; without names, it selects everything.
 */
export function isSelected(names: readonly string[], fields: unknown): boolean {
  const selected = namesOf(fields)
  const isOf = (field: string): boolean => names.some((name) => field === name || field.startsWith(`${name}.`))
  return selected.length === 0 || selected.some(isOf)
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

/** As in WordPress, a nested name below a fully selected member ends the list: all names after it are ignored. */
function selectionOf(names: readonly string[]): Selection {
  const selection: Selection = new Map()
  for (const name of names) {
    const steps = name.split('.')
    const last = steps.pop() ?? ''
    let branch = selection
    for (const step of steps) {
      const nested = branch.get(step) ?? new Map<string, true | Selection>()
      if (nested === true) return selection
      branch.set(step, nested)
      branch = nested
    }
    branch.set(last, true)
  }
  return selection
}

function selectedMembers(container: object, selection: Selection): unknown {
  const entries: [string, unknown][] = []
  for (const [key, value] of Object.entries(container)) {
    const memberSelection = selection.get(key)
    if (memberSelection === undefined || value === undefined) {
      if (isContainer(value)) ignoreFailures(value)
      continue
    }
    const member = memberSelection === true ? value : contentOf(value)
    const isFiltered = memberSelection !== true && isContainer(member)
    entries.push([key, isFiltered ? selectedMembers(member, memberSelection) : member])
  }
  return entries.every(([key], index) => key === String(index))
    ? entries.map(([, value]) => value)
    : Object.fromEntries(entries)
}

/** The result of `toJSON` for values that have this method, such as a Date; other values unchanged. */
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
