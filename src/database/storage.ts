import type { MaybePromise } from '../base/maybe-promise.js'
import type { JobRows } from './job-rows.js'
import type { KindVersions } from './kind-versions.js'
import type { DateFilter } from './date-filter.js'
import type { MetaFilter } from './meta-filter.js'
import type { RowSet } from './row-set.js'
import type { ScheduledRows } from './scheduled-rows.js'
import type { TermFilter } from './term-filter.js'
import type { TermRow, TermRows } from './term-rows.js'

/** See `Storage.changeToken`. Tokens can be compared for equality only. */
export type ChangeToken = number | string

/** The version of a kind of rows; see `Storage.versions`. */
export type RowVersion = number | bigint

/**
 * Rows in WordPress's tables. One contract, one suite (`test/contracts/storage.ts`), several databases.
 *
 * This layer knows tables and not their meaning: slugs, filters, permalinks, serialised metadata and capabilities are
 * implemented above it, in `content/` and `auth/`, once for every database. Every call is atomic and asynchronous.
 * `transaction` joins several calls. A write is durable when it resolves. Calls reject with a `StorageError` when the
 * database fails, or throw it where they return without a promise. Text is stored exactly, NUL included, if it is
 * well-formed. The caller must refuse lone surrogates.
 */
export interface Storage {
  readonly posts: PostRows
  readonly users: UserRows
  readonly terms: TermRows
  readonly options: OptionRows
  readonly jobs: JobRows
  /**
   * Runs `work` so that all or none of its writes happen, isolated from other writers. Use only the storage that
   * `work` receives: any other write waits for the end of this transaction, so a transaction that awaits one times out and
   * is rolled back. An error of `work` rolls back and is thrown again.
   */
  transaction<T>(work: (storage: Storage) => Promise<T>): Promise<T>
  /**
   * As `transaction`, for work that awaits nothing but the storage it receives. It may share a commit with other work, each
   * of which fails by itself, and it has no time limit. It may run again from the beginning when other work, or one of its
   * statements, has failed, so it must have no effects outside the storage.
   *
   * A row that the work reads by its key is locked until the work ends: a post or a user by id, an option, the metadata of an
   * owner. No other writer changes it meanwhile. The result of any other read, such as a free slug or a list, may change
   * before the work ends, unless every writer that could change it locks the same name first.
   * @param prepare runs once before the write begins, for anything that must not hold up other writers, such as hashing a
   *   password. It only reads. Inside a transaction it is a part of the write: the transaction fails when its work ends earlier.
   */
  write<T>(work: (storage: Storage) => Promise<T>, prepare?: () => Promise<void>): Promise<T>
  /**
   * In the work of `write` or `transaction`: waits until no other writer holds one of these names, and holds them until the
   * transaction ends. Work that checks whether a value is free and then writes it locks the value first, in one call, so that
   * no other process can take it in between. Names are any texts, such as `slug:tea`.
   * @returns true when another writer may have held one of the names since this work last read the database. The work then
   *   reads again whether the name is free.
   * @throws StorageError `transaction` outside a transaction.
   */
  lock(names: readonly string[]): Promise<boolean>
  /**
   * The change token. It differs from earlier tokens as soon as a write to this database was acknowledged to any process, and
   * it may change without a write. All calls in one tick of the event loop share one read, which is sent after the last of them.
   */
  changeToken(): Promise<ChangeToken>
  /**
   * The versions of all kinds, read after the change token, for caches of rows. A token changes with every write; versions
   * tell which kinds of rows were written. Cached rows are valid while the versions of their kinds are those from before the
   * rows were read. The versions are read once for a token.
   * @param token the change token that the caller has read.
   */
  versionsAt(token: ChangeToken): MaybePromise<KindVersions>
  /** The number of writes that were begun through this storage, successful or not. Other processes do not count. */
  writes(): number
  /**
   * The version of each kind of row, by tag; a tag without writes is left out. A write raises it, in its own
   * transaction. A version is lower than before only after an older state of the database was restored. It then belongs
   * to the same rows as before, and the next write makes one that there never was. Tags are the types of posts in lower
   * case (a write to a post, to its metadata or terms), `terms`, `users` and `options`; a type with one of these names shares
   * the version of the tag.
   */
  versions(): Promise<ReadonlyMap<string, RowVersion>>
  /** Resolves when the database answers; for `/readyz`. @throws when it does not. */
  ping(): Promise<void>
  /** Finishes running work, makes it durable, and closes the database. */
  close(): Promise<void>
}

