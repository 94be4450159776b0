import type { MaybePromise } from '../base/maybe-promise.js'
import { lockName } from '../database/lock-name.js'
import { toBoolean } from '../php/cast.js'
import { decodePercent } from '../http/percent.js'
import { bytesOf } from '../php/bytes.js'
import { encodedBytesUpTo } from '../sanitizers/percent-encoding.js'
import { sanitizeTitle } from '../sanitizers/title.js'
import type { FreeSlug, Storage } from '../database/storage.js'
import { StorageError } from '../database/storage-error.js'
import { firstFreeName } from './free-name.js'
import type { RecordTypes } from './record-types.js'

/** The length of the column, in characters. */
export const maxSlugLength = 200

/** A text of an address in the form of a stored slug: in lower case, with other scripts percent-encoded. */
export function storedSlug(text: string): string {
  return sanitizeTitle(text, 'save')
}

/** The last segments of feed addresses and of embed addresses. */
const reservedSlugs = new Set(['feed', 'rdf', 'rss', 'rss2', 'atom', 'embed'])

interface SlugRequest {
  readonly slug: string
  readonly type: string
  readonly status: string
  readonly parent: number
  /** The id of the record; 0 for a new one. */
  readonly id: number
  /** The current slug of the record; empty for a new one. */
  readonly currentSlug: string
  /** False when no other record of any type has this slug. No query is needed then. */
  readonly isUsed: boolean
}

/** Maximum number of attempts to find a free number and to lock its slug before another writer stores that slug. */
const maxAttempts = 10

/** `storage` must be that of the write's transaction, in which the requested slug is locked. */
export interface SlugContext {
  readonly storage: Storage
  readonly types: RecordTypes
  readonly permalinkStructure: string
}

/**
 * The slug, with the first free suffix of `-2`, `-3`, … when it is reserved or another record has it. WordPress's rules
 * apply: the slugs of drafts need not be unique. The slug of a flat type is unique within the type. The slug of a
 * hierarchical type is unique among the records and attachments with the same parent. The slug of an attachment is unique
 * among all types.
 * Rules: docs/wire.md#slugs.
 */
export function uniqueSlug(request: SlugRequest, context: SlugContext): MaybePromise<string> {
  const { slug, isUsed } = request
  if (!isUnique(request)) return slug
  const isRefused = isReserved(request, context)
  // WordPress selects the slug and tests the result as a boolean, so `0` is never taken.
  if (!isRefused && (!isUsed || !toBoolean(slug))) return slug
  return numberedSlug(request, isRefused, context)
}

async function numberedSlug(request: SlugRequest, isRefused: boolean, context: SlugContext): Promise<string> {
  const { slug } = request
  const others = compared(request, context)
  const { storage } = context
  const firstFree = (slugs: readonly string[]): Promise<string | null> =>
    storage.posts.firstFreeSlug({ slugs, ...others })
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const candidate = await firstFreeName(slugsLike(slug), isRefused ? 2 : 1, firstFree)
    if (candidate === slug) return slug
    const mayBeOutdated = await lockSlug(candidate, storage)
    // A record whose own name is the numbered slug may have been stored before it was locked.
    if (!mayBeOutdated || (await firstFree([candidate])) === candidate) return candidate
  }
  throw new StorageError('busy', 'Other writers took every number that was free for a slug.')
}

/**
 * Keeps every other writer from storing this slug until the transaction ends. Numbered variants are other slugs: titles that
 * end in different numbers never wait for each other.
 */
export const lockSlug = (slug: string, storage: Storage): Promise<boolean> => storage.lock([slugLock(slug)])

export const slugLock = (slug: string): string => lockName('slug', slug)

/** Whether a record of this type and status has its slug for itself. */
export function isUnique({ type, status }: { readonly type: string; readonly status: string }): boolean {
  if (type === 'revision' && status === 'inherit') return false
  return status !== 'draft' && status !== 'pending' && status !== 'auto-draft'
}

/** The slug itself for the number 1, and `slug-2`, `slug-3`, … for the others. */
function slugsLike(slug: string): (number: number) => string {
  let start = slug
  let suffixLength = 0
  return (number) => {
    if (number === 1) return slug
    const suffix = `-${number}`
    if (suffix.length !== suffixLength) {
      suffixLength = suffix.length
      start = shortened(slug, maxSlugLength - suffixLength)
    }
    return start + suffix
  }
}

/** The records whose slugs the record may not have. */
function compared({ type, parent, id }: SlugRequest, { types }: SlugContext): Omit<FreeSlug, 'slugs'> {
  if (type === 'attachment') return { types: types.all().map(({ name }) => name), exceptId: id }
  if (types.get(type)?.hierarchical === true) return { types: [type, 'attachment'], parent, exceptId: id }
  return { types: [type], exceptId: id }
}

/** Whether an address with the slug would be read as something else: a feed, an embed, a numbered page or a date. */
export function isReserved(
  { slug, type, currentSlug }: Pick<SlugRequest, 'slug' | 'type' | 'currentSlug'>,
  { types, permalinkStructure }: Omit<SlugContext, 'storage'>,
): boolean {
  if (reservedSlugs.has(slug)) return true
  if (types.get(type)?.hierarchical === true) return /^(page)?\d+$/.test(slug)
  return type === 'post' && slug !== currentSlug && /^\d+$/.test(slug) && readsAsDate(Number(slug), permalinkStructure)
}

/** Whether a number in the place of the slug would be read as the number of a page, a month or a day. */
function readsAsDate(number: number, permalinkStructure: string): boolean {
  if (number === 0) return false
  const segments = permalinkStructure.split('/').filter((segment) => segment !== '')
  const index = segments.indexOf('%postname%')
  if (index === 0) return true
  const previous = segments[index - 1]
  return (previous === '%year%' && number < 13) || (previous === '%monthnum%' && number < 32)
}

/**
 * The start of a slug, at most `maxLength` characters. It does not split a percent-encoded character or end with `-`. As in
 * WordPress, a slug that is too long is encoded again, which writes characters of ASCII as `%0D`.
 */
export function shortened(slug: string, maxLength: number): string {
  const start = slug.length <= maxLength ? slug : cutOff(slug, maxLength)
  let end = start.length
  while (start[end - 1] === '-') end -= 1
  return start.slice(0, end)
}

function cutOff(slug: string, maxLength: number): string {
  const decoded = decodePercent(bytesOf(slug))
  return decoded === slug ? slug.slice(0, maxLength) : encodedBytesUpTo(bytesOf(decoded), maxLength)
}
