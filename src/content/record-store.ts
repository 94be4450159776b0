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
 * The store of an application's records: products, posts, anything with a title, a content and metadata. A handler class
 * injects it: `constructor(private readonly records = inject(RecordStore)) {}`.
 *
 * It behaves as WordPress's record functions do (slugs, dates, filters for callers without `unfiltered_html`, metadata,
 * permalinks), except that backslashes in texts are stored as given. It does not check what the caller may do:
 * that is the task of the route's `permission`.
 */
export abstract class RecordStore {
  declare static readonly [ownContract]: true
  /**
   * The record with this id, whatever its status; `null` when there is none.
   * `get(5, { fields: ['title', 'meta'], meta_keys: ['price'] })` reads only the title and the price.
   * @throws RangeError for an unknown field. @throws TypeError for an id that is not a number.
   */
  abstract get<const F extends RecordField = RecordField>(
    id: number,
    selection?: RecordSelection<F>,
  ): Promise<RecordWith<F> | null>
  /**
   * The records of one page. With `fields`, only these fields are read.
   * @throws RangeError for an unknown field. @throws TypeError for a value of a wrong type.
   */
  abstract list<const F extends RecordField = RecordField>(
    query: RecordQuery & RecordSelection<F>,
  ): Promise<readonly RecordWith<F>[]>
  /** The number of records on all pages of the query. @throws TypeError for a value of a wrong type. */
  abstract count(query: RecordQuery): Promise<number>
  /** @returns the stored record. @throws RecordRejectedError when the store refuses the record. */
  abstract insert(record: NewRecord): Promise<StoredRecord>
  /** @returns the changed record; `null` when there is none with this id. @throws RecordRejectedError */
  abstract update(id: number, change: RecordChange): Promise<StoredRecord | null>
  /** Deletes a record permanently. @returns `false` when there is none with this id. */
  abstract delete(id: number): Promise<boolean>
}
