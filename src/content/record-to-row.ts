import { callerCan } from '../auth/meta-capabilities.js'
import { toBoolean, toInteger, toText } from '../php/cast.js'
import { phpTrimStart } from '../php/trim.js'
import { sanitizeKey } from '../sanitizers/key.js'
import type { PostRow } from '../database/storage.js'
import {
  isUndated,
  isUnset,
  localFromUtc,
  localNow,
  parseDate,
  statusAt,
  utcFromLocal,
  utcNow,
  zeroDate,
  type ParsedDate,
} from './dates.js'
import { filteredContent, filteredTitle } from './filters.js'
import { withEncodedEmoji } from './narrow-texts.js'
import { RecordRejectedError, type NewRecord, type RecordChange } from './record.js'
import { checkLimits } from './row-limits.js'
import type { WriteContext } from './write-context.js'

/** A row that is not stored yet. Its columns are writable, because copying an object of this size is slow. */
export type NewRow = { -readonly [Column in keyof Omit<PostRow, 'ID'>]: PostRow[Column] }

/**
 * The row of a new record, without slug and guid.
 * Rules: docs/wire.md#creating-a-record.
 * @throws RecordRejectedError `empty_content`, `invalid_date`, `db_insert_error`.
 */
export function newRow(record: NewRecord, context: WriteContext): NewRow {
  const type = sanitizeKey(toText(record.type ?? '')) || 'post'
  const status = statusOf(record.status ?? '', type)
  const texts = storableTexts(textsOf(record, null, context), context)
  refuseEmpty(texts, type, context)
  const dates = datesOf(record, status, context)
  const numbers = numbersOf(record, { post_author: context.caller.id, post_parent: 0, menu_order: 0 }, context)
  // The columns are listed one by one: spreading several objects into one of this size takes twenty times as long.
  const row: NewRow = {
    post_author: numbers.post_author,
    post_date: dates.post_date,
    post_date_gmt: dates.post_date_gmt,
    post_content: texts.post_content,
    post_title: texts.post_title,
    post_excerpt: texts.post_excerpt,
    post_status: statusAtDate(status, type, dates.post_date_gmt, context),
    comment_status: commentStatusOf(record.comment_status) || defaultStatus('comments', type, context),
    ping_status: commentStatusOf(record.ping_status) || defaultStatus('trackbacks', type, context),
    post_password: passwordOf(record.password, status),
    post_name: '',
    to_ping: '',
    pinged: '',
    post_modified: dates.post_date,
    post_modified_gmt: dates.post_date_gmt,
    post_content_filtered: '',
    post_parent: numbers.post_parent,
    guid: '',
    menu_order: numbers.menu_order,
    post_type: type,
    post_mime_type: '',
    comment_count: 0,
  }
  checkLimits(row, 'insert', context.shared?.narrowColumns)
  return row
}

/**
 * The row of a changed record, with the old slug. Columns of fields that the change leaves out stay unchanged.
 * @throws RecordRejectedError `empty_content`, `invalid_date`, `db_update_error`.
 */
