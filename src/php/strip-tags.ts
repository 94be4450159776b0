const whiteSpace = /[ \t\n\v\f\r]/

/**
 * PHP's `strip_tags` without allowed tags. Removes HTML tags, declarations, comments, `<? … ?>` and every NUL. An
 * unclosed construct removes the rest of the text. A `<` before white space is text. A quoted `>` does not end a tag.
 */
export function stripTags(text: string): string {
  return /[<\0]/.test(text) ? new TagStripper(text).result() : text
}

/** The construct that a `<` has opened. `xml` is a tag that does not end at `->`. */
type Construct = 'tag' | 'xml' | 'declaration' | 'comment' | 'program'

/** The result of reading a construct up to its end, or up to the point where it turns into another construct. */
interface Step {
  /** The construct that follows; null for text. */
  readonly as: Construct | null
  /** Index of the first character that has not been read. */
  readonly index: number
}

/** Follows the state machine of PHP's `strip_tags`. Each method `#restOf…` starts reading inside its construct. */
class TagStripper {
  readonly #text: string
  /** The open quotation mark of the current tag; empty when there is none. */
  #quote = ''
  /** Number of `<` inside tags whose `>` has not been read yet. */
  #nested = 0

  constructor(text: string) {
    this.#text = text
  }

  result(): string {
    let output = ''
    let index = 0
    while (index < this.#text.length) {
      const tagStart = this.#nextTag(index)
      output += this.#cleanText(this.#text.slice(index, tagStart))
      this.#quote = ''
      index = tagStart < this.#text.length ? this.#endOfConstruct(tagStart + 1) : tagStart
    }
    return output
  }

  #nextTag(from: number): number {
    let tagStart = this.#text.indexOf('<', from)
    while (tagStart !== -1 && whiteSpace.test(this.#text.charAt(tagStart + 1)))
      tagStart = this.#text.indexOf('<', tagStart + 1)
    return tagStart === -1 ? this.#text.length : tagStart
  }

  /** Removes NULs, and each `>` that closes a nested `<`. */
  #cleanText(text: string): string {
    const plain = text.replaceAll('\0', '')
    if (this.#nested === 0) return plain
    return plain.replace(/>/g, (end) => {
      if (this.#nested === 0) return end
      this.#nested -= 1
      return ''
    })
  }

  /** A loop rather than recursion: one construct may turn into another any number of times (`<?xml<?xml`). */
  #endOfConstruct(from: number): number {
    let step: Step = { as: 'tag', index: from }
    while (step.as !== null) step = this.#restOf(step.as, step.index)
    return step.index
  }

  #restOf(construct: Construct, from: number): Step {
    switch (construct) {
      case 'tag':
      case 'xml':
        return this.#restOfTag(from, construct === 'xml')
      case 'declaration':
        return this.#restOfDeclaration(from)
      case 'comment':
        return this.#restOfComment(from)
      case 'program':
        return this.#restOfProgram(from)
    }
  }

  #restOfTag(from: number, isXml: boolean): Step {
    for (let index = from; index < this.#text.length; index += 1) {
      const character = this.#text.charAt(index)
      if (character === '"' || character === "'") this.#toggleQuote(character)
      else if (character === '<') this.#openNested(index)
      else if (character === '>') {
        if (this.#endsAtClosing() && !(isXml && this.#text.charAt(index - 1) === '-'))
          return { as: null, index: index + 1 }
      } else if (this.#text.charAt(index - 1) === '<') {
        if (character === '!') return { as: 'declaration', index: index + 1 }
        if (character === '?') return { as: 'program', index: index + 1 }
      }
    }
    return { as: null, index: this.#text.length }
  }

  #restOfDeclaration(from: number): Step {
    for (let index = from; index < this.#text.length; index += 1) {
      const character = this.#text.charAt(index)
      if (character === '>') {
        if (this.#endsAtClosing()) return { as: null, index: index + 1 }
      } else if (character === '"' || character === "'") {
        if (this.#text.charAt(index - 1) !== '\\') this.#toggleQuote(character)
      } else if (character === '-') {
        if (this.#text.slice(index - 2, index) === '!-') return { as: 'comment', index: index + 1 }
      } else if (character === 'e' || character === 'E') {
        if (/^doctyp$/i.test(this.#text.slice(index - 6, index))) return { as: 'tag', index: index + 1 }
      }
    }
    return { as: null, index: this.#text.length }
  }

  #restOfComment(from: number): Step {
    // While a quotation mark of the declaration is open, `-->` does not end the comment.
    const end = this.#quote === '' ? this.#text.indexOf('-->', from - 2) : -1
    return { as: null, index: end === -1 ? this.#text.length : end + 3 }
  }

  /** Reads up to the first `?>` outside of strings and parentheses. `<?xml` turns the program into a tag. */
  #restOfProgram(from: number): Step {
    let brackets = 0
    let mark = ''
    for (let index = from; index < this.#text.length; index += 1) {
      const character = this.#text.charAt(index)
      if (character === '(' || character === ')') {
        if (mark === '"' || mark === "'") continue
        brackets += character === '(' ? 1 : -1
        mark = character
      } else if (character === '"' || character === "'") {
        if (this.#text.charAt(index - 1) === '\\') continue
        mark = mark === character ? '' : character
        this.#toggleQuote(character)
      } else if (character === '>') {
        if (this.#endsAtClosing() && brackets === 0 && mark !== '"' && this.#text.charAt(index - 1) === '?')
          return { as: null, index: index + 1 }
      } else if (character === 'l' || character === 'L') {
        if (index > 4 && /^<\?xm$/i.test(this.#text.slice(index - 4, index))) return { as: 'xml', index: index + 1 }
      }
    }
    return { as: null, index: this.#text.length }
  }

  #openNested(index: number): void {
    if (this.#quote === '' && !whiteSpace.test(this.#text.charAt(index + 1))) this.#nested += 1
  }

  /** Whether a `>` at the current position ends the construct. It may also end a nested `<`, or be quoted. */
  #endsAtClosing(): boolean {
    if (this.#nested === 0) return this.#quote === ''
    this.#nested -= 1
    return false
  }

  #toggleQuote(quote: string): void {
    if (this.#quote === '') this.#quote = quote
    else if (this.#quote === quote) this.#quote = ''
  }
}
