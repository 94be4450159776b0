import { isMap } from '../../src/php/array-shape.js'
import { maybeUnserialize } from '../../src/php/serialize.js'
import { toFloat, toInteger } from '../../src/php/cast.js'
import { RecordRejectedError } from '../../src/content/record.js'
import { uniqueSlug } from '../../src/content/slug.js'
import type { Storage } from '../../src/database/storage.js'
import type { VectorCase, VectorFile } from '../vectors.js'
import { compare, compareRow, outcomeOf, type Outcome } from './compare.js'
import {
  callerWithRole,
  changeOf,
  recordedSite,
  recordOf,
  unslashed,
  type RecordedSite,
  type Supports,
} from './recorded-site.js'

type Input = Readonly<Record<string, unknown>>
export type OpenStorage = () => Promise<Storage>
type Replay = (recorded: VectorCase, open: OpenStorage, file: VectorFile) => Promise<Outcome>

/** By name of the file: runs one of its cases on an empty database. */
export const recordReplays: Readonly<Record<string, Replay>> = {
  'records-insert': insert,
  'records-html': html,
  'records-update': update,
  'records-delete': remove,
  'records-meta': meta,
  'records-slugs': slug,
  'records-permalinks': permalink,
}

/**
 * Why a case is not to be chased; null when it is. Impossible dates are PHP's repair: WordPress reads only the day of
 * `post_date`, hands anything to PHP as `post_date_gmt`, and stores what became of it; here they are `invalid_date`.
 */
export function excuseOf({ input, call }: VectorCase, actual: unknown): string | null {
  if (call !== undefined) return withoutCounterpart.has(String(call)) ? 'a call without counterpart' : null
  const refusal = isMap(actual) ? actual['$error'] : null
  if (!isMap(input) || !isMap(refusal) || refusal['code'] !== 'invalid_date') return null
  const { post_date: date, post_date_gmt: dateGmt } = input
  const hasDay = typeof date === 'string' && !isImpossible(date.replace(/[T ].*/s, ''))
  return isImpossible(dateGmt) || (hasDay && isImpossible(date)) ? 'an impossible date' : null
}

/** Whether it says no date (`tomorrow`), or a day or a time that does not exist. What follows its fields is no matter. */
function isImpossible(text: unknown): boolean {
  if (typeof text !== 'string' || /^$|^0000-00-00/.test(text)) return false
  const fields = /^\s*(\d{4})-(\d\d?)-(\d\d?)(?:$|[T ](\d\d?):(\d\d?)(?::(\d\d?))?)/.exec(text)?.slice(1)
  if (!fields) return true
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = fields.map((field) => Number(field ?? 0))
  const midnight = new Date(Date.UTC(year, month - 1, day))
  return (
    midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59
  )
}

async function insert(recorded: VectorCase, open: OpenStorage, file: VectorFile): Promise<Outcome> {
  const supports = file['postTypeSupports'] as Supports
  const { storage, records } = await recordedSite(open, { supports, gmtOffset: gmtOffsetOf(recorded) })
  const outcome = await outcomeOf(async () => {
    const { id } = await records(recorded['as']).insert(recordOf(recorded['input'] as Input))
    return storage.posts.find(id)
  })
  return compareRow(outcome, withAuthorIds(recorded.expect))
}

/** Hours: the file says that the time zone is UTC unless the rule names another, `gmt+2` or `gmt2`. */
function gmtOffsetOf({ id, rule = id }: VectorCase): number {
  return Number(/gmt([+-]?\d+)/i.exec(`${rule} ${id}`)?.[1] ?? 0)
}

/** Some recordings name the author by role. */
function withAuthorIds(expected: unknown): unknown {
  const { row } = expected as { row?: Input }
  if (typeof row?.['post_author'] !== 'string') return expected
  return { row: { ...row, post_author: callerWithRole(row['post_author']).id } }
}

async function html(recorded: VectorCase, open: OpenStorage): Promise<Outcome> {
  const { storage, records } = await recordedSite(open)
  const text = recorded['html'] as string
  const outcome = await outcomeOf(async () => {
    const texts = { title: text, content: text, excerpt: text }
    const { id } = await records(recorded['as']).insert({ ...texts, status: 'publish', type: 'product' })
    return storage.posts.find(id)
  })
  return compareRow(outcome, recorded.expect)
}

