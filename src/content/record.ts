import type { DateQuery } from './date-query.js'
import type { MetaQuery } from './meta-query.js'
import type { MetaKey, NewMeta, RecordStatus, RecordTypeName, StoredMeta, TaxonomyOf } from './registered.js'
import type { TaxQuery } from './tax-query.js'
import type { Where } from './where.js'
import { RejectedError } from '../http/rejected-error.js'
import type { OrderColumn } from '../database/storage.js'

/**
 * A record: a row of the table `posts` with its metadata. Of several types it is a union: the test
 * `record.type === 'product'` tells the compiler which metadata it has.
 */
export type StoredRecord<T extends RecordTypeName = RecordTypeName> = T extends unknown
  ? RecordFields<T, MetaKey<T>>
  : never

/** The fields of a record of one type. */
export interface RecordFields<T extends RecordTypeName, Key> {
  readonly id: number
  /** `post`, `page`, or a type of the application, such as `product`. */
  readonly type: T
  /** `publish`, `draft`, `pending`, `private`, `future`, `trash`, `auto-draft`, `inherit`, or one that the type declares. */
  readonly status: RecordStatus<T>
  readonly title: string
  readonly content: string
  readonly excerpt: string
  readonly slug: string
  /** The id of its author; 0 for none. */
  readonly author: number
  /** The id of its parent; 0 for none. */
  readonly parent: number
  /** In the time zone of the site, `YYYY-MM-DDTHH:MM:SS`. */
  readonly date: string
  /** UTC, `YYYY-MM-DDTHH:MM:SS`. */
  readonly modified: string
  /**
   * The absolute permalink. A private record has a plain permalink (`?p=5`) for a caller who may not read it, as in
   * WordPress.
   */
  readonly link: string
  /**
   * Whether readers need a password (`password` of a new record). The store returns content and excerpt in any case: a
   * handler must show them only where `await request.requiresPassword(record)` is false.
   */
  readonly isProtected: boolean
  /**
   * The first value of each metadata key. The value of a registered key has its registered type. The value of another key
   * is the one that WordPress returns: a text, or the stored list or map.
   */
  readonly meta: StoredMeta<T, Key>
}

export type RecordField = keyof RecordFields<RecordTypeName, string>

/** The fields and metadata that are read. Leaving out unneeded ones, above all `content`, makes a read faster. */
export interface RecordSelection<F extends RecordField = RecordField, Key extends string = string> {
  /** `id` is always read. Default: all fields. */
  readonly fields?: readonly F[]
  /**
   * The metadata keys that are read, in the stored spelling. A key without value has its registered default, or is absent.
   * Default: all keys. Requires `meta` among the fields.
   */
  readonly meta_keys?: readonly Key[]
}

/** A record with only some of its fields, and of its metadata only some keys. */
export type RecordWith<
  F extends RecordField,
  T extends RecordTypeName = RecordTypeName,
  Key extends string = MetaKey<T>,
> = T extends unknown ? Pick<RecordFields<T, Key>, 'id' | F> : never

/**
 * The argument of `insert`. Defaults, also for undefined: type `post`, status `draft`, the caller as author, the current
 * date, a slug of the title.
 */
export interface NewRecord<T extends RecordTypeName = RecordTypeName> {
  readonly type?: T | undefined
  readonly status?: RecordStatus<T> | undefined
  readonly title?: string | undefined
  readonly content?: string | undefined
  readonly excerpt?: string | undefined
  readonly slug?: string | undefined
  readonly author?: number | undefined
  readonly parent?: number | undefined
  /** In the time zone of the site, `YYYY-MM-DDTHH:MM:SS` or with a space. */
  readonly date?: string | undefined
  /**
   * The same date in UTC. Default: an insert computes it from `date`, an update does not change it, as in WordPress. To
   * reschedule a published record, pass both.
   */
  readonly date_gmt?: string | undefined
  /** Position among its siblings, for `orderby: 'menu_order'`. Default 0. */
  readonly menu_order?: number | undefined
  /** The password that readers need, at most 255 characters. Default: none. A private record has none. */
  readonly password?: string | undefined
  /**
   * `open` or `closed`. Default, also for `''`: the default of the type and the site. With `''`, an update closes the
   * comments.
   */
  readonly comment_status?: string | undefined
  /** `open` or `closed`. Default, also for `''`: the default of the type and the site. */
  readonly ping_status?: string | undefined
  /**
   * The value of a declared key is checked and converted by its rules; `null` removes it. Of a key without declaration, `null`
   * stores SQL NULL, as in WordPress. Numbers are stored with 14 significant digits, as in WordPress.
   */
  readonly meta?: NewMeta<T> | undefined
  /** Slugs of terms by taxonomy. An unknown slug makes the store refuse the record. */
  readonly terms?: { readonly [Taxonomy in TaxonomyOf<T>]?: readonly string[] } | undefined
  /** The id of the new record, for imports. Default: the next id of the table. */
  readonly id?: number | undefined
}

/**
 * The argument of `update`. Undefined fields keep their value. Only the listed keys of `meta` change. Of a record that was read,
 * `id`, `link`, `modified` and `isProtected` may stand here; they have no effect.
 */
