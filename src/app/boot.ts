import { logError } from '../log/log-error.js'
import type { Endpoint } from '../routing/endpoint.js'
import { routesOf } from '../routing/handler-class.js'
import { summaryOf } from '../routing/route-summary.js'
import { hookCalls, runnerCalls } from './background-calls.js'
import { compose, type Limiters } from './compose.js'
import type { EarlyServer } from './early-server.js'
import { refuseModulesBeingLoaded } from './find-route-sources.js'
import type { OtherWorkers } from './foreign-writes.js'
import type { BootOptions } from './options.js'
import { inspect, type HandlerSource, type Plan } from './plan.js'
import { Resources } from './resources.js'
import { Service } from './service.js'
import { StartupError } from './startup-error.js'
import { missingVitePlugin } from './vitest-plugin.js'

// Without the plugin, Vite cannot read a module with decorators, so no such module could warn. This module has none.
const missingPlugin = missingVitePlugin(process.env, process.cwd())
if (missingPlugin !== null) process.emitWarning(missingPlugin)

/**
 * Starts a service: finds every handler class below the folder, checks every declaration, opens the database and wires
 * all of it. Nothing is served until `service.listen` (or `service.fetch`).
 *
 * Options also come from `as-rest-route.config.ts` at or above the folder; those that are passed here take precedence.
 *
 * @throws StartupError with every fault that was found, each with file and line; then nothing was opened or changed.
 * @throws NestedBootError at once, when a module in the folder of the handlers of another start calls it.
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
  /** Opened when the start waits for a server of a database. The service takes it. Default: nothing listens before the service does. */
  readonly earlyServer?: EarlyServer | null
  /**
   * Counters of attempts and of requests. Counters in Redis or in a database on a server, which several machines share,
   * take precedence. Default: counters of this process alone.
   */
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
  { complete, signal, earlyServer = null, limiters = null, runsJobs = true, workers = null }: StartAdditions = {},
): Promise<Service> {
  const { options, application, content, log, lifecycle } = plan
  const resources = new Resources(plan, workers)
  const { companion, foreignWrites } = resources
  try {
    if (plan.diagnostics.length > 0) throw new StartupError(plan.diagnostics)
    const { storage, storedResponses, limits } = await resources.open({
      signal,
      onDatabaseWait: () => earlyServer?.open(plan),
    })
    const { created } = storage
    const { core, authentication, rest } = await compose({
      application,
      options,
      content,
      log,
      created,
      storedResponses,
      uncheckedEndpoints,
      companion,
      foreignWrites,
      limiters: limits ?? limiters,
    })
    const service = new Service({
      options,
      content,
      log,
      core,
      earlyServer,
      bodyLimits: rest.bodyLimits,
      maxFiles: rest.maxFiles,
      applicationPasswords: authentication.applicationPasswords,
      endInstances: (milliseconds: number) => lifecycle.end(milliseconds),
      release: () => resources.release(),
      ...summaries(plan),
    })
    if (created) {
      await complete?.(service)
      await storage.finishFirstStart()
    }
    // A failure here leaves the new database complete, so the first start is finished before.
    await lifecycle.start(signal)
    await startBackgroundWork(plan, runsJobs)
    return service
  } catch (error) {
    await lifecycle.end()
    await resources.release()
    throw error
  }
}

async function startBackgroundWork({ options, application, content, log }: Plan, runsJobs: boolean): Promise<void> {
  content.hooks?.start(hookCalls(application, log))
  if (runsJobs) await content.jobRunner?.start(runnerCalls(application, log))
  // WordPress publishes the scheduled records of its site by itself, with its hooks.
  if (options.wordpressConfig === null)
    await content.schedule.start((err, delay) => logError(log, 'scheduled-not-published', { err, delay }))
}

/** Keeps only the classes and endpoints of a plan, so that the data of its checks, of thousands of routes, can be collected. */
function summaries({ application: { routes }, options: { rest_default_capability: defaultCapability } }: Plan) {
  const sources = new Set(routes.map(({ source }) => source))
  const exportNames = new Map(routes.flatMap(({ source, exportName }) => (exportName ? [[source, exportName]] : [])))
  return {
    routeCount: routes.length,
    routes: () => routesOf([...sources], exportNames).map((route) => summaryOf(route, defaultCapability)),
  }
}
