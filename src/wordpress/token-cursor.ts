import { PhpSyntaxError, type Token } from './php-tokens.js'

/** Deeper nesting than this could overflow the stack. */
const maxDepth = 100

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '#[': ']', '{': '}' }

/** A reading position in a list of tokens. */
export class TokenCursor {
  readonly #tokens: readonly Token[]
  #index = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get line(): number {
    return this.peek().line
  }

  get atEnd(): boolean {
    return this.peek().kind === 'end'
  }

  /** How many tokens were taken. */
  get position(): number {
    return this.#index
  }

  /** The tokens that were taken since a position. */
  takenSince(position: number): readonly Token[] {
    return this.#tokens.slice(position, this.#index)
  }

  /** @param offset 0 for the next token, -1 for the last one that was taken. */
  peek(offset = 0): Token {
    return this.#tokens[this.#index + offset] ?? { kind: 'end', text: '', line: this.#tokens.at(-1)?.line ?? 1 }
  }

  take(): Token {
    const token = this.peek()
    if (token.kind !== 'end') this.#index += 1
    return token
  }

  atMark(mark: string, offset = 0): boolean {
    const { kind, text } = this.peek(offset)
    return kind === 'mark' && text === mark
  }

  /** The next token in lower case when it is a name, else ''. PHP's keywords ignore case. */
  get keyword(): string {
    const { kind, text } = this.peek()
    return kind === 'name' ? text.toLowerCase() : ''
  }

  /** Takes the mark when it is next. */
  takeMark(mark: string): boolean {
    const isNext = this.atMark(mark)
    if (isNext) this.take()
    return isNext
  }

  /** Takes a bracket that is next, and everything up to its counterpart. */
  skipBrackets(): void {
    const expectedClosers: string[] = []
    do {
      const { kind, text } = this.take()
      if (kind === 'end') return
      if (kind !== 'mark') continue
      if (closers[text] !== undefined) expectedClosers.push(closers[text])
      else if (text === expectedClosers.at(-1)) expectedClosers.pop()
    } while (expectedClosers.length > 0)
  }

  /** Takes everything up to a mark that is in no brackets, and the mark. Stops before a bracket that closes an outer one. */
  skipBehind(mark: string): void {
    while (!this.atEnd) {
      if (this.takeMark(mark)) return
      const { kind, text } = this.peek()
      if (kind === 'mark' && closers[text] !== undefined) this.skipBrackets()
      else if (kind === 'mark' && (text === ')' || text === ']' || text === '}')) return
      else this.take()
    }
  }

  /** As {@link skipBehind}, without taking the mark. */
  skipTo(mark: string): void {
    while (!this.atEnd && !this.atMark(mark)) {
      const { kind, text } = this.peek()
      if (kind === 'mark' && closers[text] !== undefined) this.skipBrackets()
      else this.take()
    }
  }

  /** Runs work. @throws PhpSyntaxError when calls are nested more than `maxDepth` deep. */
  nested<T>(work: () => T): T {
    this.#depth += 1
    if (this.#depth > maxDepth) throw new PhpSyntaxError('it is nested too deeply', this.line)
    try {
      return work()
    } finally {
      this.#depth -= 1
    }
  }
}
