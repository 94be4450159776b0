import { doubleQuoted, heredoc, singleQuoted } from './php-strings.js'

/** A token of PHP. Comments, white space and text outside of `<?php … ?>` are left out. */
export interface Token {
  readonly kind: 'name' | 'variable' | 'text' | 'template' | 'number' | 'mark' | 'end'
  /**
   * A name as written; a variable without `$`; the value of a text; empty for a template, which is a text with variables
   * in it, or a command in backticks; a number as written; a mark such as `===`.
   */
  readonly text: string
  /** From 1. */
  readonly line: number
}

/** Why a text is not PHP. */
export class PhpSyntaxError extends Error {
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message)
  }
}

/** Punctuation and operators, longer ones first. */
const marks =
  /<=>|\*\*=|\.\.\.|<<=|>>=|===|!==|\?\?=|\?->|=>|->|::|==|!=|<>|<=|>=|&&|\|\||\?\?|\+\+|--|\+=|-=|\*=|\/=|\.=|%=|&=|\|=|\^=|<<|>>|\*\*|[-+*/%=<>!.,;:?()[\]{}&|^~@$\\]/y
const name = /\\?[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*(?:\\[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)*/y
const variable = /\$([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)/y
const number =
  /0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*)?\.\d[\d_]*(?:[eE][-+]?\d+)?|\d[\d_]*\.?(?:[eE][-+]?\d+)?/y
const space = /\s+/y
const lineComment = /(?:\/\/|#(?!\[))[^\r\n]*?(?=\?>|\r|\n|$)/y
const attribute = /#\[/y
const heredocStart = /<<<[ \t]*(?:"(\w+)"|'(\w+)'|(\w+))\r?\n/y
const openTag = /<\?(?:php(?=\s|$)|=)/gi

/**
 * The tokens of a file of PHP, each read once. The last one is `end`.
 * @throws PhpSyntaxError for a text or comment without an end, or a character that PHP does not know.
 */
export function phpTokens(source: string): Token[] {
  return new Tokenizer(source).tokens()
}

class Tokenizer {
  readonly #source: string
  readonly #tokens: Token[] = []
  #index = 0
  #line = 1

  constructor(source: string) {
    this.#source = source
  }

  tokens(): Token[] {
    while (this.#enterCode()) while (this.#index < this.#source.length && !this.#leaveCode()) this.#token()
    this.#push('end', '')
    return this.#tokens
  }

  /** Goes behind the next `<?php`. @returns false when there is none. */
  #enterCode(): boolean {
    openTag.lastIndex = this.#index
    const tag = openTag.exec(this.#source)
    this.#moveTo(tag === null ? this.#source.length : tag.index + tag[0].length)
    return tag !== null
  }

  /** Goes behind `?>`, which also ends a statement. */
  #leaveCode(): boolean {
    if (!this.#source.startsWith('?>', this.#index)) return false
    this.#push('mark', ';')
    this.#index += 2
    return true
  }

  #token(): void {
    const next = this.#source.charAt(this.#index)
    if (this.#skipped(space) || this.#skipped(lineComment)) return
    if (this.#source.startsWith('/*', this.#index)) return this.#blockComment()
    if (this.#match(attribute)) return this.#push('mark', '#[', 2)
    if (next === "'") return this.#quoted(singleQuoted)
    if (next === '"') return this.#quoted(doubleQuoted)
    if (next === '`') return this.#command()
    const start = this.#match(heredocStart)
    if (start !== null) return this.#heredoc(start)
    this.#word()
  }

  #word(): void {
    const match = this.#match(variable)
    if (match !== null) return this.#push('variable', match[1] ?? '', match[0].length)
    for (const [kind, pattern] of [
      ['name', name],
      ['number', number],
      ['mark', marks],
    ] as const) {
      const match = this.#match(pattern)
      if (match !== null) return this.#push(kind, match[0], match[0].length)
    }
    throw new PhpSyntaxError('there is a character that PHP does not know', this.#line)
  }

  #blockComment(): void {
    const end = this.#source.indexOf('*/', this.#index + 2)
    if (end === -1) throw new PhpSyntaxError('the comment has no end', this.#line)
    this.#moveTo(end + 2)
  }

  #quoted(read: (source: string, start: number) => { value: string | null; end: number } | null): void {
    const text = read(this.#source, this.#index)
    if (text === null) throw new PhpSyntaxError('the quoted text has no end', this.#line)
    this.#tokens.push({ kind: text.value === null ? 'template' : 'text', text: text.value ?? '', line: this.#line })
    this.#moveTo(text.end)
  }

  #command(): void {
    const end = this.#source.indexOf('`', this.#index + 1)
    if (end === -1) throw new PhpSyntaxError('the command in backticks has no end', this.#line)
    this.#push('template', '')
    this.#moveTo(end + 1)
  }

  #heredoc([start, double, single, bare]: RegExpExecArray): void {
    const identifier = double ?? single ?? bare ?? ''
    this.#quoted((source, index) => heredoc(source, index + start.length, identifier, single !== undefined))
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#index
    return pattern.exec(this.#source)
  }

  #skipped(pattern: RegExp): boolean {
    const match = this.#match(pattern)
    if (match === null) return false
    this.#moveTo(this.#index + match[0].length)
    return true
  }

  #push(kind: Token['kind'], text: string, length = 0): void {
    this.#tokens.push({ kind, text, line: this.#line })
    this.#index += length
  }

  /** Counts the lines that it passes: a line ends with LF, or with a CR that no LF follows. */
  #moveTo(end: number): void {
    for (let index = this.#index; index < end; index += 1) {
      const code = this.#source.charCodeAt(index)
      if (code === 10 || (code === 13 && this.#source.charCodeAt(index + 1) !== 10)) this.#line += 1
    }
    this.#index = end
  }
}
