import type { PostRow } from '../storage/storage.js'
import { storedMeta } from './meta.js'
import { keepOldSlug } from './old-slugs.js'
import { Permalinks } from './permalinks.js'
import { RecordRejected, type NewRecord, type RecordChange } from './record.js'
import { relateDefaultCategory, relateTerms } from './relate-terms.js'
import { keepRevision } from './revisions.js'
import { changedRow, newRow } from './row-of.js'
import { slugOf } from './slug-of.js'
import { moveByTrash } from './trash.js'
import type { WriteContext } from './write-context.js'

const longestGuid = 255

/** Stores a new record and what belongs to it. @returns its id. @throws RecordRejected. Source: WIRE 11.5. */
export async function insertRecord(record: NewRecord, context: WriteContext): Promise<number> {
  const { storage, types, site, caller } = context
  const row = newRow(record, context)
  const meta = storedMeta(record.meta ?? {})
  const known = await knownId(record.id, context)
  const slug = await slugOf({ ...row, ...known }, record.slug, '', context)
  const id = await storage.posts.insert({ ...row, ...known, post_name: slug })
  const stored: PostRow = { ...row, ID: id, post_name: slug || (await slugOf({ ...row, ID: id }, '', '', context)) }

  const guid = await new Permalinks(storage, types, site, caller).linkOf(stored)
  await storage.posts.update(id, { post_name: stored.post_name, guid: guid.length > longestGuid ? '' : guid })
  if (record.terms?.['category'] === undefined) await relateDefaultCategory(stored, context)
  await relateTerms(stored, record.terms ?? {}, context)
  for (const [key, value] of meta) await storage.posts.meta.write(id, key, value)
  await notePublication(stored, context)
  return id
}

/** Stores a changed record. @throws RecordRejected. Source: WIRE 11.6. */
export async function updateRecord(old: PostRow, change: RecordChange, context: WriteContext): Promise<void> {
  const { storage } = context
  const row = changedRow(old, change, context)
  const meta = storedMeta(change.meta ?? {})
  const parent = await parentWithoutLoop(row, context)
  const moved = await moveByTrash(old, row.post_status, context)
  const slug = await slugOf(
    { ...row, post_parent: parent },
    moved === undefined ? change.slug : undefined,
    moved ?? old.post_name,
    context,
  )
  const { ID: id, ...stored }: PostRow = { ...row, post_parent: parent, post_name: slug }
  await storage.posts.update(id, stored)

  await relateTerms(row, change.terms ?? {}, context)
  for (const key of change.remove_meta ?? []) await storage.posts.meta.remove(id, key)
  for (const [key, value] of meta) await storage.posts.meta.write(id, key, value)
  await keepOldSlug(old, { ...stored, ID: id }, context)
  await keepRevision({ ...stored, ID: id }, context)
  await notePublication({ ...stored, ID: id }, context)
}

async function knownId(id: number | undefined, { storage }: WriteContext): Promise<{ ID?: number }> {
  if (id === undefined || id === 0) return {}
  if (!Number.isSafeInteger(id) || id < 0 || (await storage.posts.find(id)) !== null)
    throw new RecordRejected('invalid_post_id', `The id ${id} is taken or is no id.`)
  return { ID: id }
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
async function notePublication({ ID, post_type, post_status }: PostRow, { storage }: WriteContext): Promise<void> {
  if (post_type !== 'post' || post_status !== 'publish') return
  await storage.posts.meta.write(ID, '_pingme', '1')
  await storage.posts.meta.write(ID, '_encloseme', '1')
}
