import type { PostRow, Storage } from '../database/storage.js'
import type { RecordStore } from './record-store.js'
import type { RecordTypes } from './record-types.js'

/** Types of WordPress that support authors and that no application declares. */
const templateTypes = ['wp_template', 'wp_template_part']

/** The types whose records are moved to the trash before they are deleted. */
const typesWithTrash = new Set(['post', 'page'])

/** Number of records per query. */
const batchSize = 200

/**
 * Deletes the records of a user who is deleted, as WordPress does: those of all types that support authors. Posts and pages are
 * moved to the trash. Those in the trash, and records of other types, are deleted. Runs in the current transaction. A test
 * compares the whole database with the one that WordPress leaves.
 */
export async function deleteRecordsOf(
  author: number,
  { records, storage, types }: { records: RecordStore; storage: Storage; types: RecordTypes },
): Promise<void> {
  const withAuthors = types.all().filter(({ supports }) => supports.has('author'))
  const query = {
    types: [...withAuthors.map(({ name }) => name), ...templateTypes],
    author,
    order: [{ by: 'id', direction: 'asc' }],
    limit: batchSize,
    offset: 0,
  } as const
  // All records are read before the first is changed: moving one to the trash may add a revision, which must stay.
  const posts: Pick<PostRow, 'ID' | 'post_type' | 'post_status'>[] = []
  for (let afterId = 0; ;) {
    const { rows } = await storage.posts.list(
      { ...query, afterId },
      { columns: ['ID', 'post_type', 'post_status'], metaKeys: [] },
    )
    posts.push(...rows.map(({ post }) => post))
    const last = rows.at(-1)
    if (last === undefined || rows.length < batchSize) break
    afterId = last.post.ID
  }
  for (const post of posts) await deleteOrTrash(post, records)
}

async function deleteOrTrash(
  { ID, post_type, post_status }: Pick<PostRow, 'ID' | 'post_type' | 'post_status'>,
  records: RecordStore,
): Promise<void> {
  if (typesWithTrash.has(post_type) && post_status !== 'trash') await records.update(ID, { status: 'trash' })
  else await records.delete(ID)
}
