import { keyOfSelection, type PostColumn, type PostSelection, type PostWithMeta } from '../database/storage.js'
import { readMeta } from './meta.js'
import { flatLinkColumns, isFlat, linkedColumns } from './permalinks.js'
import type { RecordField, RecordQuery, RecordSelection, StoredRecord } from './record.js'
import type { RecordTypes } from './record-types.js'

/** The columns of each field, in the order in which a record shows its fields. */
const columnsOf = {
  id: [],
  type: ['post_type'],
  status: ['post_status'],
  title: ['post_title'],
  content: ['post_content'],
  excerpt: ['post_excerpt'],
  slug: ['post_name'],
  author: ['post_author'],
  parent: ['post_parent'],
  date: ['post_date'],
  modified: ['post_modified_gmt'],
  link: linkedColumns,
  isProtected: ['post_password'],
  meta: ['post_type'],
} as const satisfies Record<RecordField, readonly PostColumn[]>

export type RecordColumn = (typeof columnsOf)[RecordField][number]

/** Has the columns of the fields that are read, and no others. */
export type RecordRow = PostWithMeta<RecordColumn>

/** What the fields of a record depend on besides its row. */
interface RecordContext {
  readonly types: RecordTypes
  /** The permalink; empty when it was not selected. */
  readonly link: string
  /** Keys of the metadata that was read; `null`: all. */
  readonly metaKeys: readonly string[] | null
}

const valueOf: { readonly [F in RecordField]: (row: RecordRow, context: RecordContext) => StoredRecord[F] } = {
  id: ({ post }) => post.ID,
  type: ({ post }) => post.post_type,
  status: ({ post }) => post.post_status,
  title: ({ post }) => post.post_title,
  content: ({ post }) => post.post_content,
  excerpt: ({ post }) => post.post_excerpt,
  slug: ({ post }) => post.post_name,
  author: ({ post }) => post.post_author,
  parent: ({ post }) => post.post_parent,
  date: ({ post }) => post.post_date.replace(' ', 'T'),
  modified: ({ post }) => post.post_modified_gmt.replace(' ', 'T'),
  link: (_, { link }) => link,
  isProtected: ({ post }) => post.post_password !== '',
  meta: ({ post, meta }, { types, metaKeys }) => readMeta(meta, types.get(post.post_type), metaKeys),
}

/** The record of a cached row, of which further records are copied. */
export interface RecordModel {
  readonly record: StoredRecord
  readonly meta: readonly (readonly [key: string, value: unknown])[]
}

/** A compiled selection: the columns that it reads of the table, and how it makes a record of a row. */
export class RecordReading {
  /** The columns that are read of a record without a cached row. */
  readonly rows: PostSelection<RecordColumn>
  readonly hasLink: boolean
  /** Whether the records have all fields and all metadata. */
  readonly isWhole: boolean
  /** The name of the models of this reading among the derived values of cached rows. */
  readonly modelsName: string
  readonly #flatRows: PostSelection<RecordColumn>
  readonly #fields: readonly RecordField[]
  readonly #metaKeys: readonly string[] | null
  readonly #hasMeta: boolean

