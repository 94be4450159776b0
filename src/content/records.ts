import { currentUser } from '../auth/current-user.js'
import { requireKnownFields } from '../base/known-fields.js'
import { requireBoolean, requireNumber } from '../base/value-type.js'
import { mapMaybePromise, type MaybePromise } from '../base/maybe-promise.js'
import type { Caller } from '../http/caller.js'
import type { Site } from './site.js'
import type { RowSet } from '../database/row-set.js'
import { lockName } from '../database/lock-name.js'
import type { Storage } from '../database/storage.js'
import {
  requireMetaKeys,
  requireNamesOfChange,
  requireNamesOfCondition,
  requireNamesOfNew,
  typesAmong,
} from './declared-names.js'
import type { CommitHooks } from './commit-hooks.js'
import { recordInside, type CommittedChange } from './committed-change.js'
import { deleteRecord } from './delete-record.js'
import type { Enqueued, Job } from './job.js'
import type { JobQueue } from './job-queue.js'
import { isBasisOf, linkBasis, Permalinks, type LinkBasis } from './permalinks.js'
import { postQuery } from './query.js'
import type {
  NewRecord,
  RecordChange,
  RecordField,
  RecordQuery,
  RecordSelection,
  RecordWith,
  StoredRecord,
} from './record.js'
import { readingOf, wholeRecord, type RecordModel, type RecordReading, type RecordRow } from './record-reading.js'
import { ExpectedRecord, noteMetaKeys, noteMetaKeysOfList, type RecordCondition } from './record-condition.js'
import { RecordStore, type SingleSelection } from './record-store.js'
import type { RecordTypes } from './record-types.js'
import type { MetaKey, RecordTypeName } from './registered.js'
import type { SharedTables } from './wordpress-tasks.js'
import type { WriteContext } from './write-context.js'
import { insertRecord, insertRecordAtOnce, updateRecord } from './write-record.js'

export interface RecordsOptions {
  readonly storage: Storage
  readonly types: RecordTypes
  readonly site: Site
  /** Called before the site is used. Resolves when its options are recent; null: they are. Default: they always are. */
  readonly siteRefreshed?: () => Promise<void> | null
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly clock?: () => number
  /** The user who reads and writes. Default: the caller of the request in progress. */
  readonly caller?: () => Caller
  /** See `WriteContext.revisions`. */
  readonly revisions?: number
  /** Whether a record that gets the status `trash` is kept. Default true; false: it is deleted, as with EMPTY_TRASH_DAYS 0. */
  readonly hasTrash?: boolean
  /** See `WriteContext.shared`. */
  readonly shared?: SharedTables
  /** Where jobs are stored. Left out: no job can be enqueued. */
  readonly jobs?: JobQueue
  /** Learns of writes once they are committed. Default: nothing does. */
  readonly afterCommit?: RecordEffects | null
}

/** The functions that run after writes of records. */
export interface RecordEffects {
  readonly hooks: CommitHooks
  /** Called when a write has succeeded, inside its transaction. */
  readonly written: (changes: readonly CommittedChange[]) => void
}

const optionsOfGet: ReadonlySet<string> = new Set([
  'type',
  'lock',
  'fields',
  'meta_keys',
] satisfies (keyof SingleSelection)[])

/** Links that depend on nothing but the rows, the record types and the basis. */
interface DerivedLinks {
  readonly basis: LinkBasis
  readonly links: readonly string[]
}

/** WordPress's rules for records (docs/wire.md#records) over the rows of any database. */
export class Records extends RecordStore {
  constructor(private readonly options: RecordsOptions) {
    super()
  }

  /** The same records for another caller than the current one: for imports and demo content. */
  as(caller: Caller): Records {
    return new Records({ ...this.options, caller: () => caller })
  }