async function update(recorded: VectorCase, open: OpenStorage, file: VectorFile): Promise<Outcome> {
  const { storage, records } = await recordedSite(open)
  const input = recorded['input'] as Input
  const original = recordOf(file['original'] as Input)
  const from = recorded['from']
  const created =
    typeof from === 'string'
      ? await records('administrator', Number(file['created']) * 1000).insert({ ...original, status: from })
      : null
  const outcome = await outcomeOf(async () => {
    const updated = await records().update(created?.id ?? 0, changeOf(input, from))
    if (updated === null) throw new RecordRejectedError('invalid_post', 'Invalid post ID.')
    return storage.posts.find(updated.id)
  })
  return compareRow(outcome, recorded.expect)
}

/** WordPress puts posts and pages into the trash unless forced; here that is the status `trash`. */
async function remove(recorded: VectorCase, open: OpenStorage): Promise<Outcome> {
  const { storage, records } = await recordedSite(open)
  if (recorded['type'] === undefined) {
    const target = toInteger(recorded['target'])
    // WordPress tells what is missing (null) from what is no id (false); here there was nothing to delete either way.
    const nothing = target <= 0 ? false : null
    return compare((await records().delete(target)) ? 'the record' : nothing, recorded.expect)
  }
  const type = String(recorded['type'])
  const status = String(recorded['status'])
  const inserted = status === 'trash' ? 'publish' : status
  const { id } = await records().insert({ title: 'Bye', type, status: inserted, meta: { price: '5' } })
  if (status === 'trash') await records().update(id, { status })
  const trashed =
    recorded.rule?.startsWith('wp_trash_post') ||
    (!recorded['force'] && /^(post|page)$/.test(type) && status !== 'trash')
  const isTrashAlready = (await storage.posts.find(id))?.post_status === 'trash'
  if (trashed) await records().update(id, { status: 'trash' })
  const done = trashed ? !isTrashAlready : await records().delete(id)
  const row = await storage.posts.find(id)
  const expected = recorded.expect as { returns: unknown; rowAfter: Input | null; metaAfter: unknown }
  const after: Record<string, string[]> = {}
  for (const { key, value } of await storage.posts.meta.all(id)) (after[key] ??= []).push(value ?? '')
  const shown =
    row &&
    expected.rowAfter &&
    Object.fromEntries(Object.keys(expected.rowAfter).map((key) => [key, row[key as keyof typeof row]]))
  return compare(
    { returns: done ? 'the record' : false, rowAfter: shown, metaAfter: sorted(after) },
    { ...expected, metaAfter: sorted(expected.metaAfter) },
  )
}

function sorted(map: unknown): unknown {
  return Object.fromEntries(Object.entries(map as object).sort(([left], [right]) => (left < right ? -1 : 1)))
}

async function meta(recorded: VectorCase, open: OpenStorage): Promise<Outcome> {
  const site = await recordedSite(open)
  const { storage, records } = site
  const name = recorded['call']
  const meta = name === undefined ? { k: unslashed(recorded['input']) } : {}
  const { id } = await records().insert({ title: 'M', type: 'product', meta })
  if (name !== undefined) {
    const call = metaCalls.get(String(name))
    return call ? compare(await call({ id, site }), recorded.expect) : { passed: false, actual: 'an unknown call' }
  }
  const rows = await storage.posts.meta.read(id, 'k')
  const single = (await records().get(id))?.meta['k']
  const isArray = typeof single === 'object'
  const actual = {
    update: 'new id',
    rows: rows.length,
    stored: rows[0] ?? null,
    single,
    singleType: isArray ? 'array' : 'string',
    all: rows.map((value) => maybeUnserialize(value)),
    // What WordPress answers when nothing changes is not asked here.
    updateAgain: false,
    asFloat: isArray ? null : toFloat(single),
  }
  return compare(actual, recorded.expect)
}

type MetaCall = (record: { readonly id: number; readonly site: RecordedSite }) => Promise<unknown>

