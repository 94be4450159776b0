import type { PostQuery, PostRow } from '../database/storage.js'
import { Permalinks } from './permalinks.js'
import type { WriteContext } from './write-context.js'

const texts = ['post_title', 'post_content', 'post_excerpt'] as const

const textsOnly = { columns: texts, metaKeys: [] }

type Texts = Pick<PostRow, (typeof texts)[number]>

const newestFirst: PostQuery['order'] = [
  { by: 'date', direction: 'desc' },
  { by: 'id', direction: 'desc' },
]

/** Keeps what a changed record says now, unless the last revision says the same (docs/wire.md#updating-a-record). */
export async function keepRevision(row: PostRow, context: WriteContext): Promise<void> {
  const { storage, types, site, caller } = context
  if (!types.get(row.post_type)?.supports.has('revisions') || row.post_status === 'auto-draft') return
  const newest: PostQuery = { types: ['revision'], parent: row.ID, order: newestFirst, limit: 1, offset: 0 }
  const {
    rows: [last],
  } = await storage.posts.list(newest, textsOnly)
  if (last && saysTheSame(last.post, row)) return
  const { ID, ...copied } = row
  const revision = {
    ...copied,
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

function saysTheSame(left: Texts, right: Texts): boolean {
  return texts.every((column) => left[column] === right[column])
}