export interface RecordChange<T extends RecordTypeName = RecordTypeName> extends Omit<NewRecord<T>, 'id'> {
  /** Metadata keys to remove. `null` in `meta` removes a declared key as well. */
  readonly remove_meta?: readonly MetaKey<T>[] | undefined
}

/** The orders of records. */
export type RecordOrder<Key extends string = string> = OrderColumn | { readonly meta: Key }

/** An item of a list of `orderby` with a direction of its own. */
export interface OrderedBy<Key extends string = string> {
  readonly by: RecordOrder<Key>
  readonly order?: 'asc' | 'desc' | null | undefined
}

/** A query for records. A null or undefined field does not restrict it, so a handler can pass optional arguments on. */
export interface RecordQuery<T extends RecordTypeName = RecordTypeName> {
  /** Default: all types. */
  readonly type?: T | readonly T[] | null | undefined
  /** Default: `publish`. */
  readonly status?: RecordStatus<T> | readonly RecordStatus<T>[] | null | undefined
  /**
   * The slug of a category, or its name if that gives the slug. Includes all categories below it. An empty text does not
   * restrict the query; an unknown category gives no records.
   */
  readonly category?: string | null | undefined
  /** A term of any taxonomy, by its slug. Includes all terms below it. Not allowed together with `category`. */
  readonly term?: { readonly taxonomy: TaxonomyOf<T>; readonly slug: string } | null | undefined
  /**
   * Terms in WordPress's words: `{ taxonomy: 'category', terms: ['tools'], operator: 'NOT IN' }`, also several, with `OR`. At
   * most 20 clauses.
   */
  readonly tax_query?: TaxQuery<TaxonomyOf<T>> | null | undefined
  readonly author?: number | null | undefined
  readonly parent?: number | null | undefined
  readonly slug?: string | null | undefined
  /**
   * Words in title, excerpt or content, without regard to case; `-word` excludes, `"two words"` are one. At most 10,000
   * records are found, the newest. For an anonymous caller, only records without a password are searched.
   */
  readonly search?: string | null | undefined
  readonly ids?: readonly number[] | null | undefined
  /** Ids of records that are left out. */
  readonly exclude?: readonly number[] | null | undefined
  /**
   * Only records with a higher id. With `orderby: 'id'`, a page is found as fast as the first one however many records are
   * before it.
   */
  readonly after_id?: number | null | undefined
  /**
   * Conditions on metadata: `{ price: { from: 10, to: 20 }, colour: ['red', 'blue'] }`. A key that is registered as a number is
   * compared as a number; texts are compared letter for letter.
   */
  readonly where?: Where<MetaKey<T>> | null | undefined
  /**
   * Conditions in WordPress's words, also with `OR`, and with texts without regard to case. Declared defaults do not count here.
   * `where` must hold as well. At most 20 conditions in all.
   */
  readonly meta_query?: MetaQuery<MetaKey<T>> | null | undefined
  /** Later than this date in the time zone of the site: `YYYY-MM-DD`, or with `THH:MM:SS`. */
  readonly after?: string | null | undefined
  /** Earlier than this date. */
  readonly before?: string | null | undefined
  /** Changed later than this date, which is UTC as `modified` of a record. */
  readonly modified_after?: string | null | undefined
  /** Changed earlier than this date in UTC. */
  readonly modified_before?: string | null | undefined
  /**
   * Conditions on dates and their parts in WordPress's words: `{ year: 2025, month: [6, 7, 8] }`, also with `OR`. At most 20
   * clauses. A year, with its month and day, is a range of the index of dates. Conditions on other parts are checked on each
   * record that the rest of the query leaves.
   */
  readonly date_query?: DateQuery | null | undefined
  /**
   * Default `date`. `{ meta }` sorts by a metadata key, numerically when the key is registered as a number. A missing value
   * sorts as 0 or ''. A list sorts by its first item, then by the next: `['menu_order', { by: 'title', order: 'desc' }]`.
   */
  readonly orderby?:
    | RecordOrder<MetaKey<T>>
    | readonly (RecordOrder<MetaKey<T>> | OrderedBy<MetaKey<T>>)[]
    | null
    | undefined
  /**
   * Default: `desc` for dates, else `asc`. Records with equal values are sorted by ascending id; with `desc` by descending id,
   * but for an order by metadata.
   */
  readonly order?: 'asc' | 'desc' | null | undefined
  /** Begins with 1. Default 1, also for 0. A negative number counts as positive: -2 is 2. */
  readonly page?: number | null | undefined
  /**
   * At most 1000. Default, also for 0: the site's option `posts_per_page`, which is 10 in a new site. -1 is 1000 records
   * from the first on, whatever the page. Another negative number counts as positive: -2 is 2.
   */
  readonly per_page?: number | null | undefined
}

/**
 * The store refuses a record. The message is meant for the client: it is the message of the response, with the status 400,
 * unless the handler catches the error.
 */
export class RecordRejectedError extends RejectedError {
  override readonly name = 'RecordRejectedError'
  /**
   * @param code WordPress's code: `empty_content`, `db_insert_error`, `invalid_date`, ...
   * @param data details that WordPress adds for developers, such as the columns with invalid values; `null` for none.
   */
  constructor(
    readonly code: string,
    message: string,
    readonly data: string | null = null,
  ) {
    super(message)
  }
}
