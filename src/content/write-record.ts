import { isAssignableId } from '../database/id-limits.js'
import { lockName } from '../database/lock-name.js'
import { StorageError } from '../database/storage-error.js'
import type { MetaEntry, PostRow, PostWithMeta } from '../database/storage.js'
import { footnotesKey, storedFootnotes } from './footnotes.js'
import { serializedMeta, type SerializedMeta } from './meta.js'
import { convertedMeta, removedMetaKeys } from './meta-rules.js'
import { saveOldAddress } from './old-addresses.js'
import { isWide } from './narrow-texts.js'
import { Permalinks } from './permalinks.js'
import { RecordRejectedError, type NewRecord, type RecordChange } from './record.js'
import { ensureCategory, relateDefaultCategory, relateTerms } from './relate-terms.js'
import { saveRevision } from './revisions.js'
import type { Site } from './site.js'
import { changedRow, newRow, type NewRow } from './record-to-row.js'
import { chooseSlug, unusedSlug } from './choose-slug.js'
import { slugLock } from './slug.js'
import { updateTrashMeta } from './trash.js'
import type { WriteContext } from './write-context.js'

const maxGuidLength = 255

/**
 * Inserts a record with its metadata and terms, in the order of WordPress.
 * Rules: docs/wire.md#creating-a-record.
 * @returns the row and its metadata, equal to what a later read returns.
 * @throws RecordRejectedError
 */
export async function insertRecord(record: NewRecord, context: WriteContext): Promise<PostWithMeta> {
  const row = newRow(record, context)
  const meta = storableMeta(record.meta, row, context)
  const { id = 0, terms } = record
  const requestedId = id === 0 ? 0 : await checkedId(id, context)
  const slug = chooseSlug(row, { id: requestedId, requestedSlug: record.slug, currentSlug: '' }, context)
  row.post_name = slug instanceof Promise ? await slug : slug
  const entries = [...meta, ...publicationMeta(row, context.site)]
  const areNew = requestedId === 0 && areDistinctKeys(entries)
  const post = await insertRow(row, requestedId, areNew ? entries : [], context)
  if (post.post_type === 'post' && terms?.['category'] === undefined) await relateDefaultCategory(post, context)
  if (terms) await relateTerms(post, terms, context)
  if (context.shared) await context.shared.saved(post, null, context)
  if (areNew) return { post, meta: entries.map(metaEntryOf) }
  for (const [key, value] of entries) await context.storage.posts.meta.write(post.ID, key, value)
  return { post, meta: await context.storage.posts.meta.all(post.ID) }
}

/**
 * Inserts a published record of a flat type with one transaction in one round trip, where the storage supports it.
 * @returns as `insertRecord`; null when nothing was inserted, because the storage has no such transaction or the record needs
 *   more than one row with metadata and an unused slug. `insertRecord` then inserts it.
 * @throws RecordRejectedError
 */
export async function insertRecordAtOnce(record: NewRecord, context: WriteContext): Promise<PostWithMeta | null> {
  const { storage, types, site, caller, shared = null } = context
  const { posts } = storage
  const hasTerms = record.terms !== undefined && Object.keys(record.terms).length > 0
  if (posts.insertAtOnce === undefined || shared !== null || (record.id ?? 0) !== 0 || hasTerms) return null
  const row = newRow(record, context)
  // A post has a category, and metadata for scheduled tasks.
  if (row.post_type === 'post') return null
  const slug = unusedSlug(row, record.slug, context)
  if (slug === null) return null
  row.post_name = slug
  // The links of other statuses and types depend on the id or on related rows.
  const link = new Permalinks(storage, types, site, caller).linkWithoutId(row)
  if (link === null) return null
  row.guid = guidOf(link)
  const entries = storableMeta(record.meta, row, context)
  if (!areDistinctKeys(entries)) return null
  const meta = entries.map(metaEntryOf)
  const id = await posts.insertAtOnce(row, meta, slugLock(slug))
  return id === null ? null : { post: { ...row, ID: id }, meta }
}

