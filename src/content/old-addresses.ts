import { toBoolean } from '../php/cast.js'
import type { PostRow } from '../database/storage.js'
import { zeroDate } from './dates.js'
import type { WriteContext } from './write-context.js'

/**
 * Adds the previous slug and day of a published record to its metadata, so that old links can be redirected. Removes its
 * current slug and day from that metadata. This service uses the slugs; the days are for WordPress's own redirects.
 * Rules: docs/wire.md#updating-a-record.
 */
export async function saveOldAddress(old: PostRow, row: PostRow, context: WriteContext): Promise<void> {
  const isPublished = row.post_status === 'publish' || (row.post_type === 'attachment' && row.post_status === 'inherit')
  if (!isPublished || context.types.get(row.post_type)?.hierarchical === true) return
  await saveOldValue('_wp_old_slug', { id: row.ID, previous: old.post_name, current: row.post_name }, context)
  await saveOldValue('_wp_old_date', { id: row.ID, previous: dayOf(old), current: dayOf(row) }, context)
}

/** To PHP, the zero date is a day of the year -1. */
const dayOf = ({ post_date: date }: PostRow): string => (date === zeroDate ? '-0001-11-30' : date.slice(0, 10))

async function saveOldValue(
  key: string,
  { id, previous, current }: { readonly id: number; readonly previous: string; readonly current: string },
  { storage }: WriteContext,
): Promise<void> {
  if (previous === current) return
  const { meta } = storage.posts
  const values = await meta.read(id, key)
  if (toBoolean(previous) && !values.includes(previous)) await meta.add(id, key, previous)
  if (values.includes(current)) await meta.remove(id, key, current)
}
