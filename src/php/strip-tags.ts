const blank = /[ \t\n\v\f\r]/

/**
 * PHP's `strip_tags` with no tag allowed: HTML tags, declarations, comments and `<? … ?>` go, an unclosed one takes the
 * rest of the text with it, and so does every NUL outside of them. A `<` before white space is text; quotes
 * inside a tag hide `>`.
 * Rules: docs/wire.md#plain-text.
 */
export function stripTags(text: string): string {
  return /[<\0]/.test(text) ? new TagStripper(text).result() : text
}

/** What a `<` has opened; `xml` is a tag that ends at no `->`. */
type Construct = 'tag' | 'xml' | 'declaration' | 'comment' | 'program'

/** Where a construct goes on, and as what; null is text. */
interface Step {
  readonly as: Construct | null
  /** The index behind what was read of it. */
  readonly index: number
}

/** Each method named `restOf…` starts inside that construct and tells where it goes on. */
class TagStripper {
  readonly #text: string
  /** The quote that the present tag has open, or nothing. */
  #quote = ''
  /** How many `<` inside tags still wait for a `>` of their own. */
  #nested = 0

  constructor(text: string) {
    this.#text = text
  }

  result(): string {
    let kept = ''
    let index = 0
    while (index < this.#text.length) {
      const open = this.#nextTag(index)
      kept += this.#plain(this.#text.slice(index, open))
      this.#quote = ''
      index = open < this.#text.length ? this.#endOfConstruct(open + 1) : open
    }
    return kept
  }

  #nextTag(from: number): number {
    let open = this.#text.indexOf('<', from)
    while (open !== -1 && blank.test(this.#text.charAt(open + 1))) open = this.#text.indexOf('<', open + 1)
    return open === -1 ? this.#text.length : open
  }

  #plain(text: string): string {
    const plain = text.replaceAll('\0', '')
    if (this.#nested === 0) return plain
    return plain.replace(/>/g, (end) => {
      if (this.#nested === 0) return end
      this.#nested -= 1
      return ''
    })
  }

  /** A loop, for one construct may turn into another any number of times: `<?xml<?xml`. */
  #endOfConstruct(from: number): number {
    let step: Step = { as: 'tag', index: from }
    while (step.as !== null) step = this.#rest(step.as, step.index)
    return step.index
  }

  #rest(construct: Construct, from: number): Step {
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
      if (character === '"' || character === "'") this.#toggle(character)
      else if (character === '<') this.#open(index)
      else if (character === '>') {
        if (this.#closes() && !(isXml && this.#text.charAt(index - 1) === '-')) return { as: null, index: index + 1 }
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
        if (this.#closes()) return { as: null, index: index + 1 }
      } else if (character === '"' || character === "'") {
        if (this.#text.charAt(index - 1) !== '\\') this.#toggle(character)
      } else if (character === '-') {
        if (this.#text.slice(index - 2, index) === '!-') return { as: 'comment', index: index + 1 }
      } else if (character === 'e' || character === 'E') {
        if (/^doctyp$/i.test(this.#text.slice(index - 6, index))) return { as: 'tag', index: index + 1 }
      }
    }
    return { as: null, index: this.#text.length }
  }

  #restOfComment(from: number): Step {
    // A quote that the declaration left open hides every end of the comment.
    const end = this.#quote === '' ? this.#text.indexOf('-->', from - 2) : -1
    return { as: null, index: end === -1 ? this.#text.length : end + 3 }
  }

  /** The `?>` of a program counts outside its strings and brackets only; `<?xml` is a tag after all. */
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
        this.#toggle(character)
      } else if (character === '>') {
        if (this.#closes() && brackets === 0 && mark !== '"' && this.#text.charAt(index - 1) === '?')
          return { as: null, index: index + 1 }
      } else if (character === 'l' || character === 'L') {
        if (index > 4 && /^<\?xm$/i.test(this.#text.slice(index - 4, index))) return { as: 'xml', index: index + 1 }
      }
    }
    return { as: null, index: this.#text.length }
  }

  #open(index: number): void {
    if (this.#quote === '' && !blank.test(this.#text.charAt(index + 1))) this.#nested += 1
  }

  /** Whether a `>` met now ends the construct, rather than one opened inside it or a quoted text. */
  #closes(): boolean {
    if (this.#nested === 0) return this.#quote === ''
    this.#nested -= 1
    return false
  }

  #toggle(quote: string): void {
    if (this.#quote === '') this.#quote = quote
    else if (this.#quote === quote) this.#quote = ''
  }
}
