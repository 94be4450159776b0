import { StoredRoles } from '../auth/roles.js'
import { ThreadedPasswordHasher, type HashingOptions } from '../auth/threaded-password-hasher.js'
import { DeferredSite } from '../content/deferred-site.js'
import type { RecordStore } from '../content/record-store.js'
import { PublicationSchedule } from '../content/publication-schedule.js'
import { Records } from '../content/records.js'
import { RecordTypes, type RecordTypeDeclarations } from '../content/record-types.js'
import { SiteOptions } from '../content/site-options.js'
import { Terms } from '../content/terms.js'
import { Users } from '../content/users.js'
import { AmbientStorage } from '../database/ambient-storage.js'
import { DeferredStorage } from '../database/deferred-storage.js'
import type { ResolvedOptions } from './options.js'

/** What an application keeps in its database. Everything can be injected before the database is open. */
export interface Content {
  readonly storage: DeferredStorage
  readonly site: DeferredSite
  readonly types: RecordTypes
  /** The implementation of the application where it provides one. */
  readonly records: RecordStore
  readonly schedule: PublicationSchedule
  readonly terms: Terms
  readonly siteOptions: SiteOptions
  readonly users: Users
  readonly roles: StoredRoles
  readonly hasher: ThreadedPasswordHasher
}

/**
 * @param declarations of the record types. Empty when the options have faults, because faulty ones cannot be read.
 * @param hashing default: see `ThreadedPasswordHasher`.
 */
export function createContent(
  options: ResolvedOptions,
  declarations?: RecordTypeDeclarations,
  hashing?: HashingOptions,
): Content {
  const { clock, table_prefix: prefix } = options
  const storage = new DeferredStorage()
  // What the service itself keeps, such as roles and the schedule, must not see what a transaction has not committed.
  const ambient = new AmbientStorage(storage)
  const site = new DeferredSite(options.base_url)
  const types = new RecordTypes(declarations, options.wordpressConfig === null ? 'refused' : 'readable')
  const hasher = new ThreadedPasswordHasher(hashing)
  const roles = new StoredRoles(storage, prefix, options.roles)
  return {
    storage,
    site,
    types,
    records: new Records({ storage: ambient, site, types, clock }),
    schedule: new PublicationSchedule({ storage, site, types, clock }),
    terms: new Terms(ambient, types),
    siteOptions: new SiteOptions(ambient),
    users: new Users({
      storage: ambient,
      hasher,
      roles,
      clock,
      prefix,
      hasWholeProfiles: options.wordpressConfig !== null,
    }),
    roles,
    hasher,
  }
}
