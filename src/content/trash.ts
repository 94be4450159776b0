import { toBoolean } from '../php/cast.js'
import type { PostQuery, PostRow, Storage } from '../database/storage.js'
import { lockName } from '../database/lock-name.js'
import { maxSlugLength, shortened } from './slug.js'
import type { WriteContext } from './write-context.js'

const suffix = '__trashed'
const desiredSlugKey = '_wp_desired_post_slug'
const previousStatusKey = '_wp_trash_meta_status'
const trashTimeKey = '_wp_trash_meta_time'

/** The slug of a record in the trash, which leaves its slug free for other records: `lamp__trashed`. */
export function slugInTrash(slug: string): string {
  return slug.endsWith(suffix) ? slug : shortened(slug, maxSlugLength - suffix.length) + suffix
}

/**
 * Writes the metadata of a record that is moved to the trash: its status, its slug and the time. Removes that metadata when
 * the record is restored.
 * @param status the new status.
 * @returns the slug that the record gets with the move; undefined when the move does not determine the slug.
 */
export async function updateTrashMeta(
  old: PostRow,
  status: string,
  context: WriteContext,
): Promise<string | undefined> {
  const { storage, clock, shared = null } = context
  const { meta } = storage.posts
  if (status === 'trash' && old.post_status !== 'trash') {
    // Added as by WordPress, beside rows that another program has left: of several, the first counts.
    await meta.add(old.ID, previousStatusKey, old.post_status)
    await meta.add(old.ID, trashTimeKey, String(Math.floor(clock.now / 1000)))
    await saveDesiredSlug(old, storage)
    return slugInTrash(old.post_name)
  }
  if (status === 'trash' || old.post_status !== 'trash') return undefined
  const [desiredSlug = null] = await meta.read(old.ID, desiredSlugKey)
  const slug = desiredSlug !== null && toBoolean(desiredSlug) ? desiredSlug : undefined
  for (const key of [previousStatusKey, trashTimeKey]) await meta.remove(old.ID, key)
  // WordPress leaves the row of a record that had no slug.
  if (slug !== undefined || shared === null) await meta.remove(old.ID, desiredSlugKey)
  return slug
}

const slugOnly = { columns: ['post_name'], metaKeys: [] } as const

/**
 * Renames records in the trash that have this slug, so that a record outside the trash can have it. As in WordPress, only
 * records of public types are renamed.
 */
export async function releaseTrashedSlug(
  slug: string,
  exceptId: number,
  { storage, types }: WriteContext,
): Promise<void> {
  const query: PostQuery = {
    types: types
      .all()
      .filter((type) => type.public)
      .map(({ name }) => name),
    statuses: ['trash'],
    slug,
    order: [{ by: 'id', direction: 'asc' }],
    limit: 10,
    offset: 0,
  }
  const holders = (await storage.posts.list(query, slugOnly)).rows.filter(
    ({ post }) => post.ID !== exceptId && slugInTrash(post.post_name) !== post.post_name,
  )
  if (holders.length === 0) return
  // Another writer may restore or delete them before they are locked.
  await storage.lock(holders.map(({ post }) => lockName('post', post.ID)))
  const { rows } = await storage.posts.list(query, slugOnly)
  for (const { post } of rows) {
    const trashSlug = slugInTrash(post.post_name)
    if (post.ID === exceptId || trashSlug === post.post_name) continue
    await saveDesiredSlug(post, storage)
    await storage.posts.update(post.ID, { post_name: trashSlug })
  }
}

async function saveDesiredSlug(post: Pick<PostRow, 'ID' | 'post_name'>, storage: Storage): Promise<void> {
  if (!post.post_name.endsWith(suffix)) await storage.posts.meta.add(post.ID, desiredSlugKey, post.post_name)
}
