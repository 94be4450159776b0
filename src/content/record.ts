import { RejectedError } from '../http/rejected-error.js'
import type { OrderColumn } from '../database/storage.js'

/** A record as a handler reads it: a row of `posts` with its metadata. */
export interface StoredRecord {
  readonly id: number
  /** `post`, `page`, or a type of the application's own, such as `product`. */
  readonly type: string
  /** `publish`, `draft`, `pending`, `private`, `future`, `trash`, `auto-draft`, `inherit`. */
  readonly status: string
  readonly title: string
  readonly content: string
  readonly excerpt: string
  readonly slug: string
  /** Id of the user who wrote it; 0 for nobody. */
  readonly author: number
  readonly parent: number
  /** Site-local, `YYYY-MM-DDTHH:MM:SS`. */
  readonly date: string
  /** UTC, `YYYY-MM-DDTHH:MM:SS`. */
  readonly modified: string
  /** Absolute permalink, as the present caller sees it: a private record that this caller may not read has a plain link. */
  readonly link: string
  /**
   * A password is asked of readers (`password` of a new record). The store gives content and excerpt all the same: a
   * handler shows them to those only who may edit the record (`edit_post`).
   */
  readonly isProtected: boolean
  /**
   * The first value of each metadata key. A key that the application registered has its registered type; any other is
   * what WordPress would give: text, or the list or map that was stored.
   */
  readonly meta: Readonly<Record<string, unknown>>
}

export type RecordField = keyof StoredRecord

/**
 * What is read of a record: leave out what the answer does not say, above all `content` and unneeded metadata.
 */
export interface RecordSelection<F extends RecordField = RecordField> {
  /** `id` always comes along. Default: all fields. */
  readonly fields?: readonly F[]
  /**
   * Keys of the metadata that is read, spelled as they are stored; a key without value is left out, or has its
   * registered default. Default: all. Without `meta` among the fields none is read, and none may be named.
   */
  readonly meta_keys?: readonly string[]
}

/** A record of which only some fields were read. */
export type RecordWith<F extends RecordField> = Pick<StoredRecord, 'id' | F>

/**
 * What `insert` takes. Left out, or undefined: type `post`, status `draft`, the caller as author, now as date, a slug from
 * the title.
 */
export interface NewRecord {
  readonly type?: string | undefined
  readonly status?: string | undefined
  readonly title?: string | undefined
  readonly content?: string | undefined
  readonly excerpt?: string | undefined
  readonly slug?: string | undefined
  readonly author?: number | undefined
  readonly parent?: number | undefined
  /** Site-local, `YYYY-MM-DDTHH:MM:SS` or with a space. */
  readonly date?: string | undefined
  /**
   * The same moment as UTC. Left out: an insert computes it from `date`, an update keeps what it is, as WordPress does,
   * so that a published record is rescheduled by giving both.
   */
  readonly date_gmt?: string | undefined
  /** Place among its siblings, for `orderby: 'menu_order'`. Default 0. */
  readonly menu_order?: number | undefined
  /** Asked of readers, at most 255 characters. Default: none; a private record has none. */
  readonly password?: string | undefined
  /** `open` or `closed`. Default, also for `''`: what the type and the site say; an update closes comments with `''`. */
  readonly comment_status?: string | undefined
  readonly ping_status?: string | undefined
  /** `null` stores SQL NULL. Numbers keep 14 significant digits, as in WordPress. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined
  /** Slugs of terms by taxonomy; an unknown one makes the store refuse the record. */
  readonly terms?: Readonly<Record<string, readonly string[]>> | undefined
  /** A known id to keep, for imports. */
  readonly id?: number | undefined
}

/** What `update` takes: fields left out (or undefined) keep their value; `meta` is changed key by key. */
export interface RecordChange extends Omit<NewRecord, 'id'> {
  /** Metadata keys to remove. (`null` in `meta` stores SQL NULL, as in WordPress.) */
  readonly remove_meta?: readonly string[] | undefined
}

/** What is null or undefined asks for nothing, so that a handler can pass on what it was or was not given. */
export interface RecordQuery {
  readonly type?: string | readonly string[] | null | undefined
  /** Default: `publish`. */
  readonly status?: string | readonly string[] | null | undefined
  /** Slug of a category, or a text that makes it, with all categories below it; empty or null: any; unknown: nothing is found. */
  readonly category?: string | null | undefined
  /** Slug of a term of any taxonomy, with all terms below it; not together with `category`. */
  readonly term?: { readonly taxonomy: string; readonly slug: string } | null | undefined
  readonly author?: number | null | undefined
  readonly parent?: number | null | undefined
  readonly slug?: string | null | undefined
  /** In title, excerpt or content; of records without a password only, while nobody is logged in. */
  readonly search?: string | null | undefined
  readonly ids?: readonly number[] | null | undefined
  /** Default `date`. `{ meta }` sorts by a metadata key, as a number when it is registered as one; missing counts as 0 or ''. */
  readonly orderby?: OrderColumn | { readonly meta: string } | null | undefined
  /** Default: `desc` for dates, else `asc`. Equal values come by ascending id, equal dates descending by descending id. */
  readonly order?: 'asc' | 'desc' | null | undefined
  /** From 1. Default 1, which 0 is too; -2 counts as 2, here and in `per_page`. */
  readonly page?: number | null | undefined
  /** At most 1000. Default, also for 0: the site's option `posts_per_page`, 10. -1: as many as that, whatever the page. */
  readonly per_page?: number | null | undefined
}

/**
 * The store refuses a record. Its message is meant for the caller, who gets it with the status 400 where no handler catches
 * it.
 */
export class RecordRejectedError extends RejectedError {
  override readonly name = 'RecordRejectedError'
  /**
   * @param code WordPress's: `empty_content`, `db_insert_error`, `invalid_date`, ...
   * @param data what WordPress adds for the developer, such as the columns that did not fit; `null` for nothing.
   */
  constructor(
    readonly code: string,
    message: string,
    readonly data: string | null = null,
  ) {
    super(message)
  }
}
