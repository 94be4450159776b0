import { keepOrder } from './array-shape.js'
import { markFloatItems, markFloats } from './float-members.js'

/** A syntax error in JSON, with the code and the message that PHP's `json_last_error` has for it. */
export class JsonError extends Error {
  override readonly name = 'JsonError'
  constructor(readonly code: keyof typeof messages) {
    super(messages[code])
  }
}

/** The text has more values than the parser accepts. */
export class TooManyValuesError extends Error {
  override readonly name = 'TooManyValuesError'
}

const messages = {
  1: 'Maximum stack depth exceeded',
  2: 'State mismatch (invalid or malformed JSON)',
  3: 'Control character error, possibly incorrectly encoded',
  4: 'Syntax error',
  5: 'Malformed UTF-8 characters, possibly incorrectly encoded',
  10: 'Single unpaired UTF-16 surrogate in unicode escape',
}

/** Maximum nesting of lists and maps, as in PHP's JSON decoder. It also bounds the recursion of the parser. */
const maxDepth = 511

export interface JsonOptions {
  /** Lists and maps count as values, and so do their members. Default: no limit. */
  readonly maxValues?: number
  /** The value of a number in the text. The default loses digits of integers beyond 2^53. */
  readonly numberOf?: (text: string) => unknown
}

/**
 * Decodes JSON as PHP does with associative arrays. Maps have no prototype. A map whose keys are `0 … n-1` in order is
 * a list, and so is an empty map. Members such as `1.0` are recorded by `markFloats`. Takes linear time.
 * @param text a result of `decodeBytes` in `php/text.ts`.
 * @throws JsonError for the first syntax error in the text. @throws TooManyValuesError
 */
export function parseJson(text: string, options: JsonOptions = {}): unknown {
  return new JsonParser(text, options).parse()
}

const literals: readonly (readonly [string, unknown])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]
const shortEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** The key as an index of an array, which JavaScript puts first and in ascending order; -1 for any other. */
function arrayIndexOf(key: string): number {
  const first = key.charCodeAt(0)
  if (!(first >= 0x30 && first <= 0x39) || key.length > 10) return -1
  const index = Number(key)
  return index < 2 ** 32 - 1 && String(index) === key ? index : -1
}

class JsonParser {
  readonly #text: string
  readonly #numberOf: (text: string) => unknown
  /** Index of the first byte that is not UTF-8; Infinity for valid text. */
  readonly #invalidIndex: number
  readonly #number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
  readonly #plainText = /[^"\\\x00-\x1f]*/y
  readonly #hex = /[0-9a-fA-F]{4}/y
  #position = 0
  #depth = 0
  #remainingValues: number
  /** The latest value is a whole number that is written as a float. */
  #isWholeFloat = false

  constructor(text: string, { maxValues = Infinity, numberOf = Number }: JsonOptions) {
    this.#text = text
    this.#remainingValues = maxValues
    this.#numberOf = numberOf
    this.#invalidIndex = text.isWellFormed() ? Infinity : text.search(/\p{Cs}/u)
  }

  parse(): unknown {
    const value = this.#value()
    if (this.#next() !== '') throw this.#unexpected()
    return value
  }

  /**
   * Skips white space.
   * @returns the first character of the next token; the empty string at the end.
   */
  #next(): string {
    for (;;) {
      const code = this.#text.charCodeAt(this.#position)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return this.#text.charAt(this.#position)
      this.#position += 1
    }
  }

  #value(): unknown {
    this.#remainingValues -= 1
    if (this.#remainingValues < 0) throw new TooManyValuesError()
    const character = this.#next()
    if (character === '"') return this.#string()
    if (character === '{') return this.#map()
    if (character === '[') return this.#list()
    const number = this.#match(this.#number)
    if (number !== '') return this.#numberIn(number)
    for (const [name, value] of literals) {
      if (this.#text.startsWith(name, this.#position)) {
        this.#position += name.length
        return value
      }
    }
    throw this.#unexpected()
  }