  /** @throws RangeError for an unknown field, TypeError for a value that is not a list. */
  constructor({ fields, meta_keys: metaKeys }: RecordSelection) {
    const selected = fields === undefined ? allFields : namesIn(fields, 'fields')
    const unknown = selected.find((name) => !Object.hasOwn(columnsOf, name))
    if (unknown !== undefined)
      throw new RangeError(`Records have no field '${unknown}'. Use one of ${allFields.join(', ')}.`)
    this.#fields = allFields.filter((field) => field === 'id' || selected.includes(field))
    this.#metaKeys = metaKeys === undefined ? null : [...namesIn(metaKeys, 'meta_keys')]
    const hasMeta = this.#fields.includes('meta')
    this.#hasMeta = hasMeta
    if (!hasMeta && metaKeys !== undefined)
      throw new RangeError(`'meta_keys' names metadata to read, but 'meta' is not among the fields.`)
    this.hasLink = this.#fields.includes('link')
    this.isWhole = this.#fields.length === allFields.length && metaKeys === undefined
    this.modelsName = `models ${JSON.stringify([this.#fields, this.#metaKeys])}`
    const keys = hasMeta ? this.#metaKeys : []
    const selection = (linkColumns: readonly RecordColumn[]): PostSelection<RecordColumn> => {
      const columnsFor = (field: RecordField) => (field === 'link' ? linkColumns : columnsOf[field])
      // The type is always read, because the response cache tracks what a response depends on by type.
      const columns = [...new Set<RecordColumn>(['post_type', ...this.#fields.flatMap(columnsFor)])]
      const selection = keys === null ? { columns } : { columns, metaKeys: keys }
      return { ...selection, key: keyOfSelection(selection) }
    }
    this.rows = selection(linkedColumns)
    this.#flatRows = this.hasLink ? selection(flatLinkColumns) : this.rows
  }

  /** The columns that are read for a list. */
  rowsFor({ type: name, status }: RecordQuery, types: RecordTypes): PostSelection<RecordColumn> {
    const type = typeof name === 'string' ? types.get(name) : null
    return type !== null && isFlat(type) && (status ?? 'publish') === 'publish' ? this.#flatRows : this.rows
  }

  /** A new record with the requested fields. The caller may change it. */
  recordOf(row: RecordRow, link: string, types: RecordTypes): StoredRecord {
    const context = { types, link, metaKeys: this.#metaKeys }
    const record: Partial<Record<RecordField, unknown>> = {}
    for (const field of this.#fields) record[field] = valueOf[field](row, context)
    return record as unknown as StoredRecord
  }

  /** A model of which `copyOf` makes the same records as `recordOf` of this row; null where copies would share values. */
  modelOf(row: RecordRow, types: RecordTypes): RecordModel | null {
    const record = this.recordOf(row, '', types)
    const meta = this.#hasMeta ? Object.entries(record.meta) : []
    return meta.some(([, value]) => isShared(value)) ? null : { record, meta }
  }

  /** As `recordOf`, in a fraction of the time. */
  copyOf({ record, meta }: RecordModel, link: string): StoredRecord {
    const copy = { ...record }
    if (this.hasLink) copy.link = link
    if (this.#hasMeta) copy.meta = metaOf(meta)
    return copy
  }
}

const isShared = (value: unknown): boolean => typeof value === 'object' && value !== null

function metaOf(entries: RecordModel['meta']): StoredRecord['meta'] {
  const meta = Object.create(null) as Record<string, unknown>
  for (const [key, value] of entries) meta[key] = value
  return meta
}

const allFields = Object.keys(columnsOf) as RecordField[]

/** @param name names the option in the message. @throws TypeError for a value that is not a list of texts. */
function namesIn<T extends string>(names: readonly T[], name: string): readonly T[] {
  if (!Array.isArray(names) || names.some((each) => typeof each !== 'string'))
    throw new TypeError(`'${name}' must be a list of names.`)
  return names
}

/** Reads every field and all metadata. */
export const wholeRecord = new RecordReading({})

interface CachedReading {
  readonly fields: readonly string[] | undefined
  readonly metaKeys: readonly string[] | undefined
  readonly reading: RecordReading
}

/** Maximum number of cached readings: more than the selections of an application. */
const maxReadings = 64
/** Maximum length of the names of a cached reading together, in characters: enough for all fields and some metadata. */
const maxNamesLength = 2000
const cachedReadings: CachedReading[] = []

/**
 * The reading of a selection. Selections with the same names in the same order share one while it is cached.
 * @throws RangeError for an unknown field, TypeError for a value that is not a list.
 */
export function readingOf({ fields, meta_keys: metaKeys }: RecordSelection): RecordReading {
  if (fields === undefined && metaKeys === undefined) return wholeRecord
  // The names are compared one by one: joining them to a key takes twenty times as long.
  const cached = cachedReadings.find((each) => areSame(each.fields, fields) && areSame(each.metaKeys, metaKeys))
  if (cached !== undefined) return cached.reading
  const reading = new RecordReading({
    ...(fields !== undefined && { fields }),
    ...(metaKeys !== undefined && { meta_keys: metaKeys }),
  })
  const names = [...(fields ?? []), ...(metaKeys ?? [])].join('')
  if (names.length <= maxNamesLength) {
    if (cachedReadings.length >= maxReadings) cachedReadings.length = 0
    // Copies, because the caller may modify its lists.
    cachedReadings.push({ fields: fields && [...fields], metaKeys: metaKeys && [...metaKeys], reading })
  }
  return reading
}

function areSame(left: readonly string[] | undefined, right: readonly string[] | undefined): boolean {
  if (left === undefined || !Array.isArray(right)) return left === right
  return left.length === right.length && left.every((name, index) => name === right[index])
}
