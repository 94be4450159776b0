import { currentClientWork } from '../auth/current-user.js'
import { TrackingStorage } from '../cache/tracking-storage.js'
import { WrittenRowsStorage } from '../cache/written-rows.js'
import type { OpenedStorage, StoreWarning } from '../database/store-adapter.js'
import { logError } from '../log/log-error.js'
import { Companion } from './companion.js'
import { ForeignWrites, type OtherWorkers } from './foreign-writes.js'
import type { Plan } from './plan.js'
import { sharedLimits, type SharedLimits } from './shared-limits.js'
import { openServiceStorage, openStorage, storeAdapterOf } from './stores.js'

interface OpenedResources {
  readonly storage: OpenedStorage
  /** The responses to requests with an idempotency key. */
  readonly storedResponses: OpenedStorage['storedResponses']
  /** Null where each process counts for itself. */
  readonly limits: SharedLimits | null
}

interface OpenOptions {
  readonly signal: AbortSignal | undefined
  readonly onDatabaseWait: () => void
}

/** What a service opens besides its plan: databases, shared limits, the messages of the companion plugin. */
export class Resources {
  readonly foreignWrites: ForeignWrites | null
  readonly companion: Companion | null
  readonly #plan: Plan
  #storage: OpenedStorage | null = null
  #serviceStorage: OpenedStorage | null = null
  #limits: SharedLimits | null = null

  /** @param workers the other workers of the command; null for none. */
  constructor(plan: Plan, workers: OtherWorkers | null) {
    const { options, log } = plan
    this.#plan = plan
    this.foreignWrites = options.wordpressConfig && new ForeignWrites(workers)
    this.companion =
      this.foreignWrites && options.companion && new Companion(options.companion.address, this.foreignWrites, log)
  }

  /**
   * @param signal ends the waiting for a server and for the first start of another process; its reason is thrown.
   * @param onDatabaseWait called for each database whose server cannot be reached and is waited for.
   * @throws StorageError. Whatever is thrown, `release` closes what was opened before.
   */
  async open({ signal, onDatabaseWait }: OpenOptions): Promise<OpenedResources> {
    const { options, application, content, log } = this.#plan
    const onWarning = (code: StoreWarning, detail: string) => {
      logError(log, code, { detail })
      if (code === 'database-waited-for') onDatabaseWait()
    }
    const startOf = (address: string) => {
      const onLong = () =>
        logError(log, 'first-start-waiting', { database: storeAdapterOf(address).locate(address).name })
      return { waiting: { onLong, ...(signal && { signal }) }, onWarning }
    }
    const usesCache =
      options.cache_bytes > 0 && application.routes.some(({ declaration }) => declaration.cache !== undefined)
    const storage = (this.#storage = await openStorage(options, 'start', {
      ...startOf(options.database),
      currentClientWork,
      reportedWrites: usesCache ? this.foreignWrites : null,
    }))
    await indexMeta(storage, this.#plan)
    const reporting = this.companion ? new WrittenRowsStorage(storage, this.companion.written) : storage
    content.storage.opened(usesCache ? new TrackingStorage(reporting) : reporting, storage.narrowColumns)
    const serviceStorage = (this.#serviceStorage = await openServiceStorage(
      options,
      startOf(options.service_database ?? ''),
    ))
    if (serviceStorage !== null) addServiceDatabase(serviceStorage, this.#plan)
    const limits = await sharedLimits(options.wordpressConfig === null ? storage : serviceStorage, options, log)
    this.#limits = limits
    return { storage, storedResponses: (serviceStorage ?? storage).storedResponses, limits }
  }

  /** Ends the work that goes on by itself, and closes what was opened. */
  async release(): Promise<void> {
    const { content, deferredLog } = this.#plan
    content.schedule.stop()
    await content.jobRunner?.cutOff()
    await this.companion?.close()
    await content.hasher.close()
    this.#limits?.close()
    await this.#serviceStorage?.close()
    await this.#storage?.close()
    await deferredLog.flushed()
  }
}

/** Lets the database keep records in the order of the metadata that are declared as indexed. */
async function indexMeta(storage: OpenedStorage, { content, log }: Plan): Promise<void> {
  const indexed = content.types.indexedKeys()
  if (storage.indexMeta === undefined || indexed.length === 0) return
  const namesOf = (keys: typeof indexed) => keys.map(({ type, key }) => `${type}.${key}`)
  const unindexed = await storage.indexMeta(indexed, () =>
    logError(log, 'metadata-being-indexed', { keys: namesOf(indexed) }),
  )
  if (unindexed.length > 0) logError(log, 'metadata-not-indexed', { keys: namesOf([...unindexed]) })
}

/** Without the responses that are stored there, a repeated request would be carried out again. Counters are not waited for. */
function addServiceDatabase(storage: OpenedStorage, { application: { routes, readiness } }: Plan): void {
  if (routes.some(({ declaration }) => declaration.idempotency_key !== undefined))
    readiness.add('service_database', () => storage.ping())
}
