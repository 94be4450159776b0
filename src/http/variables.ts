import { isIntegerKey, keepOrder } from '../php/array-shape.js'

/** The parameters of one source of a request by name, or a map among their values. It has no prototype, so that `__proto__` is an ordinary name. */
export type ParameterMap = Record<string, unknown>

/** A new map with the own members of `members`; empty by default. */
export function parameterMap(members?: Readonly<Record<string, unknown>>): ParameterMap {
  const map = Object.create(null) as ParameterMap
  // Object.assign takes three times as long between objects without a prototype.
  if (members) for (const name of Object.keys(members)) map[name] = members[name]
  return map
}

/** An empty, frozen map. */
export const noParameters: Readonly<ParameterMap> = Object.freeze(parameterMap())

/** Maximum number of bracket pairs in one name, as PHP's `max_input_nesting_level`. */
export const maxDepth = 64

/**
 * Collects variables as PHP does, including names with brackets such as `a[b][]`.
 *
 * A name ends at a NUL and loses leading spaces. Before the first bracket, `.` and space become `_`. A variable whose
 * name is then empty is ignored. A later value of a name replaces the earlier one.
 */
// Rules: docs/wire.md#names-with-brackets.
export class Variables {
  readonly #root = new Container()

  /** @returns false, without adding the value, when the name has more than {@link maxDepth} pairs of brackets. */
  add(name: string, value: unknown): boolean {
    const keys = keysOf(name)
    if (keys.length > maxDepth + 1) return false
    if (keys[0] !== '') this.#root.put(keys, value)
    return true
  }

  /** All variables, in order of first occurrence. Containers whose keys are `0 … n-1` in order are lists. */
  toMap(): ParameterMap {
    return this.#root.toMap()
  }
}

/** A key of a container; null appends. */
type Key = string | null

/** The keys of a name: `a`, `b` and null for `a[b][]`. Stops at one key above the maximum, which bounds the work. */
function keysOf(name: string): [string, ...Key[]] {
  const end = name.indexOf('\0')
  const text = (end === -1 ? name : name.slice(0, end)).replace(/^ +/, '')
  const open = text.indexOf('[')
  if (open === -1) return [withoutSeparators(text)]
  const keys: [string, ...Key[]] = [withoutSeparators(text.slice(0, open))]
  let position = open
  while (text[position] === '[' && keys.length <= maxDepth + 1) {
    const start = position + 1
    const keyStart = isSpace(text, start) ? start + 1 : start
    const close = text.indexOf(']', keyStart)
    if (close === -1) {
      if (keys.length === 1 && keys[0] !== '') keys[0] += `_${text.slice(start).replace(/[ .[]/g, '_')}`
      break
    }
    keys.push(close === keyStart ? null : text.slice(start, close))
    position = close + 1
  }
  return keys
}

function withoutSeparators(name: string): string {
  return name.replace(/[ .]/g, '_')
}

function isSpace(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}

/** A PHP array under construction. */
class Container {
  readonly #members = new Map<string, unknown>()
  /** The key of the next appended member; null while there is no integer key. */
  #next: bigint | null = null

  put(keys: readonly Key[], value: unknown): void {
    const [key = null, ...innerKeys] = keys
    if (innerKeys.length === 0) this.#set(key, value)
    else this.#child(key)?.put(innerKeys, value)
  }

  #child(key: Key): Container | null {
    const existing = key === null ? undefined : this.#members.get(key)
    if (existing instanceof Container) return existing
    const child = new Container()
    return this.#set(key, child) ? child : null
  }

  #set(key: Key, value: unknown): boolean {
    const name = key ?? String(this.#next ?? 0)
    const integer = isIntegerKey(name) ? BigInt(name) : null
    if (key === null && integer === null) return false
    if (integer !== null && (this.#next === null || integer >= this.#next)) this.#next = integer + 1n
    this.#members.set(name, value)
    return true
  }

  toMap(): ParameterMap {
    const map = parameterMap()
    for (const [name, value] of this.#members) map[name] = value instanceof Container ? value.#toValue() : value
    // JavaScript reorders integer keys only.
    if (this.#next !== null) keepOrder(map, [...this.#members.keys()])
    return map
  }

  /** A list when the keys are `0 … n-1` in order, otherwise a map. */
  #toValue(): unknown {
    let count = 0
    for (const name of this.#members.keys()) {
      if (name !== String(count)) return this.toMap()
      count += 1
    }
    return Array.from(this.#members.values(), (value) => (value instanceof Container ? value.#toValue() : value))
  }
}
