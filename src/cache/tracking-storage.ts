import type { MaybePromise } from '../base/maybe-promise.js'
import type { JobRows } from '../database/job-rows.js'
import type { KindVersions } from '../database/kind-versions.js'
import type { RowSet } from '../database/row-set.js'
import type {
  ChangeToken,
  MetaRows,
  OptionRows,
  PostColumn,
  PostQuery,
  PostRows,
  PostSelection,
  PostWithMeta,
  RowVersion,
  Storage,
  UserRows,
} from '../database/storage.js'
import type { TermRows } from '../database/term-rows.js'
import type { ScheduledRows } from '../database/scheduled-rows.js'
import { anyDependency, isTracking, trackDependency } from './dependencies.js'

/** A storage that tracks what is read, for cached responses. */
export class TrackingStorage implements Storage {
  readonly posts: PostRows
  readonly users: UserRows
  readonly terms: TermRows
  readonly options: OptionRows
  readonly jobs: JobRows
  readonly #stored: Storage

  constructor(stored: Storage) {
    this.#stored = stored
    this.posts = trackedPosts(stored.posts)
    this.users = trackedUsers(stored.users)
    this.terms = trackedTerms(stored.terms)
    this.options = trackedOptions(stored.options)
    this.jobs = stored.jobs
  }

  /** Reads inside a transaction belong to a write. They are not tracked one by one. */
  transaction<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
    trackDependency(anyDependency)
    return this.#stored.transaction(work)
  }

  write<T>(work: (storage: Storage) => Promise<T>, prepare?: () => Promise<void>): Promise<T> {
    trackDependency(anyDependency)
    return this.#stored.write(work, prepare)
  }

  lock(names: readonly string[]): Promise<boolean> {
    return this.#stored.lock(names)
  }

  changeToken(): Promise<ChangeToken> {
    return this.#stored.changeToken()
  }

  versionsAt(token: ChangeToken): MaybePromise<KindVersions> {
    return this.#stored.versionsAt(token)
  }

  writes(): number {
    return this.#stored.writes()
  }

  versions(): Promise<ReadonlyMap<string, RowVersion>> {
    return this.#stored.versions()
  }

  ping(): Promise<void> {
    return this.#stored.ping()
  }

  close(): Promise<void> {
    return this.#stored.close()
  }
}

function trackedPosts(stored: PostRows): PostRows {
  const trackQuery = ({ types, term, terms }: PostQuery): void => {
    trackDependency(...(types ?? [anyDependency]), ...((term ?? terms) === undefined ? [] : ['terms']))
  }
  return {
    async find(id) {
      const row = await stored.find(id)
      trackDependency(row?.post_type ?? anyDependency)
      return row
    },
    findWithMeta<C extends PostColumn>(ids: readonly number[], selection?: PostSelection<C>) {
      const reading = stored.findWithMeta(ids, selection)
      return isTracking() ? trackedRows(reading, ids.length) : reading
    },
    list(query, selection) {
      trackQuery(query)
      return stored.list(query, selection)
    },
    count(query) {
      trackQuery(query)
      return stored.count(query)
    },
    slugTaken(query) {
      trackDependency(...(query.types ?? [anyDependency]))
      return stored.slugTaken(query)
    },
    firstFreeSlug(query) {
      trackDependency(...(query.types ?? [anyDependency]))
      return stored.firstFreeSlug(query)
    },
    termsOf(ids, taxonomies) {
      trackDependency('terms')
      return stored.termsOf(ids, taxonomies)
    },
    insert: (row, meta) => stored.insert(row, meta),
    ...(stored.insertAtOnce && { insertAtOnce: stored.insertAtOnce }),
    update: (id, change) => stored.update(id, change),
    delete: (id) => stored.delete(id),
    moveChildren: (move) => stored.moveChildren(move),
    hideComments: (id) => stored.hideComments(id),
    showComments: (statuses) => stored.showComments(statuses),
    setTerms: (id, taxonomy, termIds) => stored.setTerms(id, taxonomy, termIds),
    meta: trackedMeta(stored.meta, anyDependency),
    scheduled: trackedScheduled(stored.scheduled),
  }
}

async function trackedRows<C extends PostColumn>(
  reading: Promise<RowSet<PostWithMeta<C>>>,
  count: number,
): Promise<RowSet<PostWithMeta<C>>> {
  const rowSet = await reading
  for (const { post } of rowSet.rows) trackDependency('post_type' in post ? String(post.post_type) : anyDependency)
  if (rowSet.rows.length < count) trackDependency(anyDependency)
  return rowSet
}

function trackedScheduled(stored: ScheduledRows): ScheduledRows {
  return {
    due: (until, after, limit) => (trackDependency(anyDependency), stored.due(until, after, limit)),
    publish: (id, until) => (trackDependency(anyDependency), stored.publish(id, until)),
  }
}

function trackedUsers(stored: UserRows): UserRows {
  return {
    find: (key) => (trackDependency('users'), stored.find(key)),
    findMany: (ids) => (trackDependency('users'), stored.findMany(ids)),
    findWithMeta: (key, metaKeys) => (trackDependency('users'), stored.findWithMeta(key, metaKeys)),
    list: (query) => (trackDependency('users'), stored.list(query)),
    count: (query) => (trackDependency('users'), stored.count(query)),
    insert: (row) => stored.insert(row),
    update: (id, change) => stored.update(id, change),
    delete: (id, heir) => stored.delete(id, heir),
    firstFreeNicename: (nicenames, exceptId) => (
      trackDependency('users'),
      stored.firstFreeNicename(nicenames, exceptId)
    ),
    meta: trackedMeta(stored.meta, 'users'),
  }
}

/** @param tag of the rows that the metadata belongs to. */
function trackedMeta(stored: MetaRows, tag: string): MetaRows {
  return {
    read: (id, key) => (trackDependency(tag), stored.read(id, key)),
    all: (id) => (trackDependency(tag), stored.all(id)),
    ownersOf: (key, value, limit) => (trackDependency(tag), stored.ownersOf(key, value, limit)),
    add: (id, key, value) => stored.add(id, key, value),
    write: (id, key, value) => stored.write(id, key, value),
    replace: (id, key, expected, value) => (trackDependency(tag), stored.replace(id, key, expected, value)),
    remove: (id, key) => stored.remove(id, key),
  }
}

function trackedTerms(stored: TermRows): TermRows {
  return {
    find: (taxonomy, key) => (trackDependency('terms'), stored.find(taxonomy, key)),
    findMany: (taxonomy, ids) => (trackDependency('terms'), stored.findMany(taxonomy, ids)),
    list: (taxonomy) => (trackDependency('terms'), stored.list(taxonomy)),
    insert: (term) => stored.insert(term),
    delete: (taxonomy, id) => stored.delete(taxonomy, id),
    firstFreeSlug: (taxonomy, slugs) => (trackDependency('terms'), stored.firstFreeSlug(taxonomy, slugs)),
    meta: trackedMeta(stored.meta, 'terms'),
  }
}

function trackedOptions(stored: OptionRows): OptionRows {
  return {
    read: (name) => (trackDependency('options'), stored.read(name)),
    readMany: (names) => (trackDependency('options'), stored.readMany(names)),
    write: (name, value, isAutoloaded) => stored.write(name, value, isAutoloaded),
    writeOnce: (name, value) => (trackDependency('options'), stored.writeOnce(name, value)),
    remove: (name) => stored.remove(name),
  }
}
