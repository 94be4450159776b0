import { PatternError } from './pattern-error.js'
import { bytesOf, textOf } from '../php/bytes.js'

/** What `(?imsxUJn)` switches; kept per group. */
export interface Flags {
  readonly ignoreCase: boolean
  readonly multiline: boolean
  readonly dotAll: boolean
  /** 1: blanks and comments are skipped; 2: blanks inside classes too. */
  readonly extended: 0 | 1 | 2
  readonly ungreedy: boolean
  readonly duplicateNames: boolean
  readonly namedCapturesOnly: boolean
}

/** PCRE's own limit on nested groups; keeps the recursion of everything that walks a pattern bounded. */
const maxNesting = 250

/** The pattern under the parser's hand: position, flags in force, groups met so far. */
export class PatternReader {
  readonly text: string
  index = 0
  flags: Flags
  /** Inside `\Q … \E`. */
  quoting = false
  captures = 0
  readonly names: { name: string; number: number }[] = []
  /** Unicode patterns: characters were met that must ignore case, or must not. */
  caseUse = { ignored: false, kept: false }
  #depth = 0
  readonly #offset: number

  constructor(
    readonly source: string,
    readonly unicode: boolean,
    options: { readonly anchored: boolean; readonly ignoreCase: boolean },
  ) {
    const text = unicode ? source : bytesOf(source)
    this.text = options.anchored ? `^${text}$` : text
    this.#offset = options.anchored ? 1 : 0
    this.flags = {
      ignoreCase: options.ignoreCase,
      multiline: false,
      dotAll: false,
      extended: 0,
      ungreedy: false,
      duplicateNames: false,
      namedCapturesOnly: false,
    }
  }

  get done(): boolean {
    return this.index >= this.text.length
  }

  /** Whether the text goes on with this; nothing is taken. */
  sees(text: string): boolean {
    return this.text.startsWith(text, this.index)
  }

  /** Takes this text when it comes next. */
  eats(text: string): boolean {
    if (!this.sees(text)) return false
    this.index += text.length
    return true
  }

  /** Takes what a sticky expression (flag `y`) matches here; null when it does not. */
  takes(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.index
    const match = expression.exec(this.text)
    if (match !== null) this.index += match[0].length
    return match
  }

  /** Takes one character: a byte, or a code point. */
  takeCode(): number {
    const code = (this.unicode ? this.text.codePointAt(this.index) : this.text.charCodeAt(this.index)) ?? 0
    this.index += code > 0xffff ? 2 : 1
    return code
  }

  fault(message: string, index: number = this.index): PatternError {
    const before = this.text.slice(this.#offset, Math.max(index, this.#offset))
    const length = this.unicode ? before.length : textOf(before).length
    // What a message quotes of the pattern is its bytes as well.
    return new PatternError(this.unicode ? message : textOf(message), this.source, Math.min(length, this.source.length))
  }

  /** Runs `parse` one group deeper; flags set inside end with it. */
  inGroup<T>(index: number, parse: () => T): T {
    if (this.#depth >= maxNesting) throw this.fault(`Groups are nested more than ${maxNesting} deep.`, index)
    const flags = this.flags
    this.#depth += 1
    const parsed = parse()
    this.#depth -= 1
    this.flags = flags
    if (!this.eats(')')) throw this.fault(`The group that begins here has no ')'.`, index)
    return parsed
  }

  numbersNamed(name: string): readonly number[] {
    return this.names.filter((entry) => entry.name === name).map((entry) => entry.number)
  }
}
