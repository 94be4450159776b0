import type { ownContract } from '../base/complaint.js'
import type { Enqueued, Job } from './job.js'
import type { RecordCondition } from './record-condition.js'
import type { MetaKey, RecordTypeName } from './registered.js'
import type {
  NewRecord,
  RecordChange,
  RecordField,
  RecordQuery,
  RecordSelection,
  RecordWith,
  StoredRecord,
} from './record.js'

/** The selection of a single record: its type and the fields to read. */
export interface SingleSelection<
  T extends RecordTypeName = RecordTypeName,
  F extends RecordField = RecordField,
  Key extends string = string,
> extends RecordSelection<F, Key> {
  /** A record of another type is not found. Default: any type. */
  readonly type?: T | readonly T[] | undefined
  /** In a transaction: no other writer changes the record until the transaction ends. Default false. */
  readonly lock?: boolean | undefined
}

/** The number of records that `each` reads at once. */
const recordsAtOnce = 200

/** The fields of a query that `each` does not have. */
const fieldsOfPages = ['orderby', 'order', 'page', 'per_page'] as const

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
   * `get(5, { type: 'product' })` is null for a record of another type as well.
   * `get(5, { fields: ['title', 'meta'], meta_keys: ['price'] })` reads only the title and the price.
   * @throws RangeError for an unknown field. @throws TypeError for an id that is not a number.
   * @throws UndeclaredNameError for a type or a key of metadata that is not declared.
   * @throws StorageError `transaction` for `lock` outside a transaction.
   */
  abstract get<
    const T extends RecordTypeName = RecordTypeName,
    const F extends RecordField = RecordField,
    const Key extends MetaKey<T> = MetaKey<T>,
  >(id: number, selection?: SingleSelection<T, F, Key>): Promise<RecordWith<F, T, Key> | null>
  /**
   * The records of one page. With `fields`, only these fields are read.
   * @throws RangeError for an unknown field. @throws TypeError for a value of a wrong type.
   * @throws UndeclaredNameError for a type, a status, a taxonomy, an order or a key of metadata that is not declared.
   */
  abstract list<
    const T extends RecordTypeName = RecordTypeName,
    const F extends RecordField = RecordField,
    const Key extends MetaKey<T> = MetaKey<T>,
  >(query: RecordQuery<T> & RecordSelection<F, Key>): Promise<readonly RecordWith<F, T, Key>[]>
  /** The number of records on all pages of the query. @throws as `list`. */
  abstract count<const T extends RecordTypeName = RecordTypeName>(query: RecordQuery<T>): Promise<number>
  /**
   * The records of one page, and the number of records on all pages: for `response.paginate(request, total)`.
   * @throws as `list`.
   */
  async page<
    const T extends RecordTypeName = RecordTypeName,
    const F extends RecordField = RecordField,
    const Key extends MetaKey<T> = MetaKey<T>,
  >(
    query: RecordQuery<T> & RecordSelection<F, Key>,
  ): Promise<{ readonly records: readonly RecordWith<F, T, Key>[]; readonly total: number }> {
    const [records, total] = await Promise.all([this.list(query), this.count(query)])
    return { records, total }
  }
  /**
   * All records of the query, by ascending id: `for await (const { title } of records.each({ type: 'book' }))`. They are read
   * 200 at a time, so memory does not grow with their number. `after_id` leaves out records with this id or a smaller one. A
   * record that is inserted, changed or deleted during the iteration may be left out, or be in its old or new state; none
   * comes twice.
   * @throws as `list`, when the first record is read, and TypeError for an order or a page.
   */
  async *each<
    const T extends RecordTypeName = RecordTypeName,
    const F extends RecordField = RecordField,
    const Key extends MetaKey<T> = MetaKey<T>,
  >(
    query: RecordQuery<T> &
      RecordSelection<F, Key> & {
        readonly [Field in (typeof fieldsOfPages)[number]]?: undefined
      },
  ): AsyncGenerator<RecordWith<F, T, Key>, void, undefined> {
    for (const field of fieldsOfPages)
      if ((query as RecordQuery)[field] != null)
        throw new TypeError(
          `records.each reads all records by ascending id: leave out '${field}'. records.list takes an order and a page.`,
        )
    for (let afterId = query.after_id ?? 0; ;) {
      const records: readonly RecordWith<F, T, Key>[] = await this.list<T, F, Key>({
        ...query,
        after_id: afterId,
        orderby: 'id',
        order: 'asc',
        page: 1,
        per_page: recordsAtOnce,
      })
      yield* records
      const last = records.at(-1)
      if (last === undefined || records.length < recordsAtOnce) return
      afterId = (last as { readonly id: number }).id
    }
  }
  /**
   * Inserts a record.
   * @returns the stored record.
   * @throws RecordRejectedError when the store refuses the record, such as for metadata against its rules.
   * @throws UndeclaredNameError for a type, a status or a key of metadata that is not declared.
   * @throws TypeError for a field that does not exist.
   */
  abstract insert<const T extends RecordTypeName = 'post'>(record: NewRecord<T>): Promise<StoredRecord<T>>
  /**
   * Changes fields of a record; the others keep their values.
   * `update(5, { title: 'Tea' }, { if_unchanged: record })` changes only a record that is as it was read.
   * @returns the changed record; `null` when there is none with this id.
   * @throws RecordRejectedError, UndeclaredNameError, TypeError as `insert`. TypeError also for a condition without fields.
   * @throws RecordConflictError when the record does not meet the condition. Nothing was changed.
   */
  abstract update<const T extends RecordTypeName = RecordTypeName>(
    id: number,
    change: RecordChange<T>,
    condition?: RecordCondition<T>,
  ): Promise<StoredRecord<T> | null>
  /**
   * Deletes a record permanently. `delete(5, { if: { status: 'trash' } })` deletes only a record in the trash.
   * @returns `false` when there is none with this id.
   * @throws RecordConflictError when the record does not meet the condition. Nothing was deleted.
   */
  abstract delete(id: number, condition?: RecordCondition): Promise<boolean>
  /**
   * Runs `work` so that all or none of its writes are stored, isolated from all other writers. The calls to records, `Terms`,
   * `Users` and `SiteOptions` that `work` makes take part, also those of other services that it calls. `work` must await
   * them all. An error of `work` undoes its writes and is thrown again.
   *
   * After a conflict with another writer, `work` runs again from the beginning, so it must have no other effects: send
   * mails and call other services after the transaction. A transaction in a transaction is a part of the outer one; an error
   * undoes its own writes.
   * @returns what `work` returns, once it is durable.
   * @throws StorageError `busy`, a 503, when conflicts persist; `transaction`, a 500, when `work` ends before a write
   *   that it has started, or takes more than 30 seconds.
   */
  abstract transaction<T>(work: (records: RecordStore) => Promise<T>): Promise<T>
  /**
   * Stores a job, which a process runs when it is due: `enqueue(sendTicket, { order: 5 }, { delay: 60 })`. In a transaction
   * it is stored with the other writes, or not at all. It runs at least once, also when processes are killed.
   * @param job a value of `job(…)`, or its name. The option `jobs` must list it.
   * @param payload JSON, at most 65,536 bytes, then the options: `delay` in seconds, or `run_at`.
   * @returns the id of the job.
   * @throws RangeError for a job that is not listed, and for a payload or a time that cannot be stored.
   */
  abstract enqueue<Payload>(job: Job<Payload> | string, ...payload: Enqueued<Payload>): Promise<number>
}
