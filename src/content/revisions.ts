import type { PostQuery, PostRow } from '../database/storage.js'
import { Permalinks } from './permalinks.js'
import type { WriteContext } from './write-context.js'

const textColumns = ['post_title', 'post_content', 'post_excerpt'] as const

const textsOnly = { columns: textColumns, metaKeys: [] }

type Texts = Pick<PostRow, (typeof textColumns)[number]>

const newestFirst: PostQuery['order'] = [
  { by: 'date', direction: 'desc' },
  { by: 'id', direction: 'desc' },
]

/**
 * Stores the current texts of a changed record as a revision, unless the last revision has the same texts.
 * Rules: docs/wire.md#updating-a-record.
 */
export async function saveRevision(row: PostRow, context: WriteContext): Promise<void> {
  const { storage, types, site, caller } = context
  if (!types.get(row.post_type)?.supports.has('revisions') || row.post_status === 'auto-draft') return
  const query: PostQuery = { types: ['revision'], parent: row.ID, order: newestFirst, limit: 1, offset: 0 }
  const {
    rows: [last],
  } = await storage.posts.list(query, textsOnly)
  if (last && haveSameTexts(last.post, row)) return
  const { ID, ...columns } = row
  const revision = {
    ...columns,
    post_type: 'revision',
    post_status: 'inherit',
    post_name: `${ID}-revision-v1`,
    post_parent: ID,
    post_author: caller.id,
    post_date: row.post_modified,
    post_date_gmt: row.post_modified_gmt,
    comment_status: 'closed',
    ping_status: 'closed',
    post_password: '',
    menu_order: 0,
    comment_count: 0,
    guid: '',
  }
  const id = await storage.posts.insert(revision)
  const guid = await new Permalinks(storage, types, site, caller).linkOf({ ...revision, ID: id })
  await storage.posts.update(id, { guid })
}

function haveSameTexts(left: Texts, right: Texts): boolean {
  return textColumns.every((column) => left[column] === right[column])
}
