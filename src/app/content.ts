import { currentClientWork } from '../auth/current-user.js'
import { StoredRoles } from '../auth/roles.js'
import { ThreadedPasswordHasher, type HashingOptions } from '../auth/threaded-password-hasher.js'
import { CommitHooks } from '../content/commit-hooks.js'
import type { CommittedChange } from '../content/committed-change.js'
import { DeclaredValues } from '../content/declared-values.js'
import { DeferredSite } from '../content/deferred-site.js'
import type { RecordStore } from '../content/record-store.js'
import { PublicationSchedule } from '../content/publication-schedule.js'
import { Records } from '../content/records.js'
import { deleteRecordsOf } from '../content/records-of-author.js'
import { JobQueue } from '../content/job-queue.js'
import { JobRunner } from '../content/job-runner.js'
import { RecordTypes, type RecordTypeDeclarations } from '../content/record-types.js'
import { SiteOptions } from '../content/site-options.js'
import { Terms } from '../content/terms.js'
import { Users } from '../content/users.js'
import { sharedTables } from '../content/wordpress-tasks.js'
import { AmbientStorage } from '../database/ambient-storage.js'
import { DeferredStorage } from '../database/deferred-storage.js'
import type { Storage } from '../database/storage.js'
import { configuredClock } from './duration-clock.js'
import type { ResolvedOptions } from './options.js'

/** An entry in the list of changes of a transaction: it has enqueued a job, so that the runner is woken after the commit. */
const jobEnqueued = Symbol('job enqueued')

/** The stores and services for the data of an application. All can be injected before the database is open. */
export interface Content {
  readonly storage: DeferredStorage
  /** The same data for calls that take part in the transaction in which they are made, if any. */
  readonly ambientStorage: Storage & { readonly isInTransaction: boolean }
  readonly site: DeferredSite
  readonly types: RecordTypes
  /** The implementation of the application where it provides one. */
  readonly records: RecordStore
  /** The functions that run after writes of records; null where no type declares any. */
  readonly hooks: CommitHooks | null
  /** Null where the application has no jobs. */
  readonly jobRunner: JobRunner | null
  readonly schedule: PublicationSchedule
  readonly terms: Terms
  readonly siteOptions: SiteOptions
  readonly users: Users
  readonly roles: StoredRoles
  readonly hasher: ThreadedPasswordHasher
}

/**
 * Creates the stores and services for the data of an application.
 * @param declarations of the record types. Empty when the options have faults, because faulty ones cannot be read.
 * @param hashing default: see `ThreadedPasswordHasher`.
 */
export function createContent(
  options: ResolvedOptions,
  declarations?: RecordTypeDeclarations,
  hashing?: HashingOptions,
): Content {
  const { clock, table_prefix: prefix, wordpressConfig } = options
  const storage = new DeferredStorage()
  const types = new RecordTypes(declarations, undeclaredTypes(options, declarations))
  const hooks = types.all().some(({ afterCommit }) => afterCommit !== null) ? new CommitHooks(types) : null
  const jobs = new Map((options.jobs ?? []).map((job) => [job.name, job]))
  const jobClock = configuredClock(clock)
  const jobRunner = jobs.size === 0 ? null : new JobRunner({ jobs, rows: () => storage.jobs, clock: jobClock })
  // For the data of the application. The service itself reads roles and the schedule from `storage`, because it must not see
  // rows that a transaction has not committed.
  const ambient = new AmbientStorage<CommittedChange | typeof jobEnqueued>(storage, (effects) => {
    hooks?.committed(effects.filter((effect) => effect !== jobEnqueued))
    if (effects.includes(jobEnqueued)) jobRunner?.wake()
  })
  const jobQueue = new JobQueue({
    jobs,
    rows: () => ambient.jobs,
    clock: jobClock,
    requestId: () => currentClientWork()?.requestId ?? null,
    onEnqueued: () => ambient.written([jobEnqueued]),
  })
  const site = new DeferredSite(options.base_url)
  const hasher = new ThreadedPasswordHasher(hashing)
  // The options are read by another connection of the pool. A transaction, which holds one, must not wait for another.
  const siteRefreshed = (): Promise<void> | null => (ambient.isInTransaction ? null : site.refreshed())
  hasher.formatRefreshed = siteRefreshed
  const roles = new StoredRoles(storage, prefix, options.roles)
  const records = new Records({
    storage: ambient,
    site,
    types,
    clock,
    ...(wordpressConfig && {
      siteRefreshed,
      revisions: wordpressConfig.postRevisions,
      hasTrash: wordpressConfig.emptyTrashDays !== 0,
      shared: sharedTables(() => storage.narrowColumns),
    }),
    jobs: jobQueue,
    afterCommit: hooks && { hooks, written: (changes) => ambient.written(changes) },
  })
  return {
    storage,
    ambientStorage: ambient,
    site,
    types,
    records,
    hooks,
    jobRunner,
    schedule: new PublicationSchedule({ storage, site, types, clock, hooks }),
    terms: new Terms(ambient, types, new DeclaredValues('term_meta', options.term_meta), wordpressConfig !== null),
    siteOptions: new SiteOptions(ambient, new DeclaredValues('site_options', options.site_options)),
    users: new Users({
      storage: ambient,
      hasher,
      roles: { current: () => (ambient.isInTransaction ? roles.currentIn(ambient) : roles.current()) },
      clock,
      prefix,
      ...(wordpressConfig && {
        sharesTables: true,
        deleteRecordsOf: (author: number) => deleteRecordsOf(author, { records, storage: ambient, types }),
      }),
      meta: new DeclaredValues('user_meta', options.user_meta),
    }),
    roles,
    hasher,
  }
}

/**
 * What happens with undeclared record types. An application that declares none may use any: a misspelt name cannot be told from
 * a type.
 */
function undeclaredTypes(
  { wordpressConfig }: ResolvedOptions,
  declarations: RecordTypeDeclarations = {},
): 'refused' | 'readable' | 'writable' {
  if (wordpressConfig !== null) return 'readable'
  return Object.keys(declarations).length === 0 ? 'writable' : 'refused'
}
