import type { PostQuery, PostRow, Storage } from '../database/storage.js'
import { phpTrim } from '../php/trim.js'
import { footnotesKey, storedFootnotes } from './footnotes.js'
import { Permalinks } from './permalinks.js'
import type { WriteContext } from './write-context.js'

const textColumns = ['post_title', 'post_content', 'post_excerpt'] as const

const comparedOnly = { columns: ['ID', ...textColumns, 'post_name'], metaKeys: [] } as const

/**
 * The `db_version` of WordPress 6.4, the first that has footnotes in revisions, for posts and pages. Metadata that plugins keep in
 * revisions (`revisions_enabled`) is not known here.
 */
const firstWithMeta = 56_657

/** The `db_version` of WordPress 6.5, the first that has them for each type with `editor` and `custom-fields`. */
const firstForAllTypes = 57_155

type Texts = Pick<PostRow, (typeof textColumns)[number]>

const newestFirst: PostQuery['order'] = [
  { by: 'date', direction: 'desc' },
  { by: 'id', direction: 'desc' },
]

/**
 * Stores the current texts of a changed record as a revision, unless the last revision differs in white space at most. Automatic
 * drafts of the editor are not compared. In the tables of a WordPress from 6.4 on, revisions can have the footnotes of the record as well.
 * Rules: docs/wire.md#updating-a-record.
 */
export async function saveRevision(row: PostRow, context: WriteContext): Promise<void> {
  const { storage, types, site, caller, revisions: maxRevisions = -1 } = context
  if (!types.get(row.post_type)?.supports.has('revisions') || row.post_status === 'auto-draft' || maxRevisions === 0)
    return
  const last = await lastRevision(row.ID, storage)
  const footnotes = await footnotesOf(row, context)
  if (last !== null && haveSameTexts(last, row) && (await haveSameFootnotes(last.ID, footnotes, storage))) return
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
    to_ping: '',
    pinged: '',
    post_content_filtered: '',
    post_mime_type: '',
    menu_order: 0,
    comment_count: 0,
    guid: '',
  }
  const id = await storage.posts.insert(revision)
  const guid = await new Permalinks(storage, types, site, caller).linkOf({ ...revision, ID: id })
  await storage.posts.update(id, { guid })
  for (const value of footnotes.isRevisioned ? footnotes.values : [])
    await storage.posts.meta.add(id, footnotesKey, value && storedFootnotes(value, context))
  if (maxRevisions > 0) await deleteOldest(row.ID, maxRevisions, storage)
}

interface Footnotes {
  readonly values: readonly (string | null)[]
  /** Whether revisions of the type have them. */
  readonly isRevisioned: boolean
}

/** The footnotes of a record; none where revisions are not compared by them. */
async function footnotesOf(
  { ID, post_type }: PostRow,
  { storage, types, site, shared }: WriteContext,
): Promise<Footnotes> {
  if (!shared || site.dbVersion < firstWithMeta) return { values: [], isRevisioned: false }
  const isRevisioned =
    site.dbVersion >= firstForAllTypes
      ? ['editor', 'custom-fields'].every((support) => types.get(post_type)?.supports.has(support))
      : ['post', 'page'].includes(post_type)
  return { values: await storage.posts.meta.read(ID, footnotesKey), isRevisioned }
}

/** Where revisions have no footnotes, WordPress still compares them: each update of a record with footnotes makes a revision. */
async function haveSameFootnotes(
  revision: number,
  { values, isRevisioned }: Footnotes,
  { posts }: Storage,
): Promise<boolean> {
  if (values.length === 0 && !isRevisioned) return true
  const last = await posts.meta.read(revision, footnotesKey)
  if (!isRevisioned) return withoutExtraSpace(last[0] ?? '') === withoutExtraSpace(values[0] ?? '')
  return last.length === values.length && last.every((value, index) => value === values[index])
}

/** @returns null when there is none. Automatic drafts of the editor are skipped. Each user has at most one, so the loop is short. */
async function lastRevision(id: number, { posts }: Storage): Promise<(Texts & Pick<PostRow, 'ID'>) | null> {
  for (let offset = 0; ; offset += 1) {
    const query: PostQuery = { types: ['revision'], parent: id, order: newestFirst, limit: 1, offset }
    const {
      rows: [row],
    } = await posts.list(query, comparedOnly)
    if (row === undefined) return null
    if (row.post.post_name.includes(`${id}-revision`)) return row.post
  }
}

const oldestFirst: PostQuery['order'] = [
  { by: 'date', direction: 'asc' },
  { by: 'id', direction: 'asc' },
]

/** Number of revisions per query. */
const batchSize = 100

/** Deletes the oldest revisions beyond a number. Automatic drafts of the editor count, and stay. */
async function deleteOldest(id: number, maxRevisions: number, { posts }: Storage): Promise<void> {
  const query: PostQuery = { types: ['revision'], parent: id, order: oldestFirst, limit: batchSize, offset: 0 }
  const surplus = (await posts.count(query)) - maxRevisions
  const old: number[] = []
  for (let offset = 0; offset < surplus; offset += batchSize) {
    const limit = Math.min(batchSize, surplus - offset)
    const { rows } = await posts.list({ ...query, limit, offset }, { columns: ['ID', 'post_name'], metaKeys: [] })
    old.push(...rows.filter(({ post }) => !post.post_name.includes('autosave')).map(({ post }) => post.ID))
  }
  for (const revision of old) await posts.delete(revision)
}

function haveSameTexts(left: Texts, right: Texts): boolean {
  return textColumns.every((column) => withoutExtraSpace(left[column]) === withoutExtraSpace(right[column]))
}

/** WordPress's `normalize_whitespace`. */
function withoutExtraSpace(text: string): string {
  return phpTrim(text)
    .replace(/[\r\n]+/g, '\n')
    .replace(/[ \t]+/g, ' ')
}
