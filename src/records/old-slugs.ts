import type { PostRow } from '../storage/storage.js'
import type { WriteContext } from './write-context.js'

const key = '_wp_old_slug'

/**
 * Remembers the slug under which a published record was known, so that links to it can be followed, and forgets the one
 * it has now. Source: WIRE 11.6.
 */
export async function keepOldSlug(old: PostRow, row: PostRow, { storage, types }: WriteContext): Promise<void> {
  if (row.post_name === old.post_name || row.post_status !== 'publish') return
  if (types.get(row.post_type)?.hierarchical === true) return
  const { meta } = storage.posts
  const known = await meta.read(row.ID, key)
  if (old.post_name !== '' && !known.includes(old.post_name)) await meta.add(row.ID, key, old.post_name)
  if (!known.includes(row.post_name)) return
  const others = (await meta.read(row.ID, key)).filter((slug) => slug !== row.post_name)
  await meta.remove(row.ID, key)
  for (const slug of others) await meta.add(row.ID, key, slug)
}