/** The texts of metadata. @throws RecordRejectedError `invalid_meta_value` */
function storableMeta(
  meta: NewRecord['meta'],
  { post_type }: Pick<PostRow, 'post_type'>,
  context: WriteContext,
): SerializedMeta[] {
  const { types, shared = null } = context
  const converted = serializedMeta(convertedMeta(meta ?? {}, types.get(post_type)))
  const entries =
    meta?.[footnotesKey] === undefined
      ? converted
      : converted.map(
          ([key, value]) => [key, key === footnotesKey ? value && storedFootnotes(value, context) : value] as const,
        )
  const wide = shared?.narrowColumns.has('postmeta.meta_value')
    ? entries.find(([key, value]) => isWide(key) || isWide(value ?? ''))
    : undefined
  if (wide === undefined) return entries
  throw new RecordRejectedError(
    'invalid_meta_value',
    `The metadata ${wide[0]} has characters that the table cannot store, such as emoji: its columns store at most three bytes per character.`,
  )
}

const metaEntryOf = ([key, value]: SerializedMeta): MetaEntry => ({ key, value })

/**
 * Inserts a row with its permalink as `guid`. A second statement is needed only when the permalink contains the id.
 * @param requestedId 0 for the next id.
 * @param entries metadata that are inserted with it.
 */
function insertRow(
  row: NewRow,
  requestedId: number,
  entries: readonly SerializedMeta[],
  context: WriteContext,
): Promise<PostRow> {
  const { storage, types, site, caller } = context
  const permalinks = new Permalinks(storage, types, site, caller)
  const link = permalinks.linkWithoutId(row)
  row.guid = guidOf(link ?? '')
  const meta = entries.map(metaEntryOf)
  const inserted = requestedId > 0 ? insertWithId(row, requestedId, meta, context) : storage.posts.insert(row, meta)
  return inserted.then((id) => (link === null ? withLinkOfId(row, id, permalinks, context) : { ...row, ID: id }))
}

async function withLinkOfId(row: NewRow, id: number, permalinks: Permalinks, context: WriteContext): Promise<PostRow> {
  const post_name = row.post_name || (await chooseSlug(row, { id, requestedSlug: '', currentSlug: '' }, context))
  const guid = guidOf(await permalinks.linkOf({ ...row, ID: id, post_name }))
  await context.storage.posts.update(id, post_name === row.post_name ? { guid } : { post_name, guid })
  return { ...row, ID: id, post_name, guid }
}

/** A link that is too long for its column is left out. */
export function guidOf(link: string): string {
  return link.length > maxGuidLength ? '' : link
}

/**
 * Keys in ASCII. Two such keys are different in every database when they differ in lower case; databases compare other
 * keys by their own rules.
 */
const asciiKey = /^[\w-]+$/

/**
 * Whether the metadata of a record with a new id can be inserted without a search for rows of the same key. For a
 * requested id the search is needed: a deleted record may have left metadata under it.
 */
function areDistinctKeys(entries: readonly SerializedMeta[]): boolean {
  const keys = new Set(entries.map(([key]) => key.toLowerCase()))
  return keys.size === entries.length && entries.every(([key]) => asciiKey.test(key))
}

/**
 * Updates a record with its metadata and terms, in the order of WordPress. Rules: docs/wire.md#updating-a-record.
 * @throws RecordRejectedError
 */
