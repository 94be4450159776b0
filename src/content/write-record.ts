import { isAssignableId } from '../database/id-limits.js'
import type { MetaEntry, PostRow, PostWithMeta } from '../database/storage.js'
import { storedMeta, type StoredMeta } from './meta.js'
import { keepOldAddress } from './old-addresses.js'
import { Permalinks } from './permalinks.js'
import { RecordRejectedError, type NewRecord, type RecordChange } from './record.js'
import { keepInCategory, relateDefaultCategory, relateTerms } from './relate-terms.js'
import { keepRevision } from './revisions.js'
import { changedRow, newRow, type NewRow } from './record-to-row.js'
import { slugOf } from './choose-slug.js'
import { moveByTrash } from './trash.js'
import type { WriteContext } from './write-context.js'

const maxGuidLength = 255

/**
 * Stores a new record and what belongs to it.
 * Rules: docs/wire.md#creating-a-record.
 * @returns the row and its metadata, as a reader would find them. @throws RecordRejected.
 */
export async function insertRecord(record: NewRecord, context: WriteContext): Promise<PostWithMeta> {
  const row = newRow(record, context)
  const meta = storedMeta(record.meta ?? {})
  const known = await knownId(record.id, context)
  row.post_name = await slugOf(row, { id: known, given: record.slug, own: '' }, context)
  const post = await insertRow(row, known, context)
  if (record.terms?.['category'] === undefined) await relateDefaultCategory(post, context)
  await relateTerms(post, record.terms ?? {}, context)
  const entries = [...meta, ...notesOfPublication(post)]
  return { post, meta: await insertMeta(post.ID, entries, known > 0, context) }
}

/**
 * Stores a row with its permalink as its `guid`, at once if the link is known before there is an id.
 * @param known the id to keep; 0 for none.
 */
async function insertRow(row: NewRow, known: number, context: WriteContext): Promise<PostRow> {
  const { storage, types, site, caller } = context
  const permalinks = new Permalinks(storage, types, site, caller)
  const link = permalinks.linkWithoutId(row)
  row.guid = guidOf(link ?? '')
  const id = await storage.posts.insert(known > 0 ? { ...row, ID: known } : row)
  if (link !== null) return { ...row, ID: id }
  const post_name = row.post_name || (await slugOf(row, { id, given: '', own: '' }, context))
  const guid = guidOf(await permalinks.linkOf({ ...row, ID: id, post_name }))
  await storage.posts.update(id, post_name === row.post_name ? { guid } : { post_name, guid })
  return { ...row, ID: id, post_name, guid }
}

function guidOf(link: string): string {
  return link.length > maxGuidLength ? '' : link
}

/** Keys of which any two that differ in lower case are different to every database. */
const simpleKey = /^[\w-]+$/

/** @param mayHaveSome of an id that was given, rows may have been left behind. */
async function insertMeta(
  id: number,
  entries: readonly StoredMeta[],
  mayHaveSome: boolean,
  { storage }: WriteContext,
): Promise<readonly MetaEntry[]> {
  const { meta } = storage.posts
  const keys = new Set(entries.map(([key]) => key.toLowerCase()))
  if (mayHaveSome || keys.size < entries.length || !entries.every(([key]) => simpleKey.test(key))) {
    for (const [key, value] of entries) await meta.write(id, key, value)
    return meta.all(id)
  }
  for (const [key, value] of entries) await meta.add(id, key, value)
  return entries.map(([key, value]) => ({ key, value }))
}

/** Stores a changed record (docs/wire.md#updating-a-record). @throws RecordRejected. */
export async function updateRecord(old: PostRow, change: RecordChange, context: WriteContext): Promise<void> {
  const { storage } = context
  const row = changedRow(old, change, context)
  const meta = storedMeta(change.meta ?? {})
  const parent = await parentWithoutLoop(row, context)
  const moved = await moveByTrash(old, row.post_status, context)
  const placed = { ...row, post_parent: parent }
  const given = moved ? undefined : change.slug
  const slug = await slugOf(placed, { id: old.ID, given, own: moved ?? old.post_name }, context)
  const post: PostRow = { ...placed, post_name: slug }
  const { ID: id } = post
  await storage.posts.update(id, differences(old, post))

  await relateTerms(row, change.terms ?? {}, context)
  if (change.terms?.['category'] === undefined) await keepInCategory(post, context)
  for (const key of change.remove_meta ?? []) await storage.posts.meta.remove(id, key)
  for (const [key, value] of meta) await storage.posts.meta.write(id, key, value)
  await keepOldAddress(old, post, context)
  await keepRevision(post, context)
  for (const [key, value] of notesOfPublication(post)) await storage.posts.meta.write(id, key, value)
}

/** The columns that changed: a database writes each index again whose column it is given, even with the same value. */
function differences(old: PostRow, row: PostRow): Partial<Omit<PostRow, 'ID'>> {
  const columns = Object.keys(row) as (keyof PostRow)[]
  return Object.fromEntries(
    columns.filter((column) => row[column] !== old[column]).map((column) => [column, row[column]]),
  )
}

/** @returns 0 for none. */
async function knownId(id: number | undefined, { storage }: WriteContext): Promise<number> {
  if (id === undefined || id === 0) return 0
  if (!isAssignableId(id) || (await storage.posts.find(id)) !== null)
    throw new RecordRejectedError('invalid_post_id', `The id ${id} is taken or is no id.`)
  return id
}

/** A record cannot lie below itself: a parent that leads back to it counts as none. */
async function parentWithoutLoop(row: PostRow, { storage }: WriteContext): Promise<number> {
  const seen = new Set<number>()
  for (let parent = row.post_parent; parent > 0 && !seen.has(parent);) {
    if (parent === row.ID) return 0
    seen.add(parent)
    parent = (await storage.posts.find(parent))?.post_parent ?? 0
  }
  return row.post_parent
}

/** What WordPress's own scheduled tasks look for when a post is published: links to announce, media to look up. */
function notesOfPublication({ post_type, post_status }: PostRow): StoredMeta[] {
  if (post_type !== 'post' || post_status !== 'publish') return []
  return [
    ['_pingme', '1'],
    ['_encloseme', '1'],
  ]
}