/** A row of `posts`, column by column. Dates are `YYYY-MM-DD HH:MM:SS`; unset ones `0000-00-00 00:00:00`. */
export interface PostRow {
  readonly ID: number
  readonly post_author: number
  readonly post_date: string
  readonly post_date_gmt: string
  readonly post_content: string
  readonly post_title: string
  readonly post_excerpt: string
  readonly post_status: string
  readonly comment_status: string
  readonly ping_status: string
  readonly post_password: string
  readonly post_name: string
  readonly to_ping: string
  readonly pinged: string
  readonly post_modified: string
  readonly post_modified_gmt: string
  readonly post_content_filtered: string
  readonly post_parent: number
  readonly guid: string
  readonly menu_order: number
  readonly post_type: string
  readonly post_mime_type: string
  readonly comment_count: number
}

export type PostColumn = keyof PostRow

/** The data to read of a post besides its id. */
export interface PostSelection<C extends PostColumn = PostColumn> {
  /**
   * For a selection that is reused: a text that no other selection has, such as the result of `keyOfSelection`. Default: that result,
   * computed for each use.
   */
  readonly key?: string
  /** Reading half of all columns takes four fifths of the time. */
  readonly columns: readonly C[]
  /**
   * Only the oldest row of each of exactly these keys is read; the rows come in any order. Default: every metadata row,
   * oldest first. One key takes a third of the time.
   */
  readonly metaKeys?: readonly string[]
}

/** Equal for two selections only if they read the same data in the same order. */
export function keyOfSelection({ columns, metaKeys }: Omit<PostSelection, 'key'>): string {
  // The type makes a new field a part of the key. Without the names, because a longer key takes longer to look up.
  const parts: Record<Exclude<keyof PostSelection, 'key'>, unknown> = { columns, metaKeys }
  return JSON.stringify(Object.values(parts))
}

/** A post, or some columns of it, with its metadata rows: all, oldest first, or those of some keys. */
export interface PostWithMeta<C extends PostColumn = PostColumn> {
  readonly post: Pick<PostRow, C | 'ID'>
  readonly meta: readonly MetaEntry[]
}

export interface MetaEntry {
  readonly key: string
  /** As stored: text, possibly PHP-serialised; SQL NULL is `null`. */
  readonly value: string | null
}

export interface PostQuery {
  /** Any of these types; left out: every type. */
  readonly types?: readonly string[]
  readonly statuses?: readonly string[]
  readonly author?: number
  readonly parent?: number
  readonly ids?: readonly number[]
  readonly exceptIds?: readonly number[]
  /** Only posts with a higher id. */
  readonly afterId?: number
  readonly slug?: string
  readonly meta?: MetaFilter
  readonly dates?: DateFilter
  /** Only posts without a password. */
  readonly withoutPassword?: true
  /** Posts related to the term of this taxonomy with this slug, or to one below it. An unknown slug finds nothing. */
  readonly term?: { readonly taxonomy: string; readonly slug: string }
  readonly terms?: TermFilter
  readonly search?: PostSearch
  /** Applied in order. The last criterion is always the id: descending after a descending column, else ascending. */
  readonly order: readonly PostOrder[]
  readonly limit: number
  readonly offset: number
}

/**
 * Words in title, excerpt and content, without regard to case. A word of more than 200 characters is found nowhere. At most
 * 10,000 posts are found, those with the highest ids. Rejects with a StorageError `busy` when the search takes too long.
 */
export interface PostSearch {
  /** One of the texts has each of these. */
  readonly include: readonly string[]
  /** None of the texts has any of these. */
  readonly exclude: readonly string[]
}

export type OrderColumn = 'date' | 'modified' | 'title' | 'slug' | 'id' | 'menu_order'

export interface PostOrder {
  readonly by: OrderColumn | { readonly meta: string; readonly as: 'number' | 'text' }
  readonly direction: 'asc' | 'desc'
}

