import { callerCan } from '../auth/meta-capabilities.js'
import { toBoolean, toText } from '../php/cast.js'
import { sanitizeTitle } from '../sanitizers/title.js'
import type { PostRow } from '../database/storage.js'
import { isUndated } from './dates.js'
import { uniqueSlug, type SlugContext } from './slug.js'
import { freeSlugInTrash } from './trash.js'
import type { WriteContext } from './write-context.js'

/**
 * The slug for a row that is about to be stored: what was given, else what it has, else made of the title, else its id.
 * Drafts need none; and a caller who cannot publish may not choose one for what waits for review.
 * @param wish `given` is undefined when the caller left it out, `own` the slug it has, empty for a new one, and `id` is 0
 * when there is none yet.
 * @returns '' when only the id could be the slug and there is none yet.
 * Rules: docs/wire.md#slugs.
 */
export async function slugOf(
  row: Pick<PostRow, 'post_type' | 'post_status' | 'post_parent' | 'post_title'>,
  wish: { readonly id: number; readonly given: string | undefined; readonly own: string },
  context: WriteContext,
): Promise<string> {
  const { id, given, own } = wish
  const fits = async (slug: string): Promise<string> => {
    // Mostly nobody has it, neither the living nor those in the trash: one question in place of one for each.
    const isUsed = slug !== '' && (await context.storage.posts.slugTaken({ slug, exceptId: id }))
    if (isUsed && row.post_status !== 'trash') await freeSlugInTrash(slug, id, context)
    const { post_type: type, post_status: status, post_parent: parent } = row
    return uniqueSlug({ slug, type, status, parent, id, ownSlug: own, isUsed }, contextOfSlugs(context))
  }
  const chosen = chosenSlug(row, given, own, context)
  // `0` is no slug to WordPress, unless it is what the title says.
  if (toBoolean(chosen)) return fits(chosen)
  if (isUndated(row.post_status)) return ''
  const last = cleanedSlug(row.post_title) || (id > 0 ? String(id) : '')
  return last === '' ? '' : fits(last)
}

function chosenSlug(
  row: Pick<PostRow, 'post_type' | 'post_status'>,
  given: string | undefined,
  own: string,
  { types, caller }: WriteContext,
): string {
  const publish = `publish_${types.get(row.post_type)?.capability_type ?? 'post'}s`
  if (row.post_status === 'pending' && !callerCan(caller, publish)) return ''
  // A slug that stays is not cleaned again: it may come from an import with rules of its own.
  return given === undefined || given === null ? own : cleanedSlug(toText(given))
}

/** WordPress makes the slug of text that still has its backslashes: of the NUL character, then `\0`, the digit stays. */
function cleanedSlug(text: string): string {
  return sanitizeTitle(text.replaceAll('\0', '0'), 'save')
}

function contextOfSlugs({ storage, types, site }: WriteContext): SlugContext {
  return { storage, types, permalinkStructure: site.permalinkStructure }
}
