import type { PostQuery, PostRow } from '../database/storage.js'
import type { WriteContext } from './write-context.js'

const idOnly = { columns: ['ID'], metaKeys: [] } as const

/** How many rows are read at a time; what is dealt with no longer answers the question. */
const batch = 10

/**
 * Deletes a record for good, with its metadata, terms and revisions. What lay below it goes to its parent: records of
 * its own hierarchical type, and attachments, which are never deleted with it.
 * Rules: docs/wire.md#deleting-a-record.
 */
export async function deleteRecord(row: PostRow, { storage, types }: WriteContext): Promise<boolean> {
  const { posts } = storage
  const reparented = new Set(['attachment', ...(types.get(row.post_type)?.hierarchical ? [row.post_type] : [])])
  const parent = row.post_parent === row.ID ? 0 : row.post_parent

  const eachBelow = async (kinds: readonly string[], handle: (id: number) => Promise<unknown>): Promise<void> => {
    const order = [{ by: 'id', direction: 'asc' }] as const
    const question: PostQuery = { types: kinds, parent: row.ID, order, limit: batch, offset: 0 }
    for (;;) {
      const found = (await posts.list(question, idOnly)).rows.filter(({ post }) => post.ID !== row.ID)
      if (found.length === 0) return
      for (const { post } of found) await handle(post.ID)
    }
  }

  await eachBelow([...reparented], (id) => posts.update(id, { post_parent: parent }))
  await eachBelow(['revision'], (id) => posts.delete(id))
  return posts.delete(row.ID)
}