export function changedRow(old: PostRow, change: RecordChange, context: WriteContext): PostRow {
  const type = change.type === undefined ? old.post_type : sanitizeKey(toText(change.type)) || 'post'
  const status = statusOf(valueOr(change.status, old.post_status), type)
  const texts = storableTexts(textsOf(change, old, context), context)
  refuseEmpty(texts, type, context)
  const dates = datesOf(changedDates(old, change), status, context)
  const numbers = numbersOf(change, old, context)
  const row: PostRow = {
    ...old,
    post_author: numbers.post_author,
    post_date: dates.post_date,
    post_date_gmt: dates.post_date_gmt,
    post_content: texts.post_content,
    post_title: texts.post_title,
    post_excerpt: texts.post_excerpt,
    post_status: statusAtDate(status, type, dates.post_date_gmt, context),
    comment_status: commentStatusOf(valueOr(change.comment_status, old.comment_status)) || 'closed',
    ping_status:
      commentStatusOf(valueOr(change.ping_status, old.ping_status)) || defaultStatus('trackbacks', type, context),
    post_password: passwordOf(valueOr(change.password, old.post_password), status),
    post_modified: localNow(context.clock),
    post_modified_gmt: utcNow(context.clock),
    post_parent: numbers.post_parent,
    menu_order: numbers.menu_order,
    post_type: type,
    // WordPress escapes the guid for display each time it updates a post.
    guid: old.guid.replace(/&(?!#038;|amp;)/g, '&#038;'),
  }
  checkLimits(row, 'update', context.shared?.narrowColumns)
  return row
}

function statusOf(value: string, type: string): string {
  const status = sanitizeKey(toText(value)) || 'draft'
  if (type !== 'attachment' || ['inherit', 'private', 'trash', 'auto-draft'].includes(status)) return status
  return 'inherit'
}

function statusAtDate(status: string, type: string, dateGmt: string, { clock }: WriteContext): string {
  return type === 'attachment' ? status : statusAt(status, dateGmt, clock.now)
}

type Texts = Pick<PostRow, 'post_title' | 'post_content' | 'post_excerpt'>

function textsOf({ title, content, excerpt }: RecordChange, old: Texts | null, { caller }: WriteContext): Texts {
  const allowsHtml = callerCan(caller, 'unfiltered_html')
  const contentOf = (text: string | undefined, oldText = ''): string =>
    text === undefined ? oldText : filteredContent(toText(text), allowsHtml)
  return {
    post_title: title === undefined ? (old?.post_title ?? '') : filteredTitle(toText(title), allowsHtml),
    post_content: contentOf(content, old?.post_content),
    post_excerpt: contentOf(excerpt, old?.post_excerpt),
  }
}

/** As WordPress does, emoji are encoded where the column cannot store them. */
function storableTexts(texts: Texts, { shared = null }: WriteContext): Texts {
  if (shared === null || shared.narrowColumns.size === 0) return texts
  const stored = (column: keyof Texts): string =>
    shared.narrowColumns.has(`posts.${column}`) ? withEncodedEmoji(texts[column]) : texts[column]
  return {
    post_title: stored('post_title'),
    post_content: stored('post_content'),
    post_excerpt: stored('post_excerpt'),
  }
}

type Numbers = Pick<PostRow, 'post_author' | 'post_parent' | 'menu_order'>

/** A value that is not a number is 0, as in WordPress. The author null is the caller. */
function numbersOf(change: RecordChange, old: Numbers, { caller }: WriteContext): Numbers {
  const idOf = (value: unknown): number => Math.max(0, toInteger(value))
  return {
    post_author: idOf(valueOr(change.author, old.post_author) ?? caller.id),
    post_parent: idOf(valueOr(change.parent, old.post_parent)),
    menu_order: toInteger(valueOr(change.menu_order, old.menu_order)),
  }
}

/** The new value, or the old one when the new value is undefined. Unlike `??`, null is a value. */
function valueOr<T>(value: T | undefined, old: T): T {
  return value === undefined ? old : value
}

/** `open`, `closed`, or `''` when the value is missing. WordPress treats `0` as missing. */
function commentStatusOf(value: string | undefined): string {
  const key = sanitizeKey(toText(value))
  return toBoolean(key) ? key : ''
}

/** A private record has no password: WordPress removes it. */
function passwordOf(value: string | undefined, status: string): string {
  return status === 'private' ? '' : toText(value)
}

type Dates = Pick<RecordChange, 'date' | 'date_gmt'>

/** A draft without a date gets the current date with each change, until a change sets a date. */
function changedDates(old: PostRow, { date, date_gmt: dateGmt }: RecordChange): Dates {
  const hasNoDate = isUndated(old.post_status) && isUnset(old.post_date_gmt)
  if (hasNoDate && date === undefined && dateGmt === undefined) return {}
  return { date: valueOr(date, old.post_date), date_gmt: valueOr(dateGmt, old.post_date_gmt) }
}

/**
 * The local and the UTC date of a row. A date with a time zone is stored without the zone; the zone is used to compute the
 * other date.
 */
function datesOf(dates: Dates, status: string, { clock }: WriteContext): Pick<PostRow, 'post_date' | 'post_date_gmt'> {
  const date = isUnset(dates.date) ? null : validDate(toText(dates.date))
  // WordPress parses `date_gmt` with PHP, which ignores leading white space. It parses `date` itself and does not.
  const dateGmt = isUnset(dates.date_gmt) ? null : validDate(phpTrimStart(toText(dates.date_gmt)))
  if (dateGmt === null) {
    const local = date?.dateTime ?? localNow(clock)
    const zone = date?.zone ?? clock.zone
    return { post_date: local, post_date_gmt: isUndated(status) ? zeroDate : utcFromLocal(local, zone) }
  }
  const utc = dateGmt.zone === null ? dateGmt.dateTime : utcFromLocal(dateGmt.dateTime, dateGmt.zone)
  return { post_date: date?.dateTime ?? localFromUtc(utc, clock.zone), post_date_gmt: dateGmt.dateTime }
}

function validDate(text: string): ParsedDate {
  const date = parseDate(text)
  if (date === null) throw new RecordRejectedError('invalid_date', 'Invalid date.')
  return date
}

function defaultStatus(support: 'comments' | 'trackbacks', name: string, { types, site }: WriteContext): string {
  const type = types.get(name)
  if (name === 'page' || !type?.supports.has(support)) return 'closed'
  return support === 'comments' ? site.defaultCommentStatus : site.defaultPingStatus
}

/** A record must have a title, content or excerpt when its type supports all three. WordPress treats `0` as empty. */
function refuseEmpty(texts: Texts, type: string, { types }: WriteContext): void {
  const supports = types.get(type)?.supports
  if (type === 'attachment' || !['title', 'editor', 'excerpt'].every((part) => supports?.has(part))) return
  if ([texts.post_title, texts.post_content, texts.post_excerpt].every((text) => !toBoolean(text)))
    throw new RecordRejectedError('empty_content', 'Content, title, and excerpt are empty.')
}
