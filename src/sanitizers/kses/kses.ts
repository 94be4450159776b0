import { asciiLowerCase } from '../../php/ascii-case.js'
import { phpTrim } from '../../php/trim.js'
import { normalizeReferences } from '../character-references.js'
import { withoutControls } from '../control-characters.js'
import { escapeLessThan } from '../escape-less-than.js'
import { allowedInData, allowedInPosts, type AllowedTags } from './allowed-tags.js'
import { attributesOf, filterAttribute } from './attributes.js'
import { BlockComments, blockCommentText } from './block-comment.js'

/**
 * `wp_kses_post`: HTML with the tags and attributes that any author may use; what is between forbidden tags stays. The
 * result is safe to print, and filtering it again changes nothing.
 * Source: WIRE 5.1.
 */
export function ksesPost(text: string): string {
  return filterHtml(text, allowedInPosts)
}

/** The same with the short list of tags, for titles and comments. Source: WIRE 5.1.7. */
export function ksesData(text: string): string {
  return filterHtml(text, allowedInData)
}

function filterHtml(text: string, allowed: AllowedTags): string {
  return new HtmlFilter(escapeLessThan(normalizeReferences(withoutControls(text))), allowed).result()
}

interface OpenBlock {
  readonly name: string
  readonly attributes: object | null
  /** The piece of the result that its opening comment is. */
  readonly piece: number
}

/** Reads from `<` to `<`; the text it gets has a `>` for each. */
class HtmlFilter {
  readonly #text: string
  readonly #allowed: AllowedTags
  readonly #blockComments: BlockComments
  readonly #lastCommentEnd: number
  readonly #pieces: string[] = []
  readonly #openBlocks: OpenBlock[] = []

  constructor(text: string, allowed: AllowedTags) {
    this.#text = text
    this.#allowed = allowed
    this.#blockComments = new BlockComments(text)
    this.#lastCommentEnd = text.lastIndexOf('-->')
  }

  result(): string {
    let index = 0
    while (index < this.#text.length) {
      const open = this.#text.indexOf('<', index)
      const end = open === -1 ? this.#text.length : open
      this.#keep(this.#text.slice(index, end).replaceAll('>', '&gt;'))
      index = open === -1 ? end : this.#endOfConstruct(open)
    }
    // Blocks that nothing closes end where the text does.
    while (this.#openBlocks.length > 0) this.#closeBlock()
    return this.#pieces.join('')
  }

  #endOfConstruct(open: number): number {
    if (this.#text.startsWith('<!--', open)) return this.#endOfBlock(open) ?? this.#endOfComment(open)
    const close = this.#text.indexOf('>', open)
    const construct = this.#text.slice(open, close + 1)
    // What browsers take for a comment as well: a lower-case declaration, a closing tag without a name.
    this.#keep(/^<(?:![a-z]|\/[^a-zA-Z>])/.test(construct) ? construct : this.#tag(construct))
    return close + 1
  }

  #endOfBlock(open: number): number | null {
    const block = this.#blockComments.at(open)
    if (block === null || (block.kind === 'closer' && this.#openBlocks.length === 0)) return null
    const { kind, name, attributes } = block
    if (kind === 'closer') this.#closeBlock()
    else {
      if (kind === 'opener') this.#openBlocks.push({ name, attributes, piece: this.#pieces.length })
      this.#keep(this.#blockComment(kind, name, attributes))
    }
    return block.end
  }

  /** A closing comment closes the innermost block, whatever it names. A block with nothing in it is written as one comment. */
  #closeBlock(): void {
    const block = this.#openBlocks.pop()
    if (block === undefined) return
    const { name, attributes, piece } = block
    if (this.#pieces.length > piece + 1) this.#keep(this.#blockComment('closer', name, null))
    else this.#pieces[piece] = this.#blockComment('void', name, attributes)
  }

  #blockComment(kind: 'opener' | 'closer' | 'void', name: string, attributes: object | null): string {
    return blockCommentText(kind, name, attributes, (value) => filterHtml(value, this.#allowed))
  }

  /**
   * What looks like a tag inside a comment is escaped, and so is the start of a comment that never ends: whoever filters
   * the result again finds the same comments.
   */
  #endOfComment(open: number): number {
    if (open + 4 > this.#lastCommentEnd) {
      this.#keep('&lt;')
      return open + 1
    }
    const close = this.#text.indexOf('-->', open + 4)
    const content = this.#text
      .slice(open + 4, close)
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
    const dashed = content.replace(/--+/g, '-').replace(/-$/, '')
    this.#keep(dashed === '' ? '' : `<!--${dashed}-->`)
    return close + 3
  }

  #keep(piece: string): void {
    if (piece !== '') this.#pieces.push(piece)
  }

  #tag(construct: string): string {
    const [, slash, name = '', source = ''] =
      /^<[ \t\n\r]*(\/[ \t\n\r]*)?([a-zA-Z0-9-]+)([^>]*)>$/.exec(construct) ?? []
    const attributes = this.#allowed.get(asciiLowerCase(name))
    if (attributes === undefined) return ''
    if (slash !== undefined) return `</${name}>`
    const end = phpTrim(source).endsWith('/') ? ' />' : '>'
    // An object may show a PDF out of the site's uploads; this service has none.
    if (asciiLowerCase(name) === 'object') return end === '>' ? `<${name}>` : ''
    const kept = attributesOf(source).map((attribute) => filterAttribute(attribute, attributes))
    return `<${[name, ...kept.filter((attribute) => attribute !== null)].join(' ')}${end}`
  }
}
