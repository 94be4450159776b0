import type { NewRecord, RecordChange, RecordQuery, StoredRecord } from './record.js'

/**
 * Where an application keeps its records: products, posts, anything with a title, a content and metadata. An abstract
 * class, so that it is a token at run time: `constructor(private readonly records = inject(RecordStore)) {}`.
 *
 * It behaves as WordPress's record functions do (slugs, dates, filters for callers without `unfiltered_html`,
 * metadata, permalinks; WIRE 11), except that text is stored exactly as given (DESIGN 3.6). It does not ask whether
 * the caller may do what he asks: that is the route's `permission`.
 */
export abstract class RecordStore {
  /** The record of any status; `null` when there is none. */
  abstract get(id: number): Promise<StoredRecord | null>
  abstract list(query: RecordQuery): Promise<readonly StoredRecord[]>
  /** How many records the query finds on all its pages. */
  abstract count(query: RecordQuery): Promise<number>
  /** @throws RecordRejected when the store refuses the record. */
  abstract insert(record: NewRecord): Promise<StoredRecord>
  /** @returns the record as it is now; `null` when there is none. @throws RecordRejected */
  abstract update(id: number, change: RecordChange): Promise<StoredRecord | null>
  /** Permanent. `false` when there was nothing to delete. */
  abstract delete(id: number): Promise<boolean>
}
