import { asciiLowerCase } from '../php/ascii-case.js'
import { phpTrim } from '../php/trim.js'
import { normalizeReferences } from './character-references.js'
import { withoutControls } from './control-characters.js'
import { escapeLessThan } from './escape-less-than.js'
import { allowedInData, allowedInDescriptions, allowedInPosts, type AllowedTags } from './allowed-tags.js'
import { attributesOf, filterAttribute } from './attributes.js'
import { withFilteredBlocks } from './blocks.js'
import { ForwardSearch } from './forward-search.js'

/**
 * `wp_kses_post`: HTML with only the tags and attributes that WordPress allows in posts of every author. The content of
 * a forbidden tag stays. The result is safe to insert into a page.
 */
export function ksesPost(text: string): string {
  return filterHtml(text, allowedInPosts)
}

/** `wp_kses_data`: the same as {@link ksesPost} with the shorter list of tags for titles and comments. */
export function ksesData(text: string): string {
  return filterHtml(text, allowedInData)
}

/** The same as {@link ksesData} for the descriptions of users and terms. */
export function ksesDescription(text: string): string {
  return filterHtml(text, allowedInDescriptions)
}

/** Maximum nesting at which the content of a comment is filtered. Content of deeper comments is escaped. */
const maxCommentDepth = 2
/** Maximum number of times that the content of a comment is filtered. Content that still changes is then escaped. */
const maxRounds = 4

/** @param depth number of comments that enclose the text. */
function filterHtml(text: string, allowed: AllowedTags, depth = 0): string {
  const prepared = escapeLessThan(normalizeReferences(withoutControls(text)))
  const html = withFilteredBlocks(prepared, (value) => filterHtml(value, allowed, depth))
  return new HtmlFilter(html, allowed, depth).result()
}

/** Filters tags and comments one after the other. {@link escapeLessThan} has ensured that every `<` has its own `>`. */
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
      const tagStart = this.#text.indexOf('<', index)
      const end = tagStart === -1 ? this.#text.length : tagStart
      // Unlike replaceAll, which makes one intermediate string for each match, this is fast for a text of brackets only.
      pieces.push(this.#text.slice(index, end).split('>').join('&gt;'))
      index = tagStart === -1 ? end : this.#endOfConstruct(tagStart)
      if (tagStart !== -1) pieces.push(this.#filteredConstruct(this.#text.slice(tagStart, index)))
    }
    return pieces.join('')
  }

  #endOfConstruct(tagStart: number): number {
    return this.#endOfComment(tagStart) ?? this.#endOfTag(tagStart)
  }

  /** The index after a tag. For WordPress, a closing tag without a name, `</>`, reaches up to the next `>`. */
  #endOfTag(tagStart: number): number {
    const end = this.#text.indexOf('>', tagStart) + 1
    if (this.#text.slice(tagStart, end) !== '</>') return end
    const nextEnd = this.#text.indexOf('>', end) + 1
    return nextEnd === 0 ? end : nextEnd
  }

  /** The index after a comment. An unclosed comment ends with the text if it is on the last line; otherwise null. */
  #endOfComment(tagStart: number): number | null {
    if (!this.#text.startsWith('<!--', tagStart)) return null
    const line = this.#lineEnds.from(tagStart)
    const close = this.#commentEnds.from(tagStart + 4)
    if (close < line) return close + 3
    return line < this.#text.length - 1 ? null : Math.min(line, this.#text.length)
  }

  /** @param raw one tag, comment or declaration, with its angle brackets. */
  #filteredConstruct(raw: string): string {
    // WordPress writes `\"` as `"` here, because the backslash may be a leftover of escaping.
    const construct = raw.replaceAll('\\"', '"')
    if (construct.startsWith('<!--')) return this.#filteredComment(construct)
    if (construct.startsWith('</>')) return this.#filteredNamelessTag(construct)
    // Browsers treat a lower-case declaration and a closing tag with an invalid name as comments.
    return /^<(?:![a-z]|\/[^a-zA-Z])/.test(construct) ? construct : this.#filteredTag(construct)
  }

  #filteredComment(comment: string): string {
    const filtered = this.#filteredContent(comment.replaceAll('<!--', '').replaceAll('-->', ''))
    return filtered === '' ? '' : `<!--${filtered.replace(/--+/g, '-').replace(/-(?=\n?$)/, '')}-->`
  }

  /** `</>` and the text up to the next `>`, which is a comment for browsers. The brackets between them are escaped. */
  #filteredNamelessTag(construct: string): string {
    return construct === '</>' ? '' : `</${filterHtml(construct.slice(2, -1), this.#allowed, this.#depth)}>`
  }

  /** Filters the content of a comment until filtering no longer changes it. */
  #filteredContent(content: string): string {
    let current = content
    for (let round = 0; round < maxRounds && this.#depth < maxCommentDepth; round += 1) {
      const next = filterHtml(current, this.#allowed, this.#depth + 1)
      if (next === current) return current
      current = next
    }
    return current.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  }

  #filteredTag(construct: string): string {
    const [, slash, name = '', source = ''] =
      /^<[ \t\n\r]*(\/[ \t\n\r]*)?([a-zA-Z0-9-]+)([^>]*)>$/.exec(construct) ?? []
    const attributes = this.#allowed.get(asciiLowerCase(name))
    if (attributes === undefined) return ''
    if (slash !== undefined) return `</${name}>`
    const end = phpTrim(source).endsWith('/') ? ' />' : '>'
    // In WordPress, an `object` keeps attributes only when it shows a PDF of the media library, and a self-closing one is
    // otherwise removed. This service has no media library.
    if (asciiLowerCase(name) === 'object') return end === '>' ? `<${name}>` : ''
    const filtered = attributesOf(source).map((attribute) => filterAttribute(attribute, attributes))
    return `<${[name, ...filtered.filter((attribute) => attribute !== null)].join(' ')}${end}`
  }
}