export async function updateRecord(old: PostRow, change: RecordChange, context: WriteContext): Promise<void> {
  const { storage } = context
  const row = changedRow(old, change, context)
  const meta = storableMeta(change.meta, row, context)
  const parent = await parentWithoutCycle(row, old, context)
  const slugByTrash = await updateTrashMeta(old, row.post_status, context)
  const rowWithParent = { ...row, post_parent: parent }
  const requestedSlug = slugByTrash ? undefined : change.slug
  const currentSlug = slugByTrash ?? old.post_name
  const slug = await chooseSlug(rowWithParent, { id: old.ID, requestedSlug, currentSlug, old }, context)
  const post: PostRow = { ...rowWithParent, post_name: slug }
  const { ID: id } = post
  await storage.posts.update(id, differences(old, post))

  await relateTerms(row, change.terms ?? {}, context)
  if (change.terms?.['category'] === undefined) await ensureCategory(post, context)
  for (const key of removedMetaKeys(change, context.types.get(row.post_type))) await storage.posts.meta.remove(id, key)
  for (const [key, value] of meta) await storage.posts.meta.write(id, key, value)
  for (const [key, value] of publicationMeta(post, context.site)) await storage.posts.meta.write(id, key, value)
  if (post.guid === '' && post.post_status === 'publish' && old.post_status !== 'publish') {
    const { types, site, caller } = context
    await storage.posts.update(id, { guid: guidOf(await new Permalinks(storage, types, site, caller).linkOf(post)) })
  }
  await context.shared?.saved(post, old, context)
  await saveOldAddress(old, post, context)
  await saveRevision(post, context)
}

/** The columns that changed. A database rewrites the indexes of every column in an update, even for an equal value. */
function differences(old: PostRow, row: PostRow): Partial<Omit<PostRow, 'ID'>> {
  const columns = Object.keys(row) as (keyof PostRow)[]
  return Object.fromEntries(
    columns.filter((column) => row[column] !== old[column]).map((column) => [column, row[column]]),
  )
}

/** @throws RecordRejectedError when the id is invalid or a record has it. */
async function checkedId(id: number, { storage }: WriteContext): Promise<number> {
  const isAssignable = isAssignableId(id)
  if (isAssignable) await storage.lock([lockName('post', id)])
  if (!isAssignable || (await storage.posts.find(id)) !== null) throw refusedId(id)
  return id
}

/**
 * The lock of the id excludes other inserts that request this id, but not an insert that gets it as the next id.
 * @throws RecordRejectedError when another record has got the id meanwhile.
 */
async function insertWithId(
  row: NewRow,
  id: number,
  meta: readonly MetaEntry[],
  { storage }: WriteContext,
): Promise<number> {
  try {
    return await storage.posts.insert({ ...row, ID: id }, meta)
  } catch (error) {
    const isRefused = error instanceof StorageError && error.fault === 'constraint'
    if (isRefused && (await storage.posts.find(id)) !== null) throw refusedId(id)
    throw error
  }
}

const refusedId = (id: number): RecordRejectedError =>
  new RecordRejectedError('invalid_post_id', `The id ${id} is invalid or already used.`)

const parentOnly = { columns: ['post_parent'], metaKeys: [] } as const

/** The parent of a record, or 0 when the record is an ancestor of that parent. */
async function parentWithoutCycle(row: PostRow, old: PostRow, { storage }: WriteContext): Promise<number> {
  const ancestors = new Set<number>()
  for (let parent = row.post_parent; parent > 0 && !ancestors.has(parent);) {
    if (parent === row.ID) return 0
    ancestors.add(parent)
    // Otherwise another writer could move an ancestor below the record at the same time.
    if (row.post_parent !== old.post_parent) await storage.lock([lockName('post', parent)])
    const { rows } = await storage.posts.findWithMeta([parent], parentOnly)
    parent = rows[0]?.post.post_parent ?? 0
  }
  return row.post_parent
}

/** The metadata that tells WordPress's scheduled tasks about a published post: to send pings and to look up enclosures. */
export function publicationMeta(
  { post_type, post_status }: Pick<PostRow, 'post_type' | 'post_status'>,
  { sendsPingbacks }: Pick<Site, 'sendsPingbacks'>,
): SerializedMeta[] {
  if (post_type !== 'post' || post_status !== 'publish') return []
  return [...(sendsPingbacks ? [['_pingme', '1'] as const] : []), ['_encloseme', '1']]
}
