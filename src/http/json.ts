import { types } from 'node:util'
import { ignoreRejection } from '../base/thenable.js'
import { floatText } from '../php/float-text.js'
import { replaceInvalid } from '../php/text.js'
import { asAsciiJson } from './ascii-json.js'

/** A value has no JSON form. The message is PHP's. The response is then `rest_encode_error`. */
export class EncodingError extends Error {
  override readonly name = 'EncodingError'
}

/** Maximum nesting of lists and objects, as in WordPress. */
const maxDepth = 512

/**
 * JSON as WordPress writes it: `/` as `\/`, each character beyond ASCII as `\u` and four lower-case digits, floats in
 * PHP's form, and each sequence that is not UTF-8 as `?`. The rest is as in `JSON.stringify`: `toJSON` is called,
 * `undefined` and functions are left out, an empty object is `{}`. A bigint is written with all its digits.
 * @param options.pretty indents by four spaces. The value is written twice then, so `toJSON` is called twice. The text
 * is not indented when the indentation would exceed both a megabyte and sixteen times the length of the text: a
 * response with deeply nested lists from the request could otherwise be a thousand times as long as the request.
 * @param options.isPlain whether the value is known to have only plain lists and maps, texts, booleans, nulls, and numbers
 * that PHP writes as `JSON.stringify` does.
 * @throws EncodingError for NaN and infinite numbers, and for more than 512 levels.
 * @throws TypeError for a promise, a `Map`, a `Set`, another iterable, a `Blob`, a stream and the like, which `JSON.stringify`
 * would write as `{}`, and for bytes.
 */
export function toJson(
  value: unknown,
  options: { readonly pretty?: boolean; readonly isPlain?: boolean } = {},
): string {
  const compact = jsonText(value, 0, options.isPlain)
  return options.pretty === true && isFitForIndenting(compact) ? jsonText(value, indentation) : compact
}

/** Spaces for each level. */
const indentation = 4
/** Limit of the added spaces: the larger one of a number and a multiple of the length of the text. */
const maxSpaces = { count: 1_048_576, perCharacter: 16 }

function isFitForIndenting(json: string): boolean {
  const limit = Math.max(maxSpaces.count, maxSpaces.perCharacter * json.length)
  let spaces = 0
  let depth = 0
  let isInText = false
  for (let index = 0; index < json.length && spaces <= limit; index += 1) {
    const character = json[index]
    if (isInText) {
      if (character === '\\') index += 1
      else if (character === '"') isInText = false
    } else if (character === '"') isInText = true
    else if (character === '[' || character === '{') spaces += (depth += 1) * indentation
    else if (character === ']' || character === '}') spaces += (depth -= 1) * indentation
    else if (character === ',') spaces += depth * indentation
  }
  return spaces <= limit
}

function jsonText(value: unknown, indent: number, isKnownPlain = false): string {
  const text = isKnownPlain || isPlain(value, 0) ? stringified(value, indent) : new Writer(indent).toText(value)
  // `JSON.stringify` writes a lone surrogate as an escape. Text that itself contains such an escape is only slower.
  const mayHaveLoneSurrogate = text.includes('\\ud') && /\\ud[89a-f]/.test(text)
  return asAsciiJson(mayHaveLoneSurrogate ? new Writer(indent).toText(value) : text)
}

/**
 * Checks a value that will be a part of a body, `depth` levels below its top. A plain value is checked without writing it.
 * @throws the errors of {@link toJson}.
 */
export function checkJson(value: unknown, depth: number): void {
  if (!isPlain(value, depth)) new Writer(0).toText(value, depth)
}

/** The output of `JSON.stringify`; `null` for values that it leaves out. */
function stringified(value: unknown, indent: number): string {
  // Some engines are faster with a single argument.
  const text = indent === 0 ? JSON.stringify(value) : JSON.stringify(value, null, indent)
  return (text as string | undefined) ?? 'null'
}

/**
 * Whether `JSON.stringify` writes the value as PHP does, apart from escapes in strings.
 * @throws EncodingError for a non-finite number or more than 512 levels.
 * @throws TypeError for a promise, a `Map`, a `Set` and the like.
 */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return isPlainNumber(value)
  if (typeof value === 'bigint') return false
  if (typeof value !== 'object' || value === null) return true
  if (depth === maxDepth) throw new EncodingError('Maximum stack depth exceeded')
  if (Array.isArray(value)) {
    for (const item of value) if (!isPlain(item, depth + 1)) return false
    return true
  }
  if (hasToJson(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) {
    if (isBoxed(value)) return false
    // The prototypes of streams and blobs have enumerable members, which `in` also finds.
    if (hasNoMembers(value)) requireJsonForm(value)
  }
  for (const name in value) {
    if (!isPlain((value as Record<string, unknown>)[name], depth + 1)) return false
  }
  return true
}

/** Bytes count as an object without members, although their indices are enumerable properties. */
const hasNoMembers = (value: object): boolean => ArrayBuffer.isView(value) || Object.keys(value).length === 0