/** A key of the metadata of posts of a type. */
export interface MetaKeyOfType {
  readonly type: string
  readonly key: string
}

export interface PostRows {
  find(id: number): Promise<PostRow | null>
  /**
   * The rows in the order of the ids; unknown ids are left out.
   * @param selection default: all columns, all metadata.
   */
  findWithMeta<C extends PostColumn = PostColumn>(
    ids: readonly number[],
    selection?: PostSelection<C>,
  ): Promise<RowSet<PostWithMeta<C>>>
  /**
   * Selects the ids first and reads only those rows, with their metadata, in one statement.
   * @param selection default: all columns, all metadata.
   */
  list<C extends PostColumn = PostColumn>(
    query: PostQuery,
    selection?: PostSelection<C>,
  ): Promise<RowSet<PostWithMeta<C>>>
  /** The number of rows of the query without its limit and offset. */
  count(query: PostQuery): Promise<number>
  /**
   * Inserts a row with its metadata, in one statement where the database can.
   * @param row with `ID` for an import that keeps its ids; without it the database chooses the id.
   * @returns the id.
   * @throws StorageError `constraint` when another row has this `ID`.
   */
  insert(row: Omit<PostRow, 'ID'> & { readonly ID?: number }, meta?: readonly MetaEntry[]): Promise<number>
  /**
   * Locks a name, and inserts a row with its metadata unless any row has its slug, which is ASCII: a transaction in one round
   * trip. Left out inside of transactions, and for databases that do not support it.
   * @param name see `Storage.lock`.
   * @returns the new id; null when nothing was inserted, because the slug is taken or after a conflict with another writer. The
   *   caller then uses `write`.
   */
  insertAtOnce?(row: Omit<PostRow, 'ID'>, meta: readonly MetaEntry[], name: string): Promise<number | null>
  update(id: number, change: Partial<Omit<PostRow, 'ID'>>): Promise<boolean>
  /** The row, its metadata and its term relationships. */
  delete(id: number): Promise<boolean>
  /**
   * Gives the children of a post another parent. A row that is its own parent stays.
   * @returns the number of children.
   */
  moveChildren(move: MovedChildren): Promise<number>
  /**
   * Whether a row has this slug, compared without case and accents: of these types, of any when left out (and below
   * `parent` when given).
   */
  slugTaken(query: SlugTaken): Promise<boolean>
  /** The first of these slugs that is not taken, as `slugTaken` compares them; null when all are. Reads in one statement. */
  firstFreeSlug(query: FreeSlug): Promise<string | null>
  /**
   * Hides the comments of a post in the trash, and takes it out of settings that name it, in the tables of a WordPress site.
   * @returns the statuses that the comments had, by id. None in tables of our own.
   */
  hideComments(id: number): Promise<CommentStatuses>
  /** Gives comments back the statuses that they had. */
  showComments(statuses: CommentStatuses): Promise<void>
  readonly meta: MetaRows
  readonly scheduled: ScheduledRows
  /** Replaces the terms of one taxonomy that a post has, and keeps the counts. */
  setTerms(id: number, taxonomy: string, termIds: readonly number[]): Promise<void>
  /** The terms of these taxonomies that posts have, by the id of the post and by name. A post without terms is left out. */
  termsOf(ids: readonly number[], taxonomies: readonly string[]): Promise<ReadonlyMap<number, readonly TermRow[]>>
}

/** The values of `comment_approved`, by the id of the comment. */
export type CommentStatuses = ReadonlyMap<number, string>

export interface MovedChildren {
  readonly from: number
  /** The new parent; 0 for none. */
  readonly to: number
  /** The types of the children. */
  readonly types: readonly string[]
}

export interface SlugTaken {
  readonly slug: string
  readonly types?: readonly string[]
  readonly parent?: number
  /** A row that does not count; 0 for none. */
  readonly exceptId: number
}

export interface FreeSlug extends Omit<SlugTaken, 'slug'> {
  readonly slugs: readonly string[]
}

