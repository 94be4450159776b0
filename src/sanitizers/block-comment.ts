import { arrayOf, entriesOf, isIntegerKey } from '../php/array-shape.js'
import { floatText } from '../php/float-text.js'
import { JsonError, parseJson } from '../php/json-parser.js'
import { ForwardSearch } from './forward-search.js'

/** A comment that delimits a block of the WordPress editor: `<!-- wp:name {"key":"value"} -->`. */
export interface BlockComment {
  /**
   * `<!-- wp:name -->` is an opener, `<!-- /wp:name -->` a closer, `<!-- wp:name /-->` a void block, which has no
   * content.
   */
  readonly kind: 'opener' | 'closer' | 'void'
  /** Without the prefix `core/`. */
  readonly name: string
  /** Decoded from JSON; null when there are no attributes. */
  readonly attributes: object | null
  /** Index of the first character after the comment. */
  readonly end: number
}

/** Parses the block comments of a text. The positions passed to `at` must ascend, so that parsing takes linear time. */
export class BlockComments {
  readonly #text: string
  readonly #commentEnds: ForwardSearch
  /**
   * The last match for the end of attributes, and the index where its search started. Successive comments may search
   * for the same end; without this cache such a text would take quadratic time.
   */
  #attributesEnd: { readonly from: number; readonly match: RegExpExecArray | null } | null = null

  constructor(text: string) {
    this.#text = text
    this.#commentEnds = new ForwardSearch(text, '-->')
  }

  /** The block comment that starts at `start`; null when the comment there is not a block comment. */
  at(start: number): BlockComment | null {
    const head = /<!--[ \t\n\r]+(\/)?wp:((?:[a-z][a-z0-9_-]*\/)?[a-z][a-z0-9_-]*)[ \t\n\r]+/y
    head.lastIndex = start
    const [, closer, name = ''] = head.exec(this.#text) ?? []
    if (name === '') return null
    const from = head.lastIndex
    const hasAttributes = this.#text.charAt(from) === '{'
    const end = hasAttributes ? this.#endOfAttributes(from) : this.#endOfComment(from)
    if (end === null) return null
    const source = hasAttributes ? this.#text.slice(from, end.index + 1) : '{}'
    const attributes = decodedAttributes(source)
    // Attributes that are not valid JSON are dropped. When they extend beyond the first `-->`, text that follows the
    // comment would be dropped with them. The comment is then not a block comment.
    if (attributes === undefined && this.#commentEnds.from(from) < end.index) return null
    return {
      kind: end[1] !== undefined ? 'void' : closer !== undefined ? 'closer' : 'opener',
      name: name.replace(/^core\//, ''),
      attributes: attributes === undefined || entriesOf(attributes).length === 0 ? null : attributes,
      end: end.index + end[0].length,
    }
  }

  #endOfComment(from: number): RegExpExecArray | null {
    const end = /(\/)?-->/y
    end.lastIndex = from
    return end.exec(this.#text)
  }

  #endOfAttributes(from: number): RegExpExecArray | null {
    const cached = this.#attributesEnd
    if (cached !== null && from >= cached.from && (cached.match === null || from <= cached.match.index))
      return cached.match
    const end = /\}[ \t\n\r]+(\/)?-->/g
    end.lastIndex = from
    const match = end.exec(this.#text)
    this.#attributesEnd = { from, match }
    return match
  }
}

/**
 * The attributes as a block comment contains them: JSON and a space. Empty when there are no attributes.
 * @param filter is applied to each key and each text in the attributes.
 */
export function attributesText(attributes: object | null, filter: (text: string) => string): string {
  return attributes === null ? '' : `${encodedAttributes(filteredTexts(attributes, filter))} `
}

/**
 * The source text of a block comment.
 * @param attributes a result of {@link attributesText}.
 */
export function blockCommentText(kind: BlockComment['kind'], name: string, attributes: string): string {
  return `<!-- ${kind === 'closer' ? '/' : ''}wp:${name} ${attributes}${kind === 'void' ? '/' : ''}-->`
}

/**
 * The attributes as PHP's `json_decode` returns them: integers are BigInts, so that large ones keep their digits.
 * Undefined when the JSON is invalid or too deep.
 */
function decodedAttributes(source: string): object | undefined {
  try {
    const decoded = parseJson(source, {
      numberOf: (number) => (isIntegerKey(number) ? BigInt(number) : Number(number)),
    })
    return typeof decoded === 'object' && decoded !== null ? decoded : undefined
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    return undefined
  }
}

/** The value with `filter` applied to each text and to each key of a map. */
function filteredTexts(value: unknown, filter: (text: string) => string): unknown {
  if (typeof value === 'string') return filter(value)
  if (typeof value !== 'object' || value === null) return value
  return arrayOf(
    entriesOf(value).map(([key, item]) => [Array.isArray(value) ? key : filter(key), filteredTexts(item, filter)]),
  )
}

/**
 * JSON in which every character that could end the comment or start a tag is written as a `\uXXXX` escape, and so are
 * the escapes `\\` and `\"`, as in WordPress's `serialize_block_attributes`.
 */
function encodedAttributes(attributes: unknown): string {
  // WordPress writes nothing for attributes that PHP cannot encode.
  return (jsonOf(attributes) ?? '').replace(/\\\\|\\"|--|[<>&\u2028\u2029]/g, (match) => {
    const character = match.startsWith('\\') ? match.slice(1) : match
    return Array.from(character, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
  })
}

/**
 * JSON as PHP's `json_encode` writes it with unescaped `/` and non-ASCII characters; null for a value that contains an
 * infinite number.
 */
function jsonOf(value: unknown): string | null {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return Number.isFinite(value) ? floatText(value).replace('E', 'e') : null
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const isList = Array.isArray(value)
  const items: string[] = []
  for (const [key, item] of entriesOf(value)) {
    const json = jsonOf(item)
    if (json === null) return null
    items.push(isList ? json : `${JSON.stringify(key)}:${json}`)
  }
  return isList ? `[${items.join(',')}]` : `{${items.join(',')}}`
}
