import type { Caller } from '../http/caller.js'
import type { Site } from './site.js'
import type { Storage } from '../database/storage.js'
import type { Clock } from './dates.js'
import type { RecordTypes } from './record-types.js'
import type { SharedTables } from './wordpress-tasks.js'

/** The services and settings that one write depends on. */
export interface WriteContext {
  /** The storage of the write's transaction. */
  readonly storage: Storage
  readonly types: RecordTypes
  readonly site: Site
  readonly caller: Caller
  readonly clock: Clock
  /** How many revisions a record keeps, as WP_POST_REVISIONS; left out or negative: all. */
  readonly revisions?: number
  /** Left out or null for a database of our own. */
  readonly shared?: SharedTables | null
}