/**
 * Metadata of one kind of object (`postmeta`, `usermeta`, `termmeta`). `read` and `replace` match keys exactly; `write`, `remove`
 * and `ownersOf` match them without regard to case, as WordPress's collation does.
 */
export interface MetaRows {
  /** Every value of exactly this key, oldest first; empty when there is none. */
  read(objectId: number, key: string): Promise<readonly (string | null)[]>
  all(objectId: number): Promise<readonly MetaEntry[]>
  /** Ids of objects that have this value under this key, by id, each once. The key alone is indexed. */
  ownersOf(key: string, value: string, limit: number): Promise<readonly number[]>
  add(objectId: number, key: string, value: string | null): Promise<void>
  /** All rows with the key get the value; a row is inserted when there is none. */
  write(objectId: number, key: string, value: string | null): Promise<void>
  /**
   * Writes only while the first value still is `expected` (`null`: no such row); for lists that several processes
   * change. `value` null removes the row.
   */
  replace(objectId: number, key: string, expected: string | null, value: string | null): Promise<boolean>
  /** @param value only rows with this value. Default: all rows with the key. */
  remove(objectId: number, key: string, value?: string): Promise<boolean>
}

/** A row of `users`. `user_registered` is UTC, `YYYY-MM-DD HH:MM:SS`. */
export interface UserRow {
  readonly ID: number
  readonly user_login: string
  readonly user_pass: string
  readonly user_nicename: string
  readonly user_email: string
  readonly user_url: string
  readonly user_registered: string
  readonly user_activation_key: string
  readonly user_status: number
  readonly display_name: string
}

export interface UserWithMeta {
  readonly user: UserRow
  readonly meta: readonly MetaEntry[]
}

export type UserKey =
  | { readonly id: number }
  | { readonly login: string }
  | { readonly email: string }
  /** The slug, which is ASCII. */
  | { readonly nicename: string }

/** Selects users. Without any part it selects all. */
export interface UserQuery {
  /** Case-insensitive, in login, address, nicename or display name. More than 200 characters find nothing. */
  readonly search?: string
  /** Users whose oldest value of exactly this key contains exactly this text. */
  readonly meta?: { readonly key: string; readonly contains: string }
}

export interface UserRows {
  /** Logins, addresses and nicenames compare without case. */
  find(key: UserKey): Promise<UserRow | null>
  /** Unknown ids are left out. */
  findMany(ids: readonly number[]): Promise<readonly UserRow[]>
  /**
   * The row and its metadata in one round trip.
   * @param metaKeys only the oldest row of each of exactly these keys is read, in their order. Pass the same array each
   *   time, because the statement is cached with it.
   */
  findWithMeta(key: UserKey, metaKeys?: readonly string[]): Promise<UserWithMeta | null>
  /** By id. */
  list(query: UserQuery & { readonly limit: number; readonly offset: number }): Promise<readonly UserWithMeta[]>
  /** The number of users of the query. */
  count(query: UserQuery): Promise<number>
  /** @param row with `ID` for an import that keeps its ids. @returns the id. */
  insert(row: Omit<UserRow, 'ID'> & { readonly ID?: number }): Promise<number>
  update(id: number, change: Partial<Omit<UserRow, 'ID'>>): Promise<boolean>
  /** The row and its metadata. @param heir the user who gets the links of the deleted user in the tables of a WordPress site. */
  delete(id: number, heir?: number): Promise<boolean>
  /** The first of these nicenames that no other user than `exceptId` has; null when all are taken. Reads in one statement. */
  firstFreeNicename(nicenames: readonly string[], exceptId: number): Promise<string | null>
  readonly meta: MetaRows
}

export interface OptionRows {
  /** `null` when there is no such option. */
  read(name: string): Promise<string | null>
  /** All of these in one round trip; missing ones are left out. */
  readMany(names: readonly string[]): Promise<ReadonlyMap<string, string>>
  /**
   * @param isAutoloaded whether WordPress loads it with every request, for a new option of a WordPress site; default true.
   */
  write(name: string, value: string, isAutoloaded?: boolean): Promise<void>
  /** Writes unless the option exists. @returns the stored value, so that two processes agree on one secret. */
  writeOnce(name: string, value: string): Promise<string>
  remove(name: string): Promise<boolean>
}
