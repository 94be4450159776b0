import { PatternError } from './pattern-error.js'
import { bytesOf, textOf } from '../php/bytes.js'

/** The flags that `(?imsxUJn)` sets. They apply up to the end of the group. */
export interface Flags {
  readonly ignoreCase: boolean
  readonly multiline: boolean
  readonly dotAll: boolean
  /** 1, flag `x`: white space and comments are skipped. 2, flag `xx`: blanks and tabs inside classes too. */
  readonly extended: 0 | 1 | 2
  readonly ungreedy: boolean
  readonly duplicateNames: boolean
  readonly namedCapturesOnly: boolean
}

/** The limit of PCRE on nested groups. It also limits the depth of all recursive functions over patterns. */
const maxNesting = 250

/** The state of the parser: the text and the position in it, the current flags, and the groups that were parsed. */
export class PatternReader {
  readonly text: string
  index = 0
  flags: Flags
  /** Whether the position is inside `\Q … \E`. */
  isQuoting = false
  /** The number of capturing groups so far. */
  captureCount = 0
  readonly names: { name: string; number: number }[] = []
  /** Unicode patterns only: whether the pattern has characters whose case is ignored, and characters whose case is not. */
  caseUse = { insensitive: false, sensitive: false }
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

  get isAtEnd(): boolean {
    return this.index >= this.text.length
  }

  /** Whether this text comes next. The position does not change. */
  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.index)
  }

  /** Moves behind this text if it comes next, and returns whether it does. */
  consume(text: string): boolean {
    if (!this.startsWith(text)) return false
    this.index += text.length
    return true
  }

  /** Matches a regular expression with the flag `y` at the position, and moves behind the match. Null without a match. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.index
    const match = pattern.exec(this.text)
    if (match !== null) this.index += match[0].length
    return match
  }

  /** Reads one character: a byte, or a code point. */
  readCharacter(): number {
    const code = (this.unicode ? this.text.codePointAt(this.index) : this.text.charCodeAt(this.index)) ?? 0
    this.index += code > 0xffff ? 2 : 1
    return code
  }

  /** @param index in the text, which may differ from the index in the source. */
  errorAt(message: string, index: number = this.index): PatternError {
    const consumed = this.text.slice(this.#offset, Math.max(index, this.#offset))
    const length = this.unicode ? consumed.length : textOf(consumed).length
    // A message for a byte pattern may quote its bytes, which are decoded here.
    return new PatternError(this.unicode ? message : textOf(message), this.source, Math.min(length, this.source.length))
  }

  /** Runs `parse` for the body of a group, consumes the `)` behind it, and restores the flags from before the group. */
  inGroup<T>(index: number, parse: () => T): T {
    if (this.#depth >= maxNesting) throw this.errorAt(`Groups are nested more than ${maxNesting} deep.`, index)
    const flags = this.flags
    this.#depth += 1
    const result = parse()
    this.#depth -= 1
    this.flags = flags
    if (!this.consume(')')) throw this.errorAt(`The group that begins here has no ')'.`, index)
    return result
  }

  /** The numbers of the groups of this name. */
  groupNumbers(name: string): readonly number[] {
    return this.names.filter((entry) => entry.name === name).map((entry) => entry.number)
  }
}