  async get<
    const T extends RecordTypeName = RecordTypeName,
    const F extends RecordField = RecordField,
    const Key extends MetaKey<T> = MetaKey<T>,
  >(id: number, selection: SingleSelection<T, F, Key> = {}): Promise<RecordWith<F, T, Key> | null> {
    const { storage, types } = this.options
    // `Object.keys` would make a list for each record that is read.
    for (const name in selection)
      if (!optionsOfGet.has(name)) requireKnownFields(selection, optionsOfGet, 'A selection of a record')
    const { type, lock = false } = selection
    requireBoolean(lock, "'lock' of a selection of a record")
    const reading = readingOf(selection)
    if (type !== undefined || selection.meta_keys !== undefined) requireSelection(selection, types)
    if (!isRecordId(id)) return null
    const refreshing = this.options.siteRefreshed?.()
    if (refreshing) await refreshing
    if (lock) await storage.lock([lockName('post', id)])
    return (await this.#read(id, reading, storage, type)) as RecordWith<F, T, Key> | null
  }

  async list<
    const T extends RecordTypeName = RecordTypeName,
    const F extends RecordField = RecordField,
    const Key extends MetaKey<T> = MetaKey<T>,
  >(query: RecordQuery<T> & RecordSelection<F, Key>): Promise<readonly RecordWith<F, T, Key>[]> {
    const { storage, types, site, shared } = this.options
    const reading = readingOf(query)
    const refreshing = this.options.siteRefreshed?.()
    if (refreshing) await refreshing
    const tableQuery = postQuery(query, types, this.#caller(), site, shared !== undefined)
    if (query.meta_keys !== undefined) requireSelection(query, types)
    const rowSet = await storage.posts.list(tableQuery, reading.rowsFor(query, types))
    const read = mapMaybePromise(this.#recordsOf(rowSet, reading, storage), (records) => {
      if (query.meta_keys !== undefined) noteMetaKeysOfList(records, query.meta_keys)
      return records
    })
    return read as unknown as MaybePromise<readonly RecordWith<F, T, Key>[]>
  }

  async count<const T extends RecordTypeName = RecordTypeName>(query: RecordQuery<T>): Promise<number> {
    const { storage, types, site, shared } = this.options
    return storage.posts.count(postQuery(query, types, this.#caller(), site, shared !== undefined))
  }

  async insert<const T extends RecordTypeName = 'post'>(record: NewRecord<T>): Promise<StoredRecord<T>> {
    requireNamesOfNew(record, this.options.types)
    const inserted = (row: RecordRow, { storage }: WriteContext, changes: CommittedChange[]) =>
      mapMaybePromise(this.#permalinks(storage).linkOf(row.post), (link) => {
        const stored = wholeRecord.recordOf(row, link, this.options.types)
        if (this.#hasHooks(stored.type)) changes.push({ kind: 'inserted', record: structuredClone(stored) })
        return stored as StoredRecord<T>
      })
    const insert: Write<StoredRecord<T>> = async (context, changes) =>
      inserted(await insertRecord(record, context), context, changes)
    if (!this.options.storage.posts.insertAtOnce) return await this.#write(insert)
    return await this.#write(insert, (context, changes) =>
      insertRecordAtOnce(record, context).then((row) => row && inserted(row, context, changes)),
    )
  }

  async update<const T extends RecordTypeName = RecordTypeName>(
    id: number,
    change: RecordChange<T>,
    condition: RecordCondition<T> = {},
  ): Promise<StoredRecord<T> | null> {
    const { meta, remove_meta } = change
    const written = [...Object.keys(meta ?? {}), ...(Array.isArray(remove_meta) ? remove_meta : [])]
    const expected = ExpectedRecord.of(condition, written)
    if (!isRecordId(id)) return null
    return this.#write(async (context, changes) => {
      await context.storage.lock([lockName('post', id)])
      const old = await context.storage.posts.find(id)
      if (old === null) return null
      requireNamesOfChange(change, old.post_type, context.types)
      requireNamesOfCondition(condition, old.post_type, context.types)
      await this.#check(expected, id, context.storage)
      const isDeleted = this.options.hasTrash === false && change.status === 'trash' && old.post_status !== 'trash'
      const before = isDeleted || this.#hasHooks(old.post_type) ? await recordInside(id, context) : null
      if (isDeleted) {
        await deleteRecord(old, context)
        if (before !== null && this.#hasHooks(old.post_type)) changes.push({ kind: 'deleted', record: before })
        return before as StoredRecord<T> | null
      }
      await updateRecord(old, change, context)
      const record = await this.#read(id, wholeRecord, context.storage)
      if (before !== null && record !== null) changes.push({ kind: 'updated', record: structuredClone(record), before })
      return record as StoredRecord<T> | null
    })
  }

  async delete(id: number, condition: RecordCondition = {}): Promise<boolean> {
    const expected = ExpectedRecord.of(condition)
    if (!isRecordId(id)) return false
    return this.#write(async (context, changes) => {
      await context.storage.lock([lockName('post', id)])
      const row = await context.storage.posts.find(id)
      if (row === null) return false
      requireNamesOfCondition(condition, row.post_type, context.types)
      await this.#check(expected, id, context.storage)
      const record = this.#hasHooks(row.post_type) ? await recordInside(id, context) : null
      const isDeleted = await deleteRecord(row, context)
      if (record !== null && isDeleted) changes.push({ kind: 'deleted', record })
      return isDeleted
    })
  }

  async transaction<T>(work: (records: RecordStore) => Promise<T>): Promise<T> {
    await this.options.siteRefreshed?.()
    return this.options.storage.transaction(() => work(this))
  }

  async enqueue<Payload>(job: Job<Payload> | string, ...[payload, options]: Enqueued<Payload>): Promise<number> {
    const { jobs } = this.options
    if (jobs === undefined) throw new Error('records.enqueue works in a service only.')
    return jobs.enqueue(job, payload, options)
  }

  async #check(expected: ExpectedRecord | null, id: number, storage: Storage): Promise<void> {
    if (expected === null) return
    const record = await this.#read(id, expected.reading, storage)
    if (record !== null) expected.check(record)
  }

  /** @param atOnce runs first, outside a transaction. Where it resolves to null, nothing was stored and `work` runs. */
  async #write<T>(work: Write<T>, atOnce: Write<T | null> | null = null): Promise<T> {
    const refreshing = this.options.siteRefreshed?.()
    if (refreshing) await refreshing
    const { types, site, clock = Date.now, afterCommit, revisions = -1, shared = null } = this.options
    const caller = this.#caller()
    const now = clock()
    const contextOf = (storage: Storage): WriteContext => ({
      storage,
      types,
      site,
      caller,
      clock: { now, zone: site.timeZone },
      revisions,
      shared,
    })
    const { storage } = this.options
    const writeInside = (changes: () => CommittedChange[]): Promise<T> =>
      storage.write((inside) => work(contextOf(inside), changes()))
    const write = atOnce
      ? (changes: () => CommittedChange[]): Promise<T> =>
          atOnce(contextOf(storage), changes()).then((result) => result ?? writeInside(changes))
      : writeInside
    return await (afterCommit ? withEffects(write, afterCommit) : write(() => []))
  }

  #hasHooks(type: string): boolean {
    return this.options.afterCommit?.hooks.isDeclaredFor(type) ?? false
  }

  /** @param type a record of another type is not found; undefined: any type. */
  #read(
    id: number,
    reading: RecordReading,
    storage: Storage,
    type?: string | readonly string[],
  ): Promise<StoredRecord | null> {
    return storage.posts.findWithMeta([id], reading.rows).then((rowSet) => {
      const [row] = rowSet.rows
      if (row !== undefined && type !== undefined && !isOfType(row.post.post_type, type)) return null
      return mapMaybePromise(this.#recordsOf(rowSet, reading, storage), ([record]) => {
        if (record === undefined) return null
        if (!reading.isWhole) noteMetaKeys(record, reading.rows.metaKeys ?? null)
        return record
      })
    })
  }

  #recordsOf(rowSet: RowSet<RecordRow>, reading: RecordReading, storage: Storage): MaybePromise<StoredRecord[]> {
    const links = reading.hasLink ? this.#linksOf(rowSet, storage) : []
    return mapMaybePromise(links, (links) => this.#recordsWith(links, rowSet, reading))
  }

  #recordsWith(links: readonly string[], rowSet: RowSet<RecordRow>, reading: RecordReading): StoredRecord[] {
    const models = this.#modelsOf(rowSet, reading)
    return rowSet.rows.map((row, index) => {
      const model = models?.[index] ?? null
      const link = links[index] ?? ''
      return model === null ? reading.recordOf(row, link, this.options.types) : reading.copyOf(model, link)
    })
  }

  /** The models of cached rows; null for rows that are not cached. An entry is null when its record cannot be copied. */
  #modelsOf({ rows, derived }: RowSet<RecordRow>, reading: RecordReading): readonly (RecordModel | null)[] | null {
    if (derived === null) return null
    let models = derived.get<readonly (RecordModel | null)[]>(reading.modelsName)
    if (!models) {
      models = rows.map((row) => reading.modelOf(row, this.options.types))
      derived.set(reading.modelsName, models)
    }
    return models
  }

  /** The links of cached rows, and links that need no query, are returned without a promise. */
  #linksOf({ rows, derived }: RowSet<RecordRow>, storage: Storage): MaybePromise<readonly string[]> {
    const cached = derived?.get<DerivedLinks>('links')
    if (cached && isBasisOf(this.options.site, cached.basis)) return cached.links
    const permalinks = this.#permalinks(storage)
    const links = rows.map(({ post }) => permalinks.linkOf(post))
    // A link that takes a query may depend on the caller; one that is computed at once does not.
    if (!links.every((link) => typeof link === 'string')) return Promise.all(links)
    derived?.set('links', { basis: linkBasis(this.options.site), links } satisfies DerivedLinks)
    return links
  }

  #permalinks(storage: Storage): Permalinks {
    const { types, site } = this.options
    return new Permalinks(storage, types, site, this.#caller())
  }

  #caller(): Caller {
    return (this.options.caller ?? currentUser)()
  }
}

const isOfType = (name: string, types: string | readonly string[]): boolean =>
  typeof types === 'string' ? name === types : types.includes(name)

/** @throws UndeclaredNameError for a type or a key of metadata that is not declared. */
function requireSelection(
  { type, meta_keys: keys }: { readonly type?: RecordQuery['type']; readonly meta_keys?: readonly string[] },
  types: RecordTypes,
): void {
  const among = typesAmong(type, types)
  if (among !== null && keys !== undefined) requireMetaKeys(keys, among)
}

/** @param changes to which the work adds what it does to records that have functions in `after_commit`. */
type Write<T> = (context: WriteContext, changes: CommittedChange[]) => Promise<T>

async function withEffects<T>(
  write: (changes: () => CommittedChange[]) => Promise<T>,
  { hooks, written }: RecordEffects,
): Promise<T> {
  hooks.requireRoom()
  let changes: CommittedChange[] = []
  // The work may run again. Only its last attempt is stored.
  const result = await write(() => (changes = []))
  if (changes.length > 0) written(changes)
  return result
}

/** Whether a record can have this id. @throws TypeError for a value that is not a number. */
function isRecordId(id: number): boolean {
  requireNumber(id, 'The id of a record')
  return Number.isSafeInteger(id) && id > 0
}
