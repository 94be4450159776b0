import { toBoolean } from '../php/cast.js'
import type { PostRow } from '../database/storage.js'
import type { WriteContext } from './write-context.js'

/**
 * Remembers the slug and the day under which a published record was known, so that links to it can be followed, and
 * forgets those it has now. The day is for redirects of WordPress itself.
 * Rules: docs/wire.md#updating-a-record.
 */
export async function keepOldAddress(old: PostRow, row: PostRow, context: WriteContext): Promise<void> {
  const isPublished = row.post_status === 'publish' || (row.post_type === 'attachment' && row.post_status === 'inherit')
  if (!isPublished || context.types.get(row.post_type)?.hierarchical === true) return
  await keepOld('_wp_old_slug', { id: row.ID, was: old.post_name, is: row.post_name }, context)
  await keepOld('_wp_old_date', { id: row.ID, was: dayOf(old), is: dayOf(row) }, context)
}

const dayOf = ({ post_date: date }: PostRow): string => date.slice(0, 10)

async function keepOld(
  key: string,
  { id, was, is }: { readonly id: number; readonly was: string; readonly is: string },
  { storage }: WriteContext,
): Promise<void> {
  if (was === is) return
  const { meta } = storage.posts
  const known = await meta.read(id, key)
  const added = toBoolean(was) && !known.includes(was) ? [was] : []
  const forgets = known.includes(is)
  if (forgets) await meta.remove(id, key)
  const written = forgets ? [...known.filter((value) => value !== is), ...added] : added
  for (const value of written) await meta.add(id, key, value)
}
