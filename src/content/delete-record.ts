import type { PostQuery, PostRow } from '../database/storage.js'
import type { WriteContext } from './write-context.js'

const idOnly = { columns: ['ID'], metaKeys: [] } as const

/** Number of revisions per query. Those of a query are deleted, so the next query omits them. */
const batchSize = 10

/**
 * Deletes a record permanently, with its metadata, terms and revisions. Its attachments, and its child records when its
 * type is hierarchical, are not deleted: they get its parent as their parent.
 * Rules: docs/wire.md#deleting-a-record.
 * @returns whether the row existed.
 */
export async function deleteRecord(row: PostRow, context: WriteContext): Promise<boolean> {
  const { storage, types, shared = null } = context
  const { posts } = storage
  const { ID: id } = row
  const movedTypes = new Set(['attachment', ...(types.get(row.post_type)?.hierarchical ? [row.post_type] : [])])
  // Damaged data may name the record itself as its parent.
  await posts.moveChildren({ from: id, to: row.post_parent === id ? 0 : row.post_parent, types: [...movedTypes] })
  const order = [{ by: 'id', direction: 'asc' }] as const
  const revisions: PostQuery = { types: ['revision'], parent: id, order, limit: batchSize, offset: 0 }
  for (;;) {
    const { rows } = await posts.list(revisions, idOnly)
    const others = rows.filter(({ post }) => post.ID !== id)
    if (others.length === 0) break
    for (const { post } of others) await posts.delete(post.ID)
  }
  const isDeleted = await posts.delete(id)
  if (isDeleted) await shared?.deleted(row, context)
  return isDeleted
}
