import { toText } from '../php/cast.js'
import { floatsOf } from '../php/float-members.js'
import type { WorkLimit } from './work-limit.js'

/**
 * Whether no two items are equal. Values of different types differ (`1`, `1.0` and `"1"`); the order of keys is
 * irrelevant. The function takes linear time.
 */
export function areUnique(items: readonly unknown[], work: WorkLimit): boolean {
  const scalars = new Set<unknown>()
  const texts = new Set<string>()
  const floats = floatsOf(items)
  for (const [index, item] of items.entries()) {
    work.spendOn(item)
    const isFloat = floats?.has(index)
    const seenKeys: Set<unknown> = isFloat === true || (typeof item === 'object' && item !== null) ? texts : scalars
    const key = seenKeys === texts ? textOf(item, work, isFloat) : item
    if (seenKeys.has(key)) return false
    seenKeys.add(key)
  }
  return true
}

/** A text that is the same for two values exactly when the values are equal. */
function textOf(value: unknown, work: WorkLimit, isFloat?: boolean): string {
  const text = newTextOf(value, work, isFloat)
  work.spendOn(text)
  return text
}

function newTextOf(value: unknown, work: WorkLimit, isFloat?: boolean): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return isFloat === true ? `${toText(value)}.0` : String(value)
  const members = value as Readonly<Record<string, unknown>>
  const floats = floatsOf(value)
  const memberText = (name: string): string => textOf(members[name], work, floats?.has(name))
  const names = Object.keys(value)
  // A map with the keys 0 … n-1 is a list; the empty map is the empty list.
  if (names.every((_, index) => Object.hasOwn(value, index)))
    return `[${names.map((_, index) => memberText(String(index))).join(',')}]`
  names.sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${memberText(name)}`).join(',')}}`
}
