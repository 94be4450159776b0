import { toBoolean } from '../php/cast.js'
import type { PostQuery, PostRow, Storage } from '../database/storage.js'
import { maxSlugLength, shortened } from './slug.js'
import type { WriteContext } from './write-context.js'

const suffix = '__trashed'
const desiredSlug = '_wp_desired_post_slug'
const statusBefore = '_wp_trash_meta_status'
const timeOfTrash = '_wp_trash_meta_time'

/** The slug a record has in the trash, where it is in nobody's way: `lamp__trashed`. */
export function slugInTrash(slug: string): string {
  return slug.endsWith(suffix) ? slug : shortened(slug, maxSlugLength - suffix.length) + suffix
}

/**
 * Keeps with a record that goes into the trash what it was, or takes these notes away when it comes out.
 * @returns the slug it should have now; undefined when nothing says.
 */
export async function moveByTrash(old: PostRow, status: string, context: WriteContext): Promise<string | undefined> {
  const { storage, clock } = context
  const { meta } = storage.posts
  if (status === 'trash' && old.post_status !== 'trash') {
    await meta.write(old.ID, statusBefore, old.post_status)
    await meta.write(old.ID, timeOfTrash, String(Math.floor(clock.now / 1000)))
    await keepDesiredSlug(old, storage)
    return slugInTrash(old.post_name)
  }
  if (status === 'trash' || old.post_status !== 'trash') return undefined
  const [desired] = await meta.read(old.ID, desiredSlug)
  for (const key of [statusBefore, timeOfTrash, desiredSlug]) await meta.remove(old.ID, key)
  return desired !== null && toBoolean(desired) ? desired : undefined
}

const slugOnly = { columns: ['post_name'], metaKeys: [] } as const

/** Records in the trash give up a slug that a living one wants; those of types that are not public keep theirs. */
export async function freeSlugInTrash(slug: string, exceptId: number, { storage, types }: WriteContext): Promise<void> {
  const inTrash: PostQuery = {
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
  const { rows: holders } = await storage.posts.list(inTrash, slugOnly)
  for (const { post } of holders) {
    const renamed = slugInTrash(post.post_name)
    if (post.ID === exceptId || renamed === post.post_name) continue
    await keepDesiredSlug(post, storage)
    await storage.posts.update(post.ID, { post_name: renamed })
  }
}

async function keepDesiredSlug(post: Pick<PostRow, 'ID' | 'post_name'>, storage: Storage): Promise<void> {
  if (!post.post_name.endsWith(suffix)) await storage.posts.meta.write(post.ID, desiredSlug, post.post_name)
}
