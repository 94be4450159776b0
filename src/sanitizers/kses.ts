import { asciiLowerCase } from '../php/ascii-case.js'
import { phpTrim } from '../php/trim.js'
import { normalizeReferences } from './character-references.js'
import { withoutControls } from './control-characters.js'
import { escapeLessThan } from './escape-less-than.js'
import { allowedInData, allowedInPosts, type AllowedTags } from './allowed-tags.js'
import { attributesOf, filterAttribute } from './attributes.js'
import { withFilteredBlocks } from './blocks.js'
import { ForwardSearch } from './forward-search.js'

/**
 * `wp_kses_post`: HTML with the tags and attributes that any author may use; what is between forbidden tags stays. The
 * result is safe to print.
 * Rules: docs/wire.md#the-html-filter.
 */
export function ksesPost(text: string): string {
  return filterHtml(text, allowedInPosts)
}

/** The same with the short list of tags, for titles and comments. */
export function ksesData(text: string): string {
  return filterHtml(text, allowedInData)
}

/** How often comments may be filtered inside each other before what they hold is escaped. */
const maxCommentDepth = 2
/** After so many rounds a comment that still changes is escaped. */
const maxRounds = 4

/** @param depth how many comments this text lies in. */
function filterHtml(text: string, allowed: AllowedTags, depth = 0): string {
  const prepared = escapeLessThan(normalizeReferences(withoutControls(text)))
  const blocks = withFilteredBlocks(prepared, (value) => filterHtml(value, allowed, depth))
  return new HtmlFilter(blocks, allowed, depth).result()
}

/** Reads from `<` to `<`; the text it gets has a `>` for each. */
class HtmlFilter {
  readonly #text: string
  readonly #allowed: AllowedTags
  readonly #depth: number
  readonly #lineEnds: ForwardSearch
  readonly #commentEnds: ForwardSearch

  constructor(text: string, allowed: AllowedTags, depth: number) {
    this.#text = text
    this.#allowed = allowed
    this.#depth = depth
    this.#lineEnds = new ForwardSearch(text, '\n')
    this.#commentEnds = new ForwardSearch(text, '-->')
  }

  result(): string {
    const pieces: string[] = []
    let index = 0
    while (index < this.#text.length) {
      const open = this.#text.indexOf('<', index)
      const end = open === -1 ? this.#text.length : open
      pieces.push(this.#text.slice(index, end).replaceAll('>', '&gt;'))
      index = open === -1 ? end : this.#endOfConstruct(open)
      if (open !== -1) pieces.push(this.#construct(this.#text.slice(open, index)))
    }
    return pieces.join('')
  }

  #endOfConstruct(open: number): number {
    return this.#endOfComment(open) ?? this.#text.indexOf('>', open) + 1
  }

  /** A comment that nothing closes goes on to the end of the text, but not past the end of a line; null when it does not. */
  #endOfComment(open: number): number | null {
    if (!this.#text.startsWith('<!--', open)) return null
    const line = this.#lineEnds.from(open)
    const close = this.#commentEnds.from(open + 4)
    if (close < line) return close + 3
    return line < this.#text.length - 1 ? null : Math.min(line, this.#text.length)
  }

  #construct(raw: string): string {
    // WordPress takes a backslash before a quote for one too many, left by whoever quoted the text.
    const construct = raw.replaceAll('\\"', '"')
    if (construct.startsWith('<!--')) return this.#comment(construct)
    // What browsers take for a comment as well: a lower-case declaration, a closing tag without a name.
    return /^<(?:![a-z]|\/[^a-zA-Z>])/.test(construct) ? construct : this.#tag(construct)
  }

  #comment(comment: string): string {
    const filtered = this.#filteredComment(comment.replaceAll('<!--', '').replaceAll('-->', ''))
    return filtered === '' ? '' : `<!--${filtered.replace(/--+/g, '-').replace(/-(?=\n?$)/, '')}-->`
  }

  /** What a comment holds is filtered until that changes nothing any more. */
  #filteredComment(content: string): string {
    let current = content
    for (let round = 0; round < maxRounds && this.#depth < maxCommentDepth; round += 1) {
      const next = filterHtml(current, this.#allowed, this.#depth + 1)
      if (next === current) return current
      current = next
    }
    return current.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
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
