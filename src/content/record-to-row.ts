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
  readDate,
  statusAt,
  utcFromLocal,
  utcNow,
  zeroDate,
  type ReadDate,
} from './dates.js'
import { filteredContent, filteredTitle } from './filters.js'
import { RecordRejectedError, type NewRecord, type RecordChange } from './record.js'
import { checkLimits } from './row-limits.js'
import type { WriteContext } from './write-context.js'

/** Whoever made it may still change it: copies of an object of this size are dear. */
export type NewRow = { -readonly [Column in keyof Omit<PostRow, 'ID'>]: PostRow[Column] }

/**
 * The row that a new record is stored as, still without slug and guid.
 * Rules: docs/wire.md#creating-a-record.
 * @throws RecordRejected `empty_content`, `invalid_date`, `db_insert_error`.
 */
export function newRow(record: NewRecord, context: WriteContext): NewRow {
  const type = sanitizeKey(toText(record.type ?? '')) || 'post'
  const asked = statusOf(record.status ?? '', type)
  const texts = textsOf(record, null, context)
  refuseEmpty(texts, type, context)
  const dates = datesOf(record, asked, context)
  const numbers = numbersOf(record, { post_author: context.caller.id, post_parent: 0, menu_order: 0 }, context)
  // Column by column: spreading several objects into one of this size takes twenty times as long.
  const row: NewRow = {
    post_author: numbers.post_author,
    post_date: dates.post_date,
    post_date_gmt: dates.post_date_gmt,
    post_content: texts.post_content,
    post_title: texts.post_title,
    post_excerpt: texts.post_excerpt,
    post_status: statusInTime(asked, type, dates.post_date_gmt, context),
    comment_status: keyOf(record.comment_status) || defaultStatus('comments', type, context),
    ping_status: keyOf(record.ping_status) || defaultStatus('trackbacks', type, context),
    post_password: passwordOf(record.password, asked),
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
  checkLimits(row, 'insert')
  return row
}

/**
 * The row that a changed record is stored as, its slug still the old one. What the change leaves out stays exactly as
 * it is. Rules: docs/wire.md#updating-a-record.
 * @throws RecordRejected `empty_content`, `invalid_date`, `db_update_error`.
 */
export function changedRow(old: PostRow, change: RecordChange, context: WriteContext): PostRow {
  const type = change.type === undefined ? old.post_type : sanitizeKey(toText(change.type)) || 'post'
  const asked = statusOf(kept(change.status, old.post_status), type)
  const texts = textsOf(change, old, context)
  refuseEmpty(texts, type, context)
  const dates = datesOf(changedDates(old, change), asked, context)
  const numbers = numbersOf(change, old, context)
  const row: PostRow = {
    ...old,
    post_author: numbers.post_author,
    post_date: dates.post_date,
    post_date_gmt: dates.post_date_gmt,
    post_content: texts.post_content,
    post_title: texts.post_title,
    post_excerpt: texts.post_excerpt,
    post_status: statusInTime(asked, type, dates.post_date_gmt, context),
    comment_status: keyOf(kept(change.comment_status, old.comment_status)) || 'closed',
    ping_status: keyOf(kept(change.ping_status, old.ping_status)) || defaultStatus('trackbacks', type, context),
    post_password: passwordOf(kept(change.password, old.post_password), asked),
    post_modified: localNow(context.clock),
    post_modified_gmt: utcNow(context.clock),
    post_parent: numbers.post_parent,
    menu_order: numbers.menu_order,
    post_type: type,
    // WordPress escapes the identifier for display whenever it stores it again.
    guid: old.guid.replace(/&(?!#038;|amp;)/g, '&#038;'),
  }
  checkLimits(row, 'update')
  return row
}

function statusOf(given: string, type: string): string {
  const status = sanitizeKey(toText(given)) || 'draft'
  if (type !== 'attachment' || ['inherit', 'private', 'trash', 'auto-draft'].includes(status)) return status
  return 'inherit'
}

function statusInTime(status: string, type: string, dateGmt: string, { clock }: WriteContext): string {
  return type === 'attachment' ? status : statusAt(status, dateGmt, clock.now)
}

type Texts = Pick<PostRow, 'post_title' | 'post_content' | 'post_excerpt'>

function textsOf({ title, content, excerpt }: RecordChange, old: Texts | null, { caller }: WriteContext): Texts {
  const trusted = callerCan(caller, 'unfiltered_html')
  const body = (text: string | undefined, kept = ''): string =>
    text === undefined ? kept : filteredContent(toText(text), trusted)
  return {
    post_title: title === undefined ? (old?.post_title ?? '') : filteredTitle(toText(title), trusted),
    post_content: body(content, old?.post_content),
    post_excerpt: body(excerpt, old?.post_excerpt),
  }
}

type Numbers = Pick<PostRow, 'post_author' | 'post_parent' | 'menu_order'>

/** What is not a number counts as 0, as in WordPress; null as author is the caller. */
function numbersOf(given: RecordChange, old: Numbers, { caller }: WriteContext): Numbers {
  const id = (number: unknown): number => Math.max(0, toInteger(number))
  return {
    post_author: id(kept(given.author, old.post_author) ?? caller.id),
    post_parent: id(kept(given.parent, old.post_parent)),
    menu_order: toInteger(kept(given.menu_order, old.menu_order)),
  }
}

/** Only what is left out keeps its value: null counts as given. */
function kept<T>(given: T | undefined, old: T): T {
  return given === undefined ? old : given
}

/** `open` or `closed`; `0` says as little as nothing. */
function keyOf(given: string | undefined): string {
  const key = sanitizeKey(toText(given))
  return toBoolean(key) ? key : ''
}

/** What is private needs no password, and loses the one it has. */
function passwordOf(given: string | undefined, status: string): string {
  return status === 'private' ? '' : toText(given)
}

type Dates = Pick<RecordChange, 'date' | 'date_gmt'>

/** A draft that was never dated moves with the present until somebody gives it a date. */
function changedDates(old: PostRow, { date, date_gmt: dateGmt }: RecordChange): Dates {
  const undated = isUndated(old.post_status) && isUnset(old.post_date_gmt)
  if (undated && date === undefined && dateGmt === undefined) return {}
  return { date: kept(date, old.post_date), date_gmt: kept(dateGmt, old.post_date_gmt) }
}

/** Of a date that names its zone the clock is stored as it is, and the other date is that of the moment. */
function datesOf(given: Dates, status: string, { clock }: WriteContext): Pick<PostRow, 'post_date' | 'post_date_gmt'> {
  const date = isUnset(given.date) ? null : validDate(toText(given.date))
  // PHP reads this one, which overlooks white space before it; `post_date` begins with its year.
  const dateGmt = isUnset(given.date_gmt) ? null : validDate(phpTrimStart(toText(given.date_gmt)))
  if (dateGmt === null) {
    const local = date?.stored ?? localNow(clock)
    const zone = date?.zone ?? clock.zone
    return { post_date: local, post_date_gmt: isUndated(status) ? zeroDate : utcFromLocal(local, zone) }
  }
  const utc = dateGmt.zone === null ? dateGmt.stored : utcFromLocal(dateGmt.stored, dateGmt.zone)
  return { post_date: date?.stored ?? localFromUtc(utc, clock.zone), post_date_gmt: dateGmt.stored }
}

function validDate(text: string): ReadDate {
  const date = readDate(text)
  if (date === null) throw new RecordRejectedError('invalid_date', 'Invalid date.')
  return date
}

function defaultStatus(support: 'comments' | 'trackbacks', name: string, { types, site }: WriteContext): string {
  const type = types.get(name)
  if (name === 'page' || !type?.supports.has(support)) return 'closed'
  return support === 'comments' ? site.defaultCommentStatus : site.defaultPingStatus
}

/** Only a type that has all three texts insists on one of them; `0` is no text to WordPress. */
function refuseEmpty(texts: Texts, type: string, { types }: WriteContext): void {
  const supports = types.get(type)?.supports
  if (type === 'attachment' || !['title', 'editor', 'excerpt'].every((part) => supports?.has(part))) return
  if ([texts.post_title, texts.post_content, texts.post_excerpt].every((text) => !toBoolean(text)))
    throw new RecordRejectedError('empty_content', 'Content, title, and excerpt are empty.')
}