/** Whether an object has a `toJSON` method. That of `Buffer` does not count: a response with a list of bytes is a mistake. */
export function hasToJson(value: object): value is { toJSON(name: string): unknown } {
  const { toJSON } = value as { toJSON?: unknown }
  return typeof toJSON === 'function' && toJSON !== Buffer.prototype.toJSON
}

/**
 * Whether an object without a `toJSON` has content outside of its enumerable properties, such as a `Map`: `JSON.stringify` would
 * write it as `{}`. Bytes count, although their indices are enumerable.
 */
export function isWithoutJsonForm(value: object): boolean {
  if (!hasNoMembers(value) || Array.isArray(value) || hasToJson(value) || isBoxed(value)) return false
  return (
    ArrayBuffer.isView(value) ||
    value instanceof Promise ||
    value instanceof Blob ||
    value instanceof Response ||
    value instanceof ArrayBuffer ||
    Symbol.asyncIterator in value ||
    Symbol.iterator in value
  )
}

/**
 * Callers check only bytes, and objects without enumerable properties of their own: promises, maps, sets and streams have none.
 * @throws TypeError for a promise, an iterable such as a `Map` or a `Set`, bytes, a `Blob`, a stream or a `Response`.
 */
function requireJsonForm(value: object): void {
  if (value instanceof Promise) {
    // It may be the result of a `toJSON`, which no other code can reach.
    ignoreRejection(value)
    throw new TypeError('The body holds a promise, which has no JSON form: await it first.')
  }
  if (value instanceof Map || value instanceof Set) {
    const replacement = value instanceof Map ? 'Object.fromEntries(map)' : '[...set]'
    throw new TypeError(
      `The body holds a ${value.constructor.name}, which has no JSON form: use ${replacement} instead.`,
    )
  }
  if (ArrayBuffer.isView(value)) {
    const { name } = value.constructor
    throw new TypeError(
      `The body holds ${/^[AEIO]/.test(name) ? 'an' : 'a'} ${name}, which has no JSON form: return it as the whole body, or write its bytes as text, such as Base64.`,
    )
  }
  if (isWithoutJsonForm(value)) {
    if (Symbol.iterator in value)
      throw new TypeError('The body holds an iterable, which has no JSON form: use [...iterable] instead.')
    const isNamed = value instanceof Blob || value instanceof Response || value instanceof ArrayBuffer
    const name = isNamed || value instanceof ReadableStream ? `a ${value.constructor.name}` : 'an async iterable'
    throw new TypeError(`The body holds ${name}, which has no JSON form: return it as the whole body.`)
  }
}

/** @throws EncodingError for a non-finite number. */
function isPlainNumber(number: number): boolean {
  if (Number.isSafeInteger(number)) return number !== 0 || !Object.is(number, -0)
  if (!Number.isFinite(number)) throw new EncodingError('Inf and NaN cannot be JSON encoded')
  const size = Math.abs(number)
  return size >= 0.0001 && size < 1e15
}

/** Writes values that PHP and `JSON.stringify` write differently. */
class Writer {
  readonly #indent: string

  constructor(indent: number) {
    this.#indent = ' '.repeat(indent)
  }

  toText(value: unknown, depth = 0): string {
    return this.#value(value, '', depth) ?? 'null'
  }

  /** @returns undefined for a value that JSON leaves out. */
  #value(original: unknown, name: string, depth: number): string | undefined {
    const value = resolved(original, name)
    if (typeof value === 'string') return JSON.stringify(replaceInvalid(value))
    if (typeof value === 'number') return numberText(value)
    if (typeof value === 'bigint') return String(value)
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    if (ArrayBuffer.isView(value)) requireJsonForm(value)
    if (depth === maxDepth) throw new EncodingError('Maximum stack depth exceeded')
    if (Array.isArray(value)) {
      // Unlike `map`, `Array.from` visits the empty slots of a sparse list.
      const items = Array.from(value, (item: unknown, index) => this.#value(item, String(index), depth + 1) ?? 'null')
      return this.#joined('[', items, ']', depth)
    }
    const members: string[] = []
    const entries = Object.entries(value)
    if (entries.length === 0) requireJsonForm(value)
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

/** Whether an object is a boxed text, number, boolean or bigint, such as `new String('a')`. JSON has its primitive value. */
export function isBoxed(value: object): boolean {
  return (
    Object.getPrototypeOf(value) !== Object.prototype && types.isBoxedPrimitive(value) && !types.isSymbolObject(value)
  )
}

/** The result of the value's `toJSON`; the value itself when it has no such method. */
function resolved(value: unknown, name: string): unknown {
  const written = typeof value === 'object' && value !== null && hasToJson(value) ? value.toJSON(name) : value
  return typeof written === 'object' && written !== null && isBoxed(written) ? written.valueOf() : written
}

function numberText(number: number): string {
  if (Number.isSafeInteger(number) && !Object.is(number, -0)) return String(number)
  if (!Number.isFinite(number)) throw new EncodingError('Inf and NaN cannot be JSON encoded')
  return floatText(number).replace('E', 'e')
}
