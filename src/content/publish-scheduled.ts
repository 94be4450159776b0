import { lockName } from '../database/lock-name.js'
import type { ScheduledPost } from '../database/scheduled-rows.js'
import type { PostRow, Storage } from '../database/storage.js'
import { chooseSlug } from './choose-slug.js'
import type { CommitHooks } from './commit-hooks.js'
import { recordInside, type CommittedChange } from './committed-change.js'
import { Permalinks } from './permalinks.js'
import { ensureCategory } from './relate-terms.js'
import type { WriteContext } from './write-context.js'
import { guidOf, publicationMeta } from './write-record.js'

/** Maximum number of records that are published at the same time. Those of one group mostly share a commit. */
const maxGroup = 50

export interface DueRecords {
  /** The UTC date by which they are due. */
  readonly until: string
  /** The record after which they begin; null for all. */
  readonly after: ScheduledPost | null
  /** Called between two groups. True ends the publication. */
  readonly isStopped: () => boolean
  /** Null: nothing is called after the publication. */
  readonly hooks: CommitHooks | null
}

/**
 * Publishes the records that are due, each in a write of its own, so that one that the database refuses keeps no other back.
 * Records that another process publishes at the same time are left to it.
 * @param contextIn the context of a write in this storage.
 * @throws the first error, after all other records were published.
 */
export async function publishDue(
  storage: Storage,
  contextIn: (storage: Storage) => WriteContext,
  { until, after, isStopped, hooks }: DueRecords,
): Promise<void> {
  const errors: unknown[] = []
  let last = after
  do {
    const due: readonly ScheduledPost[] = await storage.posts.scheduled.due(until, last, maxGroup)
    const publications = due.map(async ({ id }) => {
      const change = await storage.write((transaction) => publishScheduled(id, until, contextIn(transaction), hooks))
      if (change !== null) hooks?.committed([change])
    })
    for (const outcome of await Promise.allSettled(publications))
      if (outcome.status === 'rejected' && errors.length === 0) errors.push(outcome.reason)
    last = due.length === maxGroup ? (due.at(-1) ?? null) : null
  } while (last !== null && !isStopped())
  if (errors.length > 0) throw errors[0]
}

/**
 * Publishes a record as WordPress's `wp_publish_post` does: its dates stay. Rules: docs/wire.md#scheduled-records.
 * @returns the change, for a record whose type has `after_commit`; else null.
 */
async function publishScheduled(
  id: number,
  until: string,
  context: WriteContext,
  hooks: CommitHooks | null,
): Promise<CommittedChange | null> {
  const { posts } = context.storage
  await context.storage.lock([lockName('post', id)])
  const before = hooks && (await recordInside(id, context))
  if (!(await posts.scheduled.publish(id, until))) return null
  const row = await posts.find(id)
  if (row === null) return null
  await ensureCategory(row, context)
  await completeAddress(row, context)
  for (const [key, value] of publicationMeta(row, context.site)) await posts.meta.write(id, key, value)
  if (before === null || !hooks?.isDeclaredFor(row.post_type)) return null
  const record = await recordInside(id, context)
  return record && { kind: 'updated', record, before }
}

/** A slug and a guid for a record that another program has stored without them. */
async function completeAddress(row: PostRow, context: WriteContext): Promise<void> {
  const { storage, types, site, caller } = context
  const slug = { id: row.ID, requestedSlug: undefined, currentSlug: '' }
  const post_name = row.post_name || (await chooseSlug(row, slug, context))
  const link = row.guid === '' ? new Permalinks(storage, types, site, caller).linkOf({ ...row, post_name }) : null
  const guid = link === null ? row.guid : guidOf(await link)
  if (post_name !== row.post_name || guid !== row.guid) await storage.posts.update(row.ID, { post_name, guid })
}
