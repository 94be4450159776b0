import { arrayOf } from './array-shape.js'
import { serialize, SerializedFragment, serializedDepth } from './serialized-writer.js'
import { indexAfterBytes } from './text.js'

/**
 * The value of a text written by PHP's `serialize`. Maps have no prototype. A map whose keys are `0 … n-1` in order is
 * a list. Integers beyond ±(2^53 - 1) lose digits.
 * @returns `undefined` when the text is damaged, continues after its value, is more than 512 levels deep, or contains
 * an object, an enumeration or a reference. No serialised text stands for `undefined`.
 */
export function unserialize(text: string): unknown {
  return readWhole(new SerializedReader(text, false))
}

/**
 * As {@link unserialize}, for a value that is changed and written back. What JavaScript cannot write back becomes a
 * {@link SerializedFragment}, which `serialize` writes byte for byte: an object, an enumeration, an integer beyond
 * ±(2^53 - 1), a float that JavaScript would write otherwise, and a string in PHP's escaped form.
 * @returns `undefined` where {@link unserialize} has it for damage, and for a text with references, whose numbers would be
 * wrong after a change. The stored text must then not be replaced.
 */
export function unserializeForChange(text: string): unknown {
  return readWhole(new SerializedReader(text, true))
}

function readWhole(reader: SerializedReader): unknown {
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

const integerPattern = /^[-+]?\d+$/
const minInteger = -(2n ** 63n)
const maxInteger = 2n ** 63n - 1n
const className = /^[\w\\\u0080-\uffff]+$/
const floatPattern = /^(?:[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|-?INF|NAN)$/

class SerializedReader {
  readonly #text: string
  readonly #keepsFragments: boolean
  #index = 0

  /** @param keepsFragments whether what JavaScript has no value for is kept as text. */
  constructor(text: string, keepsFragments: boolean) {
    this.#text = text
    this.#keepsFragments = keepsFragments
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
        if (!this.#keepsFragments) throw damaged
        return this.#fragment(depth)
    }
  }

  /** An object (`O`, or `C` when its class serialises itself), an enumeration or an escaped string. */
  #fragment(depth: number): SerializedFragment {
    const start = this.#index - 2
    switch (this.#text.slice(start, this.#index)) {
      case 'O:':
        if (depth === 0) throw damaged
        this.#className()
        this.#entries(depth)
        break
      case 'C:':
        this.#className()
        this.#bytesWithin('{', '}')
        break
      case 'E:':
        this.#quoted(';')
        break
      case 'S:':
        this.#escapedString()
        break
      default:
        // Also references, whose numbers count the values before them.
        throw damaged
    }
    return new SerializedFragment(this.#text.slice(start, this.#index))
  }

  #className(): void {
    if (!className.test(this.#quoted(':'))) throw damaged
  }

  /** @param end the mark behind the closing quote. */
  #quoted(end: ':' | ';'): string {
    return this.#bytesWithin('"', `"${end}`)
  }

  /** A length, and so many bytes between two marks. */
  #bytesWithin(before: string, behind: string): string {
    const bytes = this.#length()
    this.#expect(before)
    const end = indexAfterBytes(this.#text, this.#index, bytes)
    if (end === -1) throw damaged
    const text = this.#text.slice(this.#index, end)
    this.#index = end
    this.#expect(behind)
    return text
  }

  /** Its length counts each `\\xx` as one byte. */
  #escapedString(): void {
    const bytes = this.#length()
    this.#expect('"')
    for (let count = 0; count < bytes; count += 1) {
      const isEscape = this.#text[this.#index] === '\\'
      const end = isEscape ? this.#index + 3 : indexAfterBytes(this.#text, this.#index, 1)
      if (end === -1 || (isEscape && !/^[\da-fA-F]{2}$/.test(this.#text.slice(this.#index + 1, end)))) throw damaged
      this.#index = end
    }
    this.#expect('";')
  }

  #boolean(): boolean {
    const flag = this.#take(2)
    if (flag !== '0;' && flag !== '1;') throw damaged
    return flag === '1;'
  }

  #integer(): number | SerializedFragment {
    const start = this.#index - 2
    const integer = this.#integerValue()
    if (typeof integer === 'number') return integer
    if (!this.#keepsFragments) return Number(integer)
    return new SerializedFragment(this.#text.slice(start, this.#index), Number(integer))
  }

  /** A bigint when a number would lose digits. PHP takes the nearest of its integers, which have 64 bits. */
  #integerValue(): number | bigint {
    const digits = this.#until(';')
    if (!integerPattern.test(digits)) throw damaged
    // PHP's integers have no negative zero.
    const integer = Number(digits) + 0
    if (Number.isSafeInteger(integer)) return integer
    const exact = BigInt(digits.replace('+', ''))
    return exact < minInteger ? minInteger : exact > maxInteger ? maxInteger : exact
  }

  #float(): number | SerializedFragment {
    const start = this.#index - 2
    const digits = this.#until(';')
    if (!floatPattern.test(digits)) throw damaged
    const float = Number(digits.replace('INF', 'Infinity').replace('NAN', 'NaN'))
    const text = this.#text.slice(start, this.#index)
    // A float without a fraction would become an integer.
    return this.#keepsFragments && serialize(float) !== text ? new SerializedFragment(text, float) : float
  }

  #string(): string {
    return this.#quoted(';')
  }

  #array(depth: number): unknown {
    if (depth === 0) throw damaged
    return arrayOf([...this.#entries(depth)])
  }

  /** A count, and so many keys and values in braces. */
  #entries(depth: number): Map<string, unknown> {
    const size = this.#length()
    this.#expect('{')
    const entries = new Map<string, unknown>()
    for (let position = 0; position < size; position += 1) {
      const key = this.#key()
      // As in PHP, a repeated key keeps its first position and takes the last value.
      entries.set(key, this.value(depth - 1))
    }
    this.#expect('}')
    return entries
  }

  #key(): string {
    const kind = this.#take(2)
    if (kind === 'i:') return String(this.#integerValue())
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
