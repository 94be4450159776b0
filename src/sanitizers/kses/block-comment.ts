import { arrayOf, entriesOf } from '../../php/array-shape.js'

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
const deepest = 512

/** The block comment that begins at `start`; null when the comment there is another. Source: WIRE 5.1.3. */
export function blockCommentAt(text: string, start: number): BlockComment | null {
  const head = /<!--[ \t\n\r]+(\/)?wp:((?:[a-z][a-z0-9_-]*\/)?[a-z][a-z0-9_-]*)[ \t\n\r]+/y
  head.lastIndex = start
  const [matched, closer, name = ''] = head.exec(text) ?? []
  if (matched === undefined) return null
  const from = start + matched.length
  const tail = text.charAt(from) === '{' ? /\}[ \t\n\r]+(\/)?-*-->/g : /(\/)?-*-->/y
  tail.lastIndex = from
  const ending = tail.exec(text)
  if (ending === null) return null
  const source = tail.global ? text.slice(from, ending.index + 1) : ''
  const attributes = source === '' ? null : decodedAttributes(source)
  if (attributes === undefined && source.includes('-->')) return null
  return {
    kind: ending[1] !== undefined ? 'void' : closer !== undefined ? 'closer' : 'opener',
    name: name.replace(/^core\//, '').replace(/--+/g, '-'),
    attributes:
      attributes === undefined || attributes === null || entriesOf(attributes).length === 0 ? null : attributes,
    end: tail.lastIndex,
  }
}

/** The comment that {@link blockCommentAt} reads, with each text among the attributes passed through `filter`. */
export function blockCommentText(
  kind: BlockComment['kind'],
  name: string,
  attributes: object | null,
  filter: (text: string) => string,
): string {
  const data = attributes === null ? '' : `${encodedAttributes(filteredTexts(attributes, filter))} `
  return `<!-- ${kind === 'closer' ? '/' : ''}wp:${name} ${data}${kind === 'void' ? '/' : ''}-->`
}

/** Attributes as PHP decodes them; undefined when the JSON is faulty, too deep, or spells half a character. */
function decodedAttributes(source: string): object | undefined {
  try {
    const decoded: unknown = phpArrays(JSON.parse(source), deepest)
    return typeof decoded === 'object' && decoded !== null ? decoded : undefined
  } catch {
    return undefined
  }
}

/** The value with each map whose keys are `0 … n-1` as a list. @throws RangeError when it is too deep or not Unicode. */
function phpArrays(value: unknown, depth: number): unknown {
  if (typeof value === 'string' && !value.isWellFormed()) throw new RangeError('half a character')
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