/** Odd calls of `get_post_meta` and its like that tell several values of one key apart: here a key has one value. */
const withoutCounterpart = new Set(['prev_value mismatch'])

/** The other odd calls. */
const metaCalls = new Map<string, MetaCall>([
  ['missing key', async ({ id, site }) => (await site.records().get(id))?.meta['missing'] ?? ''],
  ['missing post', async ({ site }) => (await site.records().get(999_999))?.meta['k'] ?? ''],
  ['post 0', async ({ site }) => (await site.records().get(0)) ?? false],
  ['non-numeric post', async ({ site }) => (await site.records().get(Number('abc'))) ?? false],
  ['update on post 0', async ({ site }) => (await site.records().update(0, { meta: { k: 'x' } })) ?? false],
  ['delete missing key', ({ id, site }) => site.storage.posts.meta.remove(id, 'missing')],
  ['empty key, update', (record) => writtenMeta('', record)],
  ['key of 300 characters', (record) => writtenMeta('k'.repeat(300), record)],
  ['key with quote', (record) => writtenMeta("it's", record)],
])

async function writtenMeta(key: string, { id, site }: Parameters<MetaCall>[0]): Promise<unknown> {
  try {
    return (await site.records().update(id, { meta: { [key]: 'x' } }))?.meta[key]
  } catch (error) {
    if (error instanceof RecordRejectedError) return false
    throw error
  }
}

async function slug(recorded: VectorCase, open: OpenStorage, file: VectorFile): Promise<Outcome> {
  const permalinkStructure = String(file['permalinkStructure'])
  const { storage, types, records } = await recordedSite(open, { structure: permalinkStructure })
  const ids = await insertExisting(file['existing'] as readonly string[], { records, storage })
  const idOf = (name: unknown): number => (typeof name === 'string' ? (ids.get(name) ?? 0) : 0)
  const id = idOf(recorded['postId'])
  const currentSlug = (await storage.posts.find(id))?.post_name ?? ''
  const { slug: wanted, status, type } = recorded as unknown as { slug: string; status: string; type: string }
  const question = { slug: wanted, status, type, parent: idOf(recorded['parent']), id, currentSlug, isUsed: true }
  const slug = await storage.write(async (inside) =>
    uniqueSlug(question, { storage: inside, types, permalinkStructure }),
  )
  return compare(slug, recorded.expect)
}

/** `post:hello`, `post:binned(trash)`, `page:about/team`, `post:a*200`. */
async function insertExisting(
  names: readonly string[],
  { records, storage }: Pick<RecordedSite, 'records' | 'storage'>,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const name of names) {
    const [, type = '', path = '', status = 'publish'] = /^(\w+):([^(]*)(?:\((\w+)\))?$/.exec(name) ?? []
    const segments = path
      .replace(/^(.)\*(\d+)$/, (_, character: string, times: string) => character.repeat(Number(times)))
      .split('/')
    const parent = segments.length > 1 ? (ids.get(`${type}:${segments[0]}`) ?? 0) : 0
    const { id } = await records().insert({ type, status, parent, title: 'Existing' })
    await storage.posts.update(id, { post_name: segments.at(-1) ?? '' })
    ids.set(name, id)
  }
  return ids
}

async function permalink(recorded: VectorCase, open: OpenStorage): Promise<Outcome> {
  const { storage, records } = await recordedSite(open, { structure: String(recorded['structure'] ?? '') })
  if (recorded['type'] === undefined)
    return compare((await records().get(Number(recorded['target']))) ?? false, recorded.expect)
  const type = String(recorded['type'])
  const parent =
    recorded['child'] === true ? (await records().insert({ type, title: 'Parent', status: 'publish' })).id : 0
  const date = '2025-03-04 05:06:07'
  const { id } = await records().insert({ type, parent, date, status: 'publish', title: 'My thing' })
  await storage.posts.update(id, { post_name: String(recorded['slug']), post_status: String(recorded['status']) })
  const link = (await records().get(id))?.link
  // On a cluster the id may be that of a number in the slug.
  const hasId = String(recorded.expect).includes('{id}')
  return compare(hasId ? link?.replace(new RegExp(`\\b${id}\\b`), '{id}') : link, recorded.expect)
}
