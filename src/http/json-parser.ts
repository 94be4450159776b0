import { bagOf, type Bag } from './variables.js'

/** Why a text is not JSON, with the code that PHP's `json_last_error` has for it. */
export class JsonFault extends Error {
  override readonly name = 'JsonFault'
  constructor(readonly code: keyof typeof messages) {
    super(messages[code])
  }
}

const messages = {
  1: 'Maximum stack depth exceeded',
  2: 'State mismatch (invalid or malformed JSON)',
  3: 'Control character error, possibly incorrectly encoded',
  4: 'Syntax error',
  5: 'Malformed UTF-8 characters, possibly incorrectly encoded',
  10: 'Single unpaired UTF-16 surrogate in unicode escape',
}

/** Containers inside each other; one more is refused (docs/wire.md#json-bodies). It also bounds the recursion below. */
const maximumDepth = 511

/**
 * Decodes JSON as PHP does into associative arrays: maps have no prototype, and a map whose keys are `0 … n-1` in order
 * is a list, the empty map included. Reads each character once.
 * @param text as `php/text.ts` decodes it.
 * @throws JsonFault for the first fault in the text.
 */
export function parseJson(text: string): unknown {
  return new JsonParser(text).parse()
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

class JsonParser {
  readonly #text: string
  /** Where the first byte that is not UTF-8 lies. */
  readonly #invalid: number
  readonly #number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
  readonly #plain = /[^"\\\x00-\x1f]*/y
  readonly #hex = /[0-9a-fA-F]{4}/y
  #position = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
    this.#invalid = text.isWellFormed() ? Infinity : text.search(/\p{Cs}/u)
  }

  parse(): unknown {
    const value = this.#value()
    if (this.#next() !== '') throw this.#unexpected()
    return value
  }

  /** The character at which the next token begins; `''` at the end. */
  #next(): string {
    for (;;) {
      const code = this.#text.charCodeAt(this.#position)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return this.#text.charAt(this.#position)
      this.#position += 1
    }
  }

  #value(): unknown {
    const character = this.#next()
    if (character === '"') return this.#string()
    if (character === '{') return this.#map()
    if (character === '[') return this.#list()
    const number = this.#match(this.#number)
    if (number !== '') return number === '-0' ? 0 : Number(number)
    for (const [name, value] of literals) {
      if (this.#text.startsWith(name, this.#position)) {
        this.#position += name.length
        return value
      }
    }
    throw this.#unexpected()
  }

  #list(): unknown[] {
    const list: unknown[] = []
    this.#open()
    if (this.#closes(']', '}')) return list
    for (;;) {
      list.push(this.#value())
      if (this.#closes(']', '}')) return list
      this.#take(',')
    }
  }

  #map(): Bag | unknown[] {
    const map = bagOf()
    let size = 0
    let isList = true
    this.#open()
    if (this.#closes('}', ']')) return []
    for (;;) {
      if (this.#next() !== '"') throw this.#unexpected()
      const key = this.#string()
      this.#take(':')
      if (isList && key === String(size)) size += 1
      else if (isList) isList = key in map
      map[key] = this.#value()
      if (this.#closes('}', ']')) return isList ? Object.values(map) : map
      this.#take(',')
    }
  }

  #open(): void {
    this.#depth += 1
    if (this.#depth > maximumDepth) throw new JsonFault(1)
    this.#position += 1
  }

  #closes(own: string, other: string): boolean {
    const character = this.#next()
    if (character === other) throw new JsonFault(2)
    if (character !== own) return false
    this.#position += 1
    this.#depth -= 1
    return true
  }

  #take(character: string): void {
    if (this.#next() !== character) throw this.#unexpected()
    this.#position += 1
  }

  #string(): string {
    this.#position += 1
    let text = ''
    for (;;) {
      text += this.#match(this.#plain)
      if (this.#position > this.#invalid) throw new JsonFault(5)
      const character = this.#text.charAt(this.#position)
      if (character !== '"' && character !== '\\') throw new JsonFault(3)
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
    if (unit > 0xdbff || !this.#text.startsWith('\\u', this.#position)) throw new JsonFault(10)
    this.#position += 2
    const second = this.#codeUnit() ?? 0
    if (second < 0xdc00 || second > 0xdfff) throw new JsonFault(10)
    return String.fromCharCode(unit, second)
  }

  #codeUnit(): number | null {
    const digits = this.#match(this.#hex)
    return digits === '' ? null : Number.parseInt(digits, 16)
  }

  #malformed(): never {
    throw new JsonFault(4)
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#position
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.#position += found.length
    return found
  }

  /** The fault of a token that may not stand here. A fault inside the token comes first, as in PHP. */
  #unexpected(): JsonFault {
    const code = this.#text.charCodeAt(this.#position)
    if (this.#position >= this.#invalid) return new JsonFault(5)
    if (code < 0x20) return new JsonFault(3)
    if (code === 0x22) this.#string()
    return new JsonFault(4)
  }
}
