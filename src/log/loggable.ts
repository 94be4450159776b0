import { EventEmitter } from 'node:events'
import { maxLineLength } from './bounded-line.js'
import { censored, isSecretField, isSecretHeader } from './secret-fields.js'

/** Deeper fields are written as `…`. */
const maxDepth = 100
/** Each member and item takes at least one character, so a line with more of them would be cut in any case. */
const maxMembers = maxLineLength

/**
 * A copy of the fields of a line that may be written: without the values of secret fields, without circular references, and
 * of bounded size. Of an error, only values, lists and plain objects are written: an error of an HTTP client refers to the
 * request, the response and the socket with all their state.
 * @param serializeError the type, message, stack and own properties of an error.
 */
export function loggable(fields: object, serializeError: (error: Error) => object): Record<string, unknown> {
  let remaining = maxMembers
  const ancestors = new Set<object>()
  const within = <T>(value: object, copyOf: () => T): T => {
    ancestors.add(value)
    try {
      return copyOf()
    } finally {
      ancestors.delete(value)
    }
  }
  const copy = (value: unknown, depth: number, isOfError: boolean): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (ancestors.has(value)) return '[Circular]'
    if (depth === maxDepth || remaining <= 0) return '…'
    if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes)`
    if (value instanceof Error) return within(value, () => members(serializeError(value), depth, true))
    const { toJSON } = value as { toJSON?: unknown }
    if (typeof toJSON === 'function')
      return within(value, () => copy((toJSON as () => unknown).call(value), depth + 1, isOfError))
    if (Array.isArray(value)) return within(value, () => items(value, depth, isOfError))
    if (value instanceof EventEmitter || (isOfError && !isPlain(value))) return `[${nameOf(value)}]`
    return within(value, () => members(value, depth, isOfError))
  }
  const items = (list: readonly unknown[], depth: number, isOfError: boolean): unknown[] => {
    const copies: unknown[] = []
    for (const [index, item] of list.entries()) {
      if ((remaining -= 1) < 0) break
      copies.push(isSecretHeader(list[index - 1]) ? censored : copy(item, depth + 1, isOfError))
    }
    return copies
  }
  const members = (map: object, depth: number, isOfError: boolean): Record<string, unknown> => {
    const copies: [string, unknown][] = []
    for (const [name, member] of Object.entries(map)) {
      if ((remaining -= 1) < 0) break
      copies.push([name, isSecretField(name) && member !== undefined ? censored : copy(member, depth + 1, isOfError)])
    }
    return Object.fromEntries(copies)
  }
  return within(fields, () => members(fields, 0, false))
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

function nameOf(value: object): string {
  const { constructor } = value as { constructor?: unknown }
  return typeof constructor === 'function' && constructor.name !== '' ? constructor.name : 'object'
}
