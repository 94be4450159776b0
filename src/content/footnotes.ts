import { callerCan } from '../auth/meta-capabilities.js'
import { asAsciiJson } from '../http/ascii-json.js'
import { valuesOf } from '../php/array-shape.js'
import { toBoolean, toText } from '../php/cast.js'
import { JsonError, parseJson } from '../php/json-parser.js'
import { sanitizeKey } from '../sanitizers/key.js'
import { ksesPost } from '../sanitizers/kses.js'
import type { WriteContext } from './write-context.js'

/** The metadata in which the editor of WordPress keeps the footnotes of a record. Its themes print them without escaping. */
export const footnotesKey = 'footnotes'

/** The `db_version` of WordPress 6.3, the first with footnotes. */
const firstWithFootnotes = 55_853

/**
 * Footnotes as they are stored. On the tables of a WordPress, those of a caller without `unfiltered_html` keep only the tags that
 * posts may contain.
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
    // WordPress fails with an error for a content that is a list or a map.
    if (!toBoolean(id) || !toBoolean(content) || typeof content === 'object') return []
    return [{ id: sanitizeKey(id), content: ksesPost(toText(content)) }]
  })
  return asAsciiJson(JSON.stringify(parts))
}

function decoded(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonError) return null
    throw error
  }
}
