import { callerCan } from '../auth/meta-capabilities.js'
import { valuesOf } from '../php/array-shape.js'
import { toBoolean, toText } from '../php/cast.js'
import { JsonError, parseJson } from '../php/json-parser.js'
import { sanitizeKey } from '../sanitizers/key.js'
import { ksesPost } from '../sanitizers/kses.js'
import type { WriteContext } from './write-context.js'

/** The metadata in which the editor of WordPress keeps the footnotes of a record. Its themes print them as they are. */
export const footnotesKey = 'footnotes'

/** The `db_version` of WordPress 6.3, the first with footnotes. */
const firstWithFootnotes = 55_853

/**
 * Footnotes as they are stored. On the tables of a WordPress, those of a caller without `unfiltered_html` keep the tags that posts may
 * contain.
 */
export function storedFootnotes(
  text: string,
  { shared = null, site, caller }: Pick<WriteContext, 'shared' | 'site' | 'caller'>,
): string {
  const isFiltered = shared !== null && site.dbVersion >= firstWithFootnotes && !callerCan(caller, 'unfiltered_html')
  return isFiltered ? filtered(text) : text
}

function filtered(text: string): string {
  const notes = decoded(text)
  if (typeof notes !== 'object' || notes === null) return ''
  const parts = valuesOf(notes).flatMap((note) => {
    const { id, content } = (note ?? {}) as { readonly id?: unknown; readonly content?: unknown }
    if (!isText(id) || !isText(content)) return []
    return [{ id: sanitizeKey(toText(id)), content: ksesPost(toText(content)) }]
  })
  return encoded(parts)
}

/** A list or map ends WordPress here. */
const isText = (value: unknown): boolean => typeof value !== 'object' && toBoolean(value)

function decoded(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonError) return null
    throw error
  }
}

/** As PHP's `json_encode` writes JSON: in ASCII, with slashes escaped. */
function encoded(value: unknown): string {
  const code = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, code)
}
