import type { PostQuery, PostRow } from '../database/storage.js'
import type { WriteContext } from './write-context.js'

const idOnly = { columns: ['ID'], metaKeys: [] } as const

/** Number of child rows per query. A processed row is deleted or has another parent, so the next query omits it. */
const batchSize = 10

/**
 * Deletes a record permanently, with its metadata, terms and revisions. Its attachments, and its child records when its
 * type is hierarchical, are not deleted: they get its parent as their parent.
 * Rules: docs/wire.md#deleting-a-record.
 * @returns whether the row existed.
 */
export async function deleteRecord(row: PostRow, { storage, types }: WriteContext): Promise<boolean> {
  const { posts } = storage
  const reparentedTypes = new Set(['attachment', ...(types.get(row.post_type)?.hierarchical ? [row.post_type] : [])])
  // Damaged data may name the record itself as its parent.
  const parent = row.post_parent === row.ID ? 0 : row.post_parent

  const forEachChild = async (
    childTypes: readonly string[],
    handle: (id: number) => Promise<unknown>,
  ): Promise<void> => {
    const order = [{ by: 'id', direction: 'asc' }] as const
    const query: PostQuery = { types: childTypes, parent: row.ID, order, limit: batchSize, offset: 0 }
    for (;;) {
      const { rows } = await posts.list(query, idOnly)
      const children = rows.filter(({ post }) => post.ID !== row.ID)
      if (children.length === 0) return
      for (const { post } of children) await handle(post.ID)
    }
  }

  await forEachChild([...reparentedTypes], (id) => posts.update(id, { post_parent: parent }))
  await forEachChild(['revision'], (id) => posts.delete(id))
  return posts.delete(row.ID)
}
