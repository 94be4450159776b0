import { arrayOf } from './array-shape.js'
import { serializedDepth } from './serialized-writer.js'
import { indexAfterBytes } from './text.js'

/**
 * The value of a text written by PHP's `serialize`. Maps have no prototype. A map whose keys are `0 … n-1` in order is
 * a list. Integers beyond ±(2^53 - 1) lose digits.
 * @returns `undefined` when the text is damaged, continues after its value, is more than 512 levels deep, or contains
 * an object, an enumeration or a reference. No serialised text stands for `undefined`.
 */
export function unserialize(text: string): unknown {
  const reader = new SerializedReader(text)
  try {
    const value = reader.value(serializedDepth)
    return reader.atEnd ? value : undefined
  } catch (error) {
    if (error === damaged) return undefined
    throw error
  }
}

/**
 * Thrown for unreadable text and caught by `unserialize`. It is not an `Error`, because its stack trace is never read.
 */
const damaged = Symbol('damaged serialisation')

const integerPattern = /^-?\d{1,19}$/
const floatPattern = /^(?:[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|-?INF|NAN)$/

class SerializedReader {
  readonly #text: string
  #index = 0

  constructor(text: string) {
    this.#text = text
  }

  get atEnd(): boolean {
    return this.#index === this.#text.length
  }

  value(depth: number): unknown {
    switch (this.#take(2)) {
      case 'N;':
        return null
      case 'b:':
        return this.#boolean()
      case 'i:':
        return this.#integer()
      case 'd:':
        return this.#float()
      case 's:':
        return this.#string()
      case 'a:':
        return this.#array(depth)
      default:
        throw damaged
    }
  }

  #boolean(): boolean {
    const flag = this.#take(2)
    if (flag !== '0;' && flag !== '1;') throw damaged
    return flag === '1;'
  }

  #integer(): number {
    // PHP's integers have no negative zero.
    return Number(this.#integerDigits()) + 0
  }

  #integerDigits(): string {
    const digits = this.#until(';')
    if (!integerPattern.test(digits)) throw damaged
    return digits
  }

  #float(): number {
    const digits = this.#until(';')
    if (!floatPattern.test(digits)) throw damaged
    return Number(digits.replace('INF', 'Infinity').replace('NAN', 'NaN'))
  }

  #string(): string {
    const bytes = this.#length()
    this.#expect('"')
    const end = indexAfterBytes(this.#text, this.#index, bytes)
    if (end === -1) throw damaged
    const text = this.#text.slice(this.#index, end)
    this.#index = end
    this.#expect('";')
    return text
  }

  #array(depth: number): unknown {
    if (depth === 0) throw damaged
    const size = this.#length()
    this.#expect('{')
    const entries = new Map<string, unknown>()
    for (let position = 0; position < size; position += 1) {
      const key = this.#key()
      // As in PHP, a repeated key keeps its first position and takes the last value.
      entries.set(key, this.value(depth - 1))
    }
    this.#expect('}')
    return arrayOf([...entries])
  }

  #key(): string {
    const kind = this.#take(2)
    if (kind === 'i:') return String(BigInt(this.#integerDigits()))
    if (kind === 's:') return this.#string()
    throw damaged
  }

  #length(): number {
    const digits = this.#until(':')
    if (!/^\d{1,15}$/.test(digits)) throw damaged
    return Number(digits)
  }

  /** Longest number in characters. Without a limit, each number in a damaged text could scan the rest of the text. */
  static readonly #maxNumberLength = 400

  #until(mark: string): string {
    const window = this.#text.slice(this.#index, this.#index + SerializedReader.#maxNumberLength)
    const length = window.indexOf(mark)
    if (length === -1) throw damaged
    this.#index += length + 1
    return window.slice(0, length)
  }

  #take(length: number): string {
    const text = this.#text.slice(this.#index, this.#index + length)
    this.#index += length
    return text
  }

  #expect(mark: string): void {
    if (this.#take(mark.length) !== mark) throw damaged
  }
}
