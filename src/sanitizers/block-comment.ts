import { arrayOf, entriesOf } from '../php/array-shape.js'
import { isUtf8 } from '../php/text.js'
import { ForwardSearch } from './forward-search.js'

/** The comment that opens or closes a block of the editor: `<!-- wp:name {"key":"value"} -->`. */
export interface BlockComment {
  readonly kind: 'opener' | 'closer' | 'void'
  /** Without the `core/` that the editor's own blocks may have. */
  readonly name: string
  /** The attributes, decoded; null when there are none. */
  readonly attributes: object | null
  /** The index behind the comment. */
  readonly end: number
}

/** How many lists and maps of attributes may lie inside each other, as in PHP. */
const maxDepth = 512

/** Reads the block comments of a text from its start to its end. */
export class BlockComments {
  readonly #text: string
  readonly #commentEnds: ForwardSearch
  /** The last end of attributes that was found, and from where it is the first: many comments may look for the same. */
  #ending: { readonly from: number; readonly found: RegExpExecArray | null } | null = null

  constructor(text: string) {
    this.#text = text
    this.#commentEnds = new ForwardSearch(text, '-->')
  }

  /** The block comment that begins at `start`; null when the comment there is another (docs/wire.md#block-comments). */
  at(start: number): BlockComment | null {
    const head = /<!--[ \t\n\r]+(\/)?wp:((?:[a-z][a-z0-9_-]*\/)?[a-z][a-z0-9_-]*)[ \t\n\r]+/y
    head.lastIndex = start
    const [, closer, name = ''] = head.exec(this.#text) ?? []
    if (name === '') return null
    const from = head.lastIndex
    const hasAttributes = this.#text.charAt(from) === '{'
    const ending = hasAttributes ? this.#endOfAttributes(from) : this.#endOfComment(from)
    if (ending === null) return null
    const source = hasAttributes ? this.#text.slice(from, ending.index + 1) : '{}'
    const attributes = decodedAttributes(source)
    // Attributes that cannot be read are dropped, but not with a part of the text that follows the comment.
    if (attributes === undefined && this.#commentEnds.from(from) < ending.index) return null
    return {
      kind: ending[1] !== undefined ? 'void' : closer !== undefined ? 'closer' : 'opener',
      name: name.replace(/^core\//, ''),
      attributes: attributes === undefined || entriesOf(attributes).length === 0 ? null : attributes,
      end: ending.index + ending[0].length,
    }
  }

  #endOfComment(from: number): RegExpExecArray | null {
    const end = /(\/)?-->/y
    end.lastIndex = from
    return end.exec(this.#text)
  }

  #endOfAttributes(from: number): RegExpExecArray | null {
    const known = this.#ending
    if (known !== null && from >= known.from && (known.found === null || from <= known.found.index)) return known.found
    const end = /\}[ \t\n\r]+(\/)?-->/g
    end.lastIndex = from
    const found = end.exec(this.#text)
    this.#ending = { from, found }
    return found
  }
}

/** The attributes as they stand in a comment, each text among them passed through `filter`; `''` for none. */
export function attributesText(attributes: object | null, filter: (text: string) => string): string {
  return attributes === null ? '' : `${encodedAttributes(filteredTexts(attributes, filter))} `
}

/** The comment that {@link BlockComments} reads. @param attributes see {@link attributesText}. */
export function blockCommentText(kind: BlockComment['kind'], name: string, attributes: string): string {
  return `<!-- ${kind === 'closer' ? '/' : ''}wp:${name} ${attributes}${kind === 'void' ? '/' : ''}-->`
}

/** Attributes as PHP decodes them; undefined when the JSON is faulty, too deep, or spells half a character. */
function decodedAttributes(source: string): object | undefined {
  try {
    const decoded: unknown = phpArrays(JSON.parse(source), maxDepth)
    return typeof decoded === 'object' && decoded !== null ? decoded : undefined
  } catch {
    return undefined
  }
}

/** The value with each map whose keys are `0 … n-1` as a list. @throws RangeError when it is too deep or not Unicode. */
function phpArrays(value: unknown, depth: number): unknown {
  if (typeof value === 'string' && !isUtf8(value)) throw new RangeError('half a character')
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) throw new RangeError('too deep')
  return arrayOf(
    entriesOf(value).map(([key, item]) => {
      phpArrays(key, depth)
      return [key, phpArrays(item, depth - 1)]
    }),
  )
}

function filteredTexts(value: unknown, filter: (text: string) => string): unknown {
  if (typeof value === 'string') return filter(value)
  if (typeof value !== 'object' || value === null) return value
  return arrayOf(
    entriesOf(value).map(([key, item]) => [Array.isArray(value) ? key : filter(key), filteredTexts(item, filter)]),
  )
}

/** JSON in which nothing can end the comment or look like a tag. */
function encodedAttributes(attributes: unknown): string {
  return JSON.stringify(attributes).replace(/\\\\|\\"|--|[<>&\u2028\u2029]/g, (found) => {
    const character = found.startsWith('\\') ? found.slice(1) : found
    return Array.from(character, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
  })
}
