/**
 * The content of a record of the block editor, as far as it can be shown without WordPress: a block stands in it as HTML between two
 * comments, `<!-- wp:paragraph -->` and `<!-- /wp:paragraph -->`.
 */
export interface StoredBlocks {
  /** The content without the comments. */
  readonly html: string
  /** The names of blocks whose HTML is made or changed by PHP when they are shown. */
  readonly dynamic: readonly string[]
  /** Whether each comment begins or ends a block. */
  readonly isWellFormed: boolean
  /** Whether the content has no block, so that its line breaks become paragraphs. */
  readonly isClassic: boolean
}

/** Blocks that every version of WordPress shows as they are stored, but for the class of paragraphs. */
const storedNames = new Set([
  'core/code',
  'core/freeform',
  'core/html',
  'core/paragraph',
  'core/preformatted',
  'core/pullquote',
  'core/table',
  'core/verse',
])

/**
 * Attributes that describe the stored HTML only. Others change it when it is shown: `style` sizes and colours, `metadata` binds
 * texts to values and hides blocks.
 */
const harmlessAttributes = new Set([
  'align',
  'backgroundColor',
  'className',
  'dropCap',
  'fontFamily',
  'fontSize',
  'gradient',
  'hasFixedLayout',
  'lock',
  'placeholder',
  'textAlign',
  'textColor',
])

/** The text between `<!--` and `-->` that WordPress's block parser takes for a block comment. */
const comment = /^ (\/)?wp:([a-z][a-z0-9_-]*(?:\/[a-z][a-z0-9_-]*)?)[ \t\n\r\f\v]+(?:(\{[^]*\})[ \t\n\r\f\v]+)?(\/)?$/

const paragraphStart = /^([ \t\n\r\f\v]*<p)(?: class="([\w-]+(?: [\w-]+)*)")?>/
const paragraphClass = 'wp-block-paragraph'

/**
 * Parses the block comments of a content.
 * @param addsParagraphClass whether paragraphs get the class that they have since WordPress 7.0.
 */
export function readStoredBlocks(content: string, addsParagraphClass: boolean): StoredBlocks {
  const dynamic: string[] = []
  let isWellFormed = true
  let isClassic = true
  /** Parts of the HTML, joined at the end. Cutting one text at each block would take quadratic time. */
  const parts: string[] = []
  let open: { readonly name: string; readonly start: number } | null = null
  let end = 0
  for (let start = content.indexOf('<!--'); start !== -1; start = content.indexOf('<!--', end)) {
    parts.push(content.slice(end, start))
    const last = content.indexOf('-->', start)
    const match = last === -1 ? null : comment.exec(content.slice(start + 4, last))
    end = last === -1 ? content.length : last + 3
    if (match === null) {
      isWellFormed = false
      continue
    }
    const [, closer, written = '', attributes, isVoid] = match
    const name = written.includes('/') ? written : `core/${written}`
    isClassic = false
    if (closer !== undefined) {
      if (open?.name !== name || attributes !== undefined || isVoid !== undefined) isWellFormed = false
      else if (name === 'core/paragraph') {
        const inner = parts.splice(open.start).join('')
        if (!paragraphStart.test(inner)) dynamic.push(name)
        parts.push(addsParagraphClass ? withParagraphClass(inner) : inner)
      }
      open = null
      continue
    }
    if (!storedNames.has(name) || open !== null || !areHarmless(attributes)) dynamic.push(name)
    if (isVoid === undefined) open = { name, start: parts.length }
  }
  parts.push(content.slice(end))
  return { html: parts.join(''), dynamic, isWellFormed: isWellFormed && open === null, isClassic }
}

function withParagraphClass(inner: string): string {
  return inner.replace(paragraphStart, (_, start: string, names: string | undefined) => {
    const classes = names?.split(' ') ?? []
    if (!classes.includes(paragraphClass)) classes.push(paragraphClass)
    return `${start} class="${classes.join(' ')}">`
  })
}

/** @param attributes JSON. Undefined for none. */
function areHarmless(attributes: string | undefined): boolean {
  if (attributes === undefined) return true
  let values: Record<string, unknown>
  try {
    values = JSON.parse(attributes) as Record<string, unknown>
  } catch {
    return false
  }
  // The classes of named styles, and since WordPress 6.6 those of elements (`wp-elements-1`), change the HTML when the block is shown.
  const { className } = values
  if (className !== undefined && (typeof className !== 'string' || /is-style-|wp-/.test(className))) return false
  return Object.keys(values).every((name) => harmlessAttributes.has(name))
}
