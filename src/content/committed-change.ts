import type { Site } from './site.js'
import type { Storage } from '../database/storage.js'
import type { Caller } from '../http/caller.js'
import { Permalinks } from './permalinks.js'
import { wholeRecord } from './record-reading.js'
import type { RecordTypes } from './record-types.js'
import type { StoredRecord } from './record.js'

/** The change that a write has made to a record of a type with `after_commit`. */
export type CommittedChange =
  | { readonly kind: 'inserted'; readonly record: StoredRecord }
  | { readonly kind: 'updated'; readonly record: StoredRecord; readonly before: StoredRecord }
  | { readonly kind: 'deleted'; readonly record: StoredRecord }

/** The net changes of one transaction: at most one for each record, in the order of the first writes. */
export function netChanges(changes: readonly CommittedChange[]): readonly CommittedChange[] {
  const byId = new Map<number, CommittedChange | null>()
  for (const change of changes) {
    const { id } = change.record
    const earlier = byId.get(id) ?? null
    byId.set(id, earlier === null ? change : combined(earlier, change))
  }
  return [...byId.values()].filter((change) => change !== null)
}

/** @returns null when the record is neither before nor after both. */
function combined(first: CommittedChange, second: CommittedChange): CommittedChange | null {
  const { record } = second
  if (first.kind === 'inserted') return second.kind === 'deleted' ? null : { kind: 'inserted', record }
  const before = first.kind === 'updated' ? first.before : first.record
  return second.kind === 'deleted' ? second : { kind: 'updated', record, before }
}

/** A record as it is in a transaction; null when there is none. */
export async function recordInside(
  id: number,
  { storage, types, site, caller }: ReadContext,
): Promise<StoredRecord | null> {
  const { rows } = await storage.posts.findWithMeta([id], wholeRecord.rows)
  const [row] = rows
  if (row === undefined) return null
  return wholeRecord.recordOf(row, await new Permalinks(storage, types, site, caller).linkOf(row.post), types)
}

interface ReadContext {
  readonly storage: Storage
  readonly types: RecordTypes
  readonly site: Site
  readonly caller: Caller
}
