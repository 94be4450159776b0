import { currentClientWork } from '../auth/current-user.js'
import { logError } from '../log/log-error.js'
import { TrackingStorage } from '../cache/tracking-storage.js'
import { WrittenRowsStorage } from '../cache/written-rows.js'
import type { OpenedStorage, StoreWarning } from '../database/store-adapter.js'
import type { Endpoint } from '../routing/endpoint.js'
import { routesOf } from '../routing/handler-class.js'
import { summaryOf } from '../routing/route-summary.js'
import { hookCalls, runnerCalls } from './background-calls.js'
import { compose, type Limiters } from './compose.js'
import { refuseModulesBeingLoaded } from './find-route-sources.js'
import { Companion } from './companion.js'
import { ForeignWrites, type OtherWorkers } from './foreign-writes.js'
import type { BootOptions } from './options.js'
import { inspect, type HandlerSource, type Plan } from './plan.js'
import { Service } from './service.js'
import { sharedLimits, type SharedLimits } from './shared-limits.js'
import { StartupError } from './startup-error.js'
import { openServiceStorage, openStorage, storeOf } from './stores.js'

/**
 * Starts a service: finds every handler class below the folder, checks every declaration, opens the database and wires
 * all of it. Nothing is served until `service.listen` (or `service.fetch`).
 *
 * Options also come from `as-rest-route.config.ts` at or above the folder; those given here win.
 *
 * @throws StartupError with every fault that was found, each with file and line; then nothing was opened or changed.
 * @throws StorageError when the database cannot be opened, made, brought up to date or read; `fault` says why.
 * @throws SeedError when `seed` threw, with that as its `cause`; then everything is closed again, and the database is
 *   refused until it is removed.
 */
export function boot(source: HandlerSource, options: BootOptions = {}): Promise<Service> {
  // Thrown synchronously, so that a module that does not await its service fails as well.
  refuseModulesBeingLoaded()
  return booted(source, options)
}

async function booted(source: HandlerSource, options: BootOptions): Promise<Service> {
  return start(await inspect(source, options))
}

/** Additions of the command `serve` to a start. */
interface StartAdditions {
  /** Completes a database that this start created and filled. */
  readonly complete?: (service: Service) => Promise<void>
  /** Ends the waiting for the first start of another process; its reason is thrown. */
  readonly signal?: AbortSignal
  /** Default: they count at this process. Those whose counters several machines share win. */
  readonly limiters?: Limiters | null
  /** Whether jobs are done when they are due. Default true. */
  readonly runsJobs?: boolean
  /** The other workers of the command. Default: there are none. */
  readonly workers?: OtherWorkers | null
}

/**
 * Opens the database of a plan, and composes its service.
 * @param uncheckedEndpoints are served without having been declared or checked: for replaying recorded routes.
 * @throws StartupError for a plan with diagnostics, and when the `start` of an injected class fails.
 * @throws SeedError @throws StorageError also for a database whose first start never finished.
 */
export async function start(
  plan: Plan,
  uncheckedEndpoints: readonly Endpoint[] = [],
  { complete, signal, limiters = null, runsJobs = true, workers = null }: StartAdditions = {},
): Promise<Service> {
  const { options, application, content, log, deferredLog, lifecycle } = plan
  let storage: OpenedStorage | null = null
  let serviceStorage: OpenedStorage | null = null
  let limits: SharedLimits | null = null
  const foreignWrites = options.wordpressConfig && new ForeignWrites(workers)
  const companion = foreignWrites && options.companion && new Companion(options.companion.address, foreignWrites, log)
  const release = async () => {
    content.schedule.stop()
    await content.jobRunner?.cutOff()
    await companion?.close()
    await content.hasher.close()
    limits?.close()
    await serviceStorage?.close()
    await storage?.close()
    await deferredLog.flushed()
  }
  const endInstances = (milliseconds: number) => lifecycle.end(milliseconds)
  try {
    if (plan.diagnostics.length > 0) throw new StartupError(plan.diagnostics)
    const onLong = () =>
      logError(log, 'first-start-waiting', { database: storeOf(options.database).locate(options.database).name })
    const onWarning = (code: StoreWarning, detail: string) => logError(log, code, { detail })
    const usesCache =
      options.cache_bytes > 0 && application.routes.some(({ declaration }) => declaration.cache !== undefined)
    storage = await openStorage(options, 'start', {
      waiting: { onLong, ...(signal && { signal }) },
      onWarning,
      currentClientWork,
      reportedWrites: usesCache ? foreignWrites : null,
    })
    const written = companion ? new WrittenRowsStorage(storage, companion.written) : storage
    content.storage.opened(usesCache ? new TrackingStorage(written) : written, storage.narrowColumns)
    serviceStorage = await openServiceStorage(options)
    if (serviceStorage !== null) addServiceDatabase(serviceStorage, plan)
    limits = await sharedLimits(options.wordpressConfig === null ? storage : serviceStorage, options, log)
    const { created } = storage
    const { core, authentication, rest } = await compose({
      application,
      options,
      content,
      log,
      created,
      answers: (serviceStorage ?? storage).answers,
      uncheckedEndpoints,
      companion,
      foreignWrites,
      limiters: limits ?? limiters,
    })
    const { applicationPasswords } = authentication
    const service = new Service({
      options,
      content,
      log,
      core,
      bodyLimits: rest.bodyLimits,
      maxFiles: rest.maxFiles,
      applicationPasswords,
      endInstances,
      release,
      ...summaries(plan),
    })
    if (created) {
      await complete?.(service)
      await storage.finishFirstStart()
    }
    // After the first start is finished: the database is complete, whether or not this succeeds.
    await lifecycle.start(signal)
    content.hooks?.start(hookCalls(application, log))
    if (runsJobs) await content.jobRunner?.start(runnerCalls(application, log))
    // WordPress publishes the scheduled records of its site by itself, with its hooks.
    if (options.wordpressConfig === null)
      await content.schedule.start((err, delay) => logError(log, 'scheduled-not-published', { err, delay }))
    return service
  } catch (error) {
    await lifecycle.end()
    await release()
    throw error
  }
}

/** Without the answers that are kept there, a repeated request would be carried out again. Counters are not waited for. */
function addServiceDatabase(storage: OpenedStorage, { application: { routes, readiness } }: Plan): void {
  if (routes.some(({ declaration }) => declaration.idempotency_key !== undefined))
    readiness.add('service_database', () => storage.ping())
}

/** Keeps the classes and endpoints of a plan only, so that what the checks of thousands of routes needed can be collected. */
function summaries({ application: { routes }, options: { rest_default_capability: defaultCapability } }: Plan) {
  const sources = new Set(routes.map(({ source }) => source))
  const exportNames = new Map(routes.flatMap(({ source, exportName }) => (exportName ? [[source, exportName]] : [])))
  return {
    routeCount: routes.length,
    routes: () => routesOf([...sources], exportNames).map((route) => summaryOf(route, defaultCapability)),
  }
}
