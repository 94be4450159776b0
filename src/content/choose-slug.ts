import type { MaybePromise } from '../base/maybe-promise.js'
import { callerCan } from '../auth/meta-capabilities.js'
import { toBoolean, toText } from '../php/cast.js'
import { sanitizeTitle } from '../sanitizers/title.js'
import type { PostRow } from '../database/storage.js'
import { isUndated } from './dates.js'
import { isReserved, isUnique, lockSlug, uniqueSlug, type SlugContext } from './slug.js'
import { releaseTrashedSlug } from './trash.js'
import type { WriteContext } from './write-context.js'

interface SlugChoice {
  /** 0 when the row has no id yet. */
  readonly id: number
  /** Undefined when the caller did not pass a slug. */
  readonly requestedSlug: string | undefined
  /** The stored slug; `''` for a new record. */
  readonly currentSlug: string
  /** The row before the change; left out for a new record. */
  readonly old?: ComparedColumns & Pick<PostRow, 'post_name'>
}

/** The properties that decide which slugs a record is compared with. */
type ComparedColumns = Pick<PostRow, 'post_type' | 'post_status' | 'post_parent'>

/**
 * The slug with which a row is stored: the requested slug, else the current slug, else a slug of the title, else the id.
 * The slug of a draft may stay empty. A pending record has no slug when its caller may not publish.
 * Rules: docs/wire.md#slugs.
 * @returns '' when only the id could be the slug and the row has no id yet.
 */
export function chooseSlug(
  row: ComparedColumns & Pick<PostRow, 'post_title'>,
  { id, requestedSlug, currentSlug, old }: SlugChoice,
  context: WriteContext,
): MaybePromise<string> {
  const { post_type: type, post_status: status, post_parent: parent } = row
  const uniqueSlugFor = (slug: string): MaybePromise<string> => {
    const unique = (isUsed: boolean): MaybePromise<string> =>
      uniqueSlug({ slug, type, status, parent, id, currentSlug, isUsed }, slugContextOf(context))
    if (slug === '') return unique(false)
    // Usually no record has the slug, in the trash or outside it. One query then replaces the two that follow.
    const isTaken = (): Promise<boolean> => context.storage.posts.slugTaken({ slug, exceptId: id })
    const isUsed = isNewlyHeld(slug, row, old) ? lockSlug(slug, context.storage).then(isTaken) : isTaken()
    return isUsed.then((used) =>
      used && status !== 'trash' ? releaseTrashedSlug(slug, id, context).then(() => unique(true)) : unique(used),
    )
  }
  const slug = requestedOrCurrentSlug(row, requestedSlug, currentSlug, context)
  // WordPress treats a requested slug `0` as empty. A title `0` gives the slug `0`.
  if (toBoolean(slug)) return uniqueSlugFor(slug)
  if (isUndated(row.post_status)) return ''
  const fallback = sanitizedSlug(row.post_title) || (id > 0 ? String(id) : '')
  return fallback === '' ? '' : uniqueSlugFor(fallback)
}

/** Visible characters of ASCII. `sanitizeTitle` makes slugs of no others. */
const asciiSlug = /^[\x21-\x7e]+$/

/**
 * The slug of a new record that needs a slug for itself, if no other record has it.
 * @returns null when it depends on the id, or is not the requested one.
 */
export function unusedSlug(
  row: ComparedColumns & Pick<PostRow, 'post_title'>,
  requestedSlug: string | undefined,
  context: WriteContext,
): string | null {
  const { post_type: type, post_status: status } = row
  if (!isUnique({ type, status })) return null
  const requested = requestedOrCurrentSlug(row, requestedSlug, '', context)
  const slug = toBoolean(requested) ? requested : sanitizedSlug(row.post_title)
  const isFree = asciiSlug.test(slug) && !isReserved({ slug, type, currentSlug: '' }, slugContextOf(context))
  return isFree ? slug : null
}

/** Whether the record did not have the slug for itself yet, among the same records. A write that keeps it needs no lock. */
function isNewlyHeld(slug: string, row: ComparedColumns, old: SlugChoice['old']): boolean {
  if (!isUnique({ type: row.post_type, status: row.post_status })) return false
  if (old === undefined || old.post_name !== slug) return true
  const wasUnique = isUnique({ type: old.post_type, status: old.post_status })
  return !wasUnique || old.post_type !== row.post_type || old.post_parent !== row.post_parent
}

function requestedOrCurrentSlug(
  row: Pick<PostRow, 'post_type' | 'post_status'>,
  requestedSlug: string | undefined,
  currentSlug: string,
  { types, caller }: WriteContext,
): string {
  const publish = `publish_${types.get(row.post_type)?.capability_type ?? 'post'}s`
  if (row.post_status === 'pending' && !callerCan(caller, publish)) return ''
  // The current slug is not sanitised again: it may come from an import with other rules.
  return requestedSlug === undefined || requestedSlug === null ? currentSlug : sanitizedSlug(toText(requestedSlug))
}

/** WordPress sanitises text that still has its backslashes: the NUL character is `\0` then, of which the digit stays. */
function sanitizedSlug(text: string): string {
  return sanitizeTitle(text.replaceAll('\0', '0'), 'save')
}

function slugContextOf({ storage, types, site }: WriteContext): SlugContext {
  return { storage, types, permalinkStructure: site.permalinkStructure.text }
}
