import type { ArgumentRules } from '../validation/rules.js'
import type { StoredRecord } from './record.js'
import type { RecordTypeName } from './registered.js'

/** The options of a {@link RecordTypeDeclaration} that are not functions. */
export interface RecordTypeOptions {
  /**
   * The path that the pretty permalinks of its records begin with, without slashes at the ends: `shop/item`. Default:
   * the name of the type. With `false`, its records have plain permalinks, such as `/?book=momo`.
   */
  readonly permalink?: string | false
  /**
   * Whether the fixed part of the permalink structure stands before `permalink`: `/archives` of
   * `/archives/%postname%/`. Default true.
   */
  readonly with_front?: boolean
  /**
   * Whether its published records have pages: they are listed on the front page and in archives, and each has a page at
   * its permalink. Default false, as in WordPress: then only routes of the application show them.
   */
  readonly public?: boolean
  /** Whether a record may have a parent. Default false. */
  readonly hierarchical?: boolean
  /**
   * The features of its records. Default: `title` and `editor`. A type with `title`, `editor` and `excerpt` refuses a
   * record without any of the three, as in WordPress. With `comments`, the `comment_status` of a new record is the
   * default of the site, without it `closed`; the same holds for `trackbacks` and `ping_status`. With `revisions`, each
   * version of a record is stored.
   */
  readonly supports?: readonly string[]
  /** The taxonomies whose terms its records may have. Default: all taxonomies. */
  readonly taxonomies?: readonly string[]
  /**
   * The singular noun that its primitive capabilities are named with: `book` for `edit_books` and so on. Default
   * `post`.
   */
  readonly capability_type?: string
  /**
   * Whether meta capabilities such as `edit_post` are mapped to primitive capabilities. Default, as in WordPress: true
   * when `capability_type` is `post` or `page`.
   */
  readonly map_meta_cap?: boolean
  /** The statuses that its records may have besides those of WordPress: `['sold_out']`. */
  readonly statuses?: readonly string[]
  /**
   * The rules and defaults of its metadata. Its records take no other keys then; those that other programs have stored are
   * read. Default: any keys, which are read as WordPress stores them.
   */
  readonly meta?: Readonly<Record<string, RecordMetaDeclaration>>
}

/**
 * The declaration of a record type, which WordPress calls a post type: one entry of the option `record_types` of
 * `boot`.
 */
export interface RecordTypeDeclaration<T extends RecordTypeName = RecordTypeName> extends RecordTypeOptions {
  /** The functions that run after a write of its records was committed. */
  readonly after_commit?: AfterCommit<T>
}

/**
 * Functions that are called once after a write of a record was committed, never after one that was undone. They run outside
 * of the time of the request, as its user, and `inject` works in them before they await anything. The writes of one
 * transaction to one record count as one, from the record before to the record after them. Calls for one record follow each
 * other. An error is logged. What was committed when the process is killed may be left without a call.
 */
export interface AfterCommit<T extends RecordTypeName = RecordTypeName> {
  // Methods: functions of one type are then assignable to those of any type, which are called with its records only.
  inserted?(this: void, record: StoredRecord<T>): unknown
  /** @param before the record before the write: `before.status !== record.status`. */
  updated?(this: void, record: StoredRecord<T>, before: StoredRecord<T>): unknown
  /** @param record as it was when it was deleted. */
  deleted?(this: void, record: StoredRecord<T>): unknown
}

/** The option `record_types`: declarations by name of the type, which are those of `Register` where it has any. */
export type RecordTypeDeclarations = string extends RecordTypeName
  ? Readonly<Record<string, RecordTypeDeclaration>>
  : { readonly [T in RecordTypeName]?: RecordTypeDeclaration<T> }

/** Rules that say something of an argument and nothing of a stored value. */
type RulesOfArguments =
  | 'type'
  | 'default'
  | 'required'
  | 'context'
  | 'readonly'
  | 'validate_callback'
  | 'sanitize_callback'

/** The declaration of one metadata key of a record type: rules as those of `args`, by which written values are converted. */
export interface MetaDeclaration extends Omit<ArgumentRules, RulesOfArguments> {
  /** The type of the value in a record. A query that is ordered by a `number` or `integer` key sorts numerically. */
  readonly type: MetaType
  /** The value for a record that does not have the key. Without a default, such a record is read without the key. */
  readonly default?: unknown
}

/** The declaration of one metadata key of a record type. */
export interface RecordMetaDeclaration extends MetaDeclaration {
  /**
   * Whether the database keeps the records of the type in the order of this key, which must be a `number` or an `integer`: the
   * first page of `orderby: { meta: 'price' }` then takes the same time for any number of records. Each record takes some space
   * and each change of the number some time. On PostgreSQL, MariaDB and MySQL; elsewhere it changes nothing. Default false.
   */
  readonly indexed?: boolean
}

export type MetaType = 'number' | 'integer' | 'string' | 'boolean' | 'array' | 'object'

/** A record type of the application or of WordPress. An option that its declaration leaves out has its default. */
export interface RecordType {
  readonly name: string
  readonly public: boolean
  readonly hierarchical: boolean
  readonly supports: ReadonlySet<string>
  /** `null` for all taxonomies. */
  readonly taxonomies: ReadonlySet<string> | null
  /** `null` when `permalink` does not determine its pretty permalinks: it is `false`, or the type is built in. */
  readonly permalink: string | null
  readonly with_front: boolean
  readonly capability_type: string
  readonly map_meta_cap: boolean
  /** Statuses besides WordPress's. */
  readonly statuses: ReadonlySet<string>
  /** Whether its declaration has `meta`: its records take no other keys then. */
  readonly declaresMeta: boolean
  readonly meta: ReadonlyMap<string, RecordMetaDeclaration>
  readonly afterCommit: AfterCommit | null
}
