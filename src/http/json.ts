import { floatText } from '../php/float-text.js'
import { replaceInvalid } from '../php/text.js'
import { asAsciiJson } from './ascii-json.js'

/** A value cannot be said in JSON; the message is PHP's. The answer is `rest_encode_error` then. */
export class EncodingError extends Error {
  override readonly name = 'EncodingError'
}

/** Containers inside each other; one more is refused (docs/wire.md#json-encoding). */
const maximumDepth = 512

/**
 * JSON as WordPress writes it: `/` as `\/`, everything beyond ASCII as `\u` and four lower-case digits, floats in PHP's
 * form, bytes that are not UTF-8 as `?`. Otherwise as `JSON.stringify`: `toJSON` is asked, `undefined` and functions are
 * left out, an empty object is `{}`. A bigint is written with all its digits. Rules: docs/wire.md#json-encoding.
 * @param options.pretty indents by four spaces, unless these would be more than a megabyte and sixteen times as long as the
 * rest: nested lists that a caller sent would come back a thousand times as long. Written twice then, so that `toJSON` is
 * asked twice.
 * @throws EncodingError for NaN and infinite numbers, and beyond 512 levels.
 * @throws TypeError for a promise, a `Map` or a `Set`, which `JSON.stringify` writes as `{}`.
 */
export function toJson(value: unknown, options: { readonly pretty?: boolean } = {}): string {
  const compact = written(value, 0)
  return options.pretty === true && isFitForIndenting(compact) ? written(value, indentation) : compact
}

/** Spaces for each level. */
const indentation = 4
/** So many spaces are added in any case; more only up to so many times the length of the text. */
const maxSpaces = { always: 1_048_576, each: 16 }

function isFitForIndenting(json: string): boolean {
  const most = Math.max(maxSpaces.always, maxSpaces.each * json.length)
  let spaces = 0
  let depth = 0
  let isInText = false
  for (let index = 0; index < json.length && spaces <= most; index += 1) {
    const character = json[index]
    if (isInText) {
      if (character === '\\') index += 1
      else if (character === '"') isInText = false
    } else if (character === '"') isInText = true
    else if (character === '[' || character === '{') spaces += (depth += 1) * indentation
    else if (character === ']' || character === '}') spaces += (depth -= 1) * indentation
    else if (character === ',') spaces += depth * indentation
  }
  return spaces <= most
}

function written(value: unknown, indent: number): string {
  const text = isPlain(value, 0) ? stringified(value, indent) : new Writer(indent).written(value)
  // A lone surrogate is spelt out by JSON.stringify; a text that merely contains such a spelling is only slower.
  const spellsUnit = text.includes('\\ud') && /\\ud[89a-f]/.test(text)
  return asAsciiJson(spellsUnit ? new Writer(indent).written(value) : text)
}

/** `null` for what JSON leaves out. */
function stringified(value: unknown, indent: number): string {
  // With one argument some engines take a shorter way.
  const text = indent === 0 ? JSON.stringify(value) : JSON.stringify(value, null, indent)
  return (text as string | undefined) ?? 'null'
}

/**
 * Whether `JSON.stringify` writes the value as PHP does, but for the characters of its texts.
 * @throws EncodingError, TypeError
 */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return isPlainNumber(value)
  if (typeof value === 'bigint') return false
  if (typeof value !== 'object' || value === null) return true
  if (depth === maximumDepth) throw new EncodingError('Maximum stack depth exceeded')
  if (Array.isArray(value)) {
    for (const item of value) if (!isPlain(item, depth + 1)) return false
    return true
  }
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return false
  let isEmpty = true
  for (const name in value) {
    isEmpty = false
    if (!isPlain((value as Record<string, unknown>)[name], depth + 1)) return false
  }
  if (isEmpty) refuseUnsayable(value)
  return true
}

/** Asked only of what has no members of its own: these have none. */
function refuseUnsayable(value: object): void {
  if (value instanceof Promise)
    throw new TypeError('The answer holds a promise, which JSON cannot say: await it before it goes into the body.')
  if (value instanceof Map || value instanceof Set) {
    const way = value instanceof Map ? 'Object.fromEntries(map)' : '[...set]'
    throw new TypeError(`The answer holds a ${value.constructor.name}, which JSON cannot say: give ${way} instead.`)
  }
}

/** @throws EncodingError */
function isPlainNumber(number: number): boolean {
  if (Number.isSafeInteger(number)) return number !== 0 || !Object.is(number, -0)
  if (!Number.isFinite(number)) throw new EncodingError('Inf and NaN cannot be JSON encoded')
  const size = Math.abs(number)
  return size >= 0.0001 && size < 1e15
}

/** Writes what `JSON.stringify` would write differently. */
class Writer {
  readonly #indent: string

  constructor(indent: number) {
    this.#indent = ' '.repeat(indent)
  }

  written(value: unknown): string {
    return this.#value(value, '', 0) ?? 'null'
  }

  /** `undefined` for what JSON leaves out. */
  #value(given: unknown, name: string, depth: number): string | undefined {
    const value = resolved(given, name)
    if (typeof value === 'string') return JSON.stringify(replaceInvalid(value))
    if (typeof value === 'number') return numberText(value)
    if (typeof value === 'bigint') return String(value)
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    if (depth === maximumDepth) throw new EncodingError('Maximum stack depth exceeded')
    if (Array.isArray(value)) {
      // Unlike `map`, this visits the places of a list that hold nothing.
      const items = Array.from(value, (item: unknown, index) => this.#value(item, String(index), depth + 1) ?? 'null')
      return this.#joined('[', items, ']', depth)
    }
    const members: string[] = []
    const entries = Object.entries(value)
    if (entries.length === 0) refuseUnsayable(value)
    for (const [key, member] of entries) {
      const text = this.#value(member, key, depth + 1)
      if (text !== undefined) members.push(`${JSON.stringify(replaceInvalid(key))}:${this.#indent && ' '}${text}`)
    }
    return this.#joined('{', members, '}', depth)
  }

  #joined(open: string, parts: readonly string[], close: string, depth: number): string {
    if (parts.length === 0 || this.#indent === '') return open + parts.join(',') + close
    const line = `\n${this.#indent.repeat(depth)}`
    return `${open}${line}${this.#indent}${parts.join(`,${line}${this.#indent}`)}${line}${close}`
  }
}

/** A value after its own `toJSON`, if it has one. */
function resolved(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { toJSON } = value as { toJSON?: unknown }
  return typeof toJSON === 'function' ? (toJSON.call(value, name) as unknown) : value
}

function numberText(number: number): string {
  if (Number.isSafeInteger(number) && !Object.is(number, -0)) return String(number)
  if (!Number.isFinite(number)) throw new EncodingError('Inf and NaN cannot be JSON encoded')
  return floatText(number).replace('E', 'e')
}
