import type { ownContract } from '../base/complaint.js'
import type {
  NewRecord,
  RecordChange,
  RecordField,
  RecordQuery,
  RecordSelection,
  RecordWith,
  StoredRecord,
} from './record.js'

/**
 * Where an application keeps its records: products, posts, anything with a title, a content and metadata. An abstract
 * class, so that it is a token at run time: `constructor(private readonly records = inject(RecordStore)) {}`.
 *
 * It behaves as WordPress's record functions do (slugs, dates, filters for callers without `unfiltered_html`, metadata,
 * permalinks), except that backslashes in texts are stored as given. It does not ask whether the caller may do what he
 * asks: that is the route's `permission`.
 */
export abstract class RecordStore {
  declare static readonly [ownContract]: true
  /**
   * The record of any status; `null` when there is none. `get(5, { fields: ['title', 'meta'], meta_keys: ['price'] })`
   * reads no more than that.
   * @throws RangeError for a field that no record has, TypeError for an id that is no number.
   */
  abstract get<const F extends RecordField = RecordField>(
    id: number,
    selection?: RecordSelection<F>,
  ): Promise<RecordWith<F> | null>
  /**
   * The records of one page. With `fields`, only these are read of each.
   * @throws RangeError for a field that no record has, TypeError for a value of a type that no query takes.
   */
  abstract list<const F extends RecordField = RecordField>(
    query: RecordQuery & RecordSelection<F>,
  ): Promise<readonly RecordWith<F>[]>
  /** How many records the query finds on all its pages. @throws TypeError for a value of a type that no query takes. */
  abstract count(query: RecordQuery): Promise<number>
  /** @throws RecordRejectedError when the store refuses the record. */
  abstract insert(record: NewRecord): Promise<StoredRecord>
  /** @returns the record as it is now; `null` when there is none. @throws RecordRejectedError */
  abstract update(id: number, change: RecordChange): Promise<StoredRecord | null>
  /** Permanent. `false` when there was nothing to delete. */
  abstract delete(id: number): Promise<boolean>
}