  #numberIn(text: string): unknown {
    // For PHP, `-0` is an integer, which has no sign.
    const value = this.#numberOf(text === '-0' ? '0' : text)
    this.#isWholeFloat = Number.isInteger(value) && /[.eE]/.test(text)
    return value
  }

  #list(): unknown[] {
    const list: unknown[] = []
    let floats: number[] | undefined
    this.#open()
    if (this.#isClosed(']', '}')) return list
    for (;;) {
      list.push(this.#value())
      if (this.#isWholeFloat) {
        this.#isWholeFloat = false
        ;(floats ??= []).push(list.length - 1)
      }
      if (this.#isClosed(']', '}')) {
        if (floats !== undefined) markFloatItems(list, floats)
        return list
      }
      this.#expect(',')
    }
  }

  #map(): Record<string, unknown> | unknown[] {
    const map = Object.create(null) as Record<string, unknown>
    let size = 0
    let isList = true
    let floats: Set<string> | undefined
    /** All keys in the order of the text, from the first one on that JavaScript moves. */
    let keys: string[] | null = null
    let lastIndex = -1
    this.#open()
    if (this.#isClosed('}', ']')) return []
    for (;;) {
      if (this.#next() !== '"') throw this.#unexpected()
      const key = this.#string()
      this.#expect(':')
      if (isList && key === String(size)) size += 1
      else if (isList) isList = key in map
      if (!isList && keys === null) {
        const index = arrayIndexOf(key)
        if (index !== -1 && index < lastIndex) keys = Object.keys(map)
        // JavaScript moves an index that follows a name, or a greater index.
        lastIndex = index === -1 ? Infinity : index
      }
      if (keys !== null && !(key in map)) keys.push(key)
      map[key] = this.#value()
      if (this.#isWholeFloat) floats = this.#withKey(floats, key)
      // The last value of a repeated key counts.
      else floats?.delete(key)
      if (this.#isClosed('}', ']')) {
        const container = isList ? Object.values(map) : map
        markFloats(container, floats)
        if (keys !== null) keepOrder(map, keys)
        return container
      }
      this.#expect(',')
    }
  }

  /** Adds the key of the latest value. */
  #withKey(keys: Set<string> | undefined, key: string): Set<string> {
    this.#isWholeFloat = false
    return (keys ?? new Set()).add(key)
  }

  #open(): void {
    this.#depth += 1
    if (this.#depth > maxDepth) throw new JsonError(1)
    this.#position += 1
  }

  #isClosed(closing: string, mismatched: string): boolean {
    const character = this.#next()
    if (character === mismatched) throw new JsonError(2)
    if (character !== closing) return false
    this.#position += 1
    this.#depth -= 1
    return true
  }

  #expect(character: string): void {
    if (this.#next() !== character) throw this.#unexpected()
    this.#position += 1
  }

  #string(): string {
    this.#position += 1
    let text = ''
    for (;;) {
      text += this.#match(this.#plainText)
      if (this.#position > this.#invalidIndex) throw new JsonError(5)
      const character = this.#text.charAt(this.#position)
      if (character !== '"' && character !== '\\') throw new JsonError(3)
      this.#position += 1
      if (character === '"') return text
      text += this.#escaped()
    }
  }

  #escaped(): string {
    const letter = this.#text.charAt(this.#position)
    this.#position += 1
    if (letter !== 'u') return (letter === '' ? undefined : shortEscapes[letter]) ?? this.#malformed()
    const unit = this.#codeUnit() ?? this.#malformed()
    if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit)
    if (unit > 0xdbff || !this.#text.startsWith('\\u', this.#position)) throw new JsonError(10)
    this.#position += 2
    const lowSurrogate = this.#codeUnit() ?? 0
    if (lowSurrogate < 0xdc00 || lowSurrogate > 0xdfff) throw new JsonError(10)
    return String.fromCharCode(unit, lowSurrogate)
  }

  #codeUnit(): number | null {
    const digits = this.#match(this.#hex)
    return digits === '' ? null : Number.parseInt(digits, 16)
  }

  #malformed(): never {
    throw new JsonError(4)
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#position
    const match = pattern.exec(this.#text)?.[0] ?? ''
    this.#position += match.length
    return match
  }

  /** The error for an unexpected token. As in PHP, an error inside of a string token takes precedence. */
  #unexpected(): JsonError {
    const code = this.#text.charCodeAt(this.#position)
    if (this.#position >= this.#invalidIndex) return new JsonError(5)
    if (code < 0x20) return new JsonError(3)
    if (code === 0x22) this.#string()
    return new JsonError(4)
  }
}
