import { dirname, resolve } from 'node:path'
import type { Fault } from '../base/fault.js'
import type { HashingOptions } from '../auth/threaded-password-hasher.js'
import { builtInRoutes } from '../endpoints/built-in-handlers.js'
import { DeferredLog } from '../log/deferred-log.js'
import { nonThrowingLog, type Log } from '../log/log.js'
import { StaticFiles } from '../pages/static-files.js'
import { routesOf, type RouteSource } from '../routing/handler-class.js'
import { sanitizersByName } from '../validation/sanitizers-by-name.js'
import type { Application } from './application.js'
import { configurationFault, namesFolder, readConfiguration, type FoundConfiguration } from './configuration.js'
import { createContent, type Content } from './content.js'
import { findRouteSources } from './find-route-sources.js'
import { copyFaults, noRouteFault, sourcesIn } from './listed-sources.js'
import { createImplementations } from './implementations.js'
import { buildInstances } from './instances.js'
import { Lifecycle } from './lifecycle.js'
import { optionLocation } from './option-location.js'
import { pathOf } from './option-values.js'
import type { BootOptions, ResolvedOptions } from './options.js'
import { resolveOptions, variableOf } from './resolve-options.js'
import type { Diagnostic } from './startup-error.js'
import { faultsOfDeclarations, faultsOfOptions } from './plan-faults.js'

/** A folder of modules with handler classes and endpoints, or a list of them (for a bundled application). */
export type HandlerSource = string | URL | readonly RouteSource[]

/** An application that was found and checked. Its database is not open. */
export interface Plan {
  readonly options: ResolvedOptions
  readonly application: Application
  readonly content: Content
  readonly log: Log
  /** The stream that `log` writes to, unless the application gave its own. */
  readonly deferredLog: DeferredLog
  /** The reasons not to start; empty for an application that can be started. */
  readonly diagnostics: readonly Diagnostic[]
  /** Starts and ends the objects that were built. */
  readonly lifecycle: Lifecycle
}

export interface InspectOptions {
  /** Default: see `ThreadedPasswordHasher`. */
  readonly hashing?: HashingOptions
  /**
   * Whether the classes of the application are built, which runs their constructors. What they inject is checked only then.
   * Default true.
   */
  readonly builds?: boolean
}

/**
 * Finds and checks an application, and opens nothing. The command `check` does no more than this. The caller ends the
 * `lifecycle`.
 * @param configuration default: the nearest one at or above the folder.
 */
export async function inspect(
  source: HandlerSource,
  bootOptions: BootOptions = {},
  configuration?: FoundConfiguration,
  { hashing, builds = true }: InspectOptions = {},
): Promise<Plan> {
  const { options, folder, file, faults } = await optionsOf(source, bootOptions, configuration)
  const optionDiagnostic = (option: keyof BootOptions, each: Fault): Diagnostic => {
    const variable = variableOf(option, bootOptions)
    if (variable !== null) return { ...each, location: null, subject: `environment ${variable}` }
    const isFromFile = file !== null && (bootOptions as BootOptions | null)?.[option] === undefined
    return { ...each, location: isFromFile ? optionLocation(file, option) : null, subject: `option ${option}` }
  }
  const loaded = folder === null ? sourcesIn(source) : await findRouteSources(folder, configuration)
  const routes = routesOf(loaded.sources, loaded.exportNames)
  for (const { option, fault } of faultsOfOptions(options)) faults.push(optionDiagnostic(option, fault))
  faults.push(...loaded.faults, ...copyFaults())
  if (loaded.sources.length === 0 && loaded.faults.length === 0) faults.push(noRouteFault(folder))
  const deferredLog = new DeferredLog()
  const log = options.log ? nonThrowingLog(options.log) : deferredLog
  const content = createContent(options, faults.length === 0 ? options.record_types : {}, hashing)
  const areViewsFaulty = faults.some(({ subject }) => subject === 'option views' || subject === 'configuration')
  const implementations = createImplementations(content, options, {
    configurationFile: file,
    areViewsFaulty,
    log,
    builds,
  })
  const { container } = implementations
  const { instances, faults: unbuilt } = builds
    ? buildInstances(routes, container, options.services)
    : { instances: new Map<RouteSource, object>(), faults: [] }
  const sanitizers = sanitizersByName(options.sanitizers ?? {}, container.bindFunction)
  const instanceOf = (routeSource: RouteSource) => instances.get(routeSource) ?? null
  faults.push(...faultsOfDeclarations(routes, options, { sanitizers, builtInRoutes: builtInRoutes(), instanceOf }))
  faults.push(...unbuilt, ...implementations.faults.map((each) => optionDiagnostic('provide', each)))
  return {
    options,
    application: {
      routes,
      instanceOf: (routeSource) => instanceOf(routeSource) ?? {},
      container,
      readiness: implementations.readiness,
      sanitizers,
      views: implementations.views,
      mailer: implementations.mailer,
      files: options.public === undefined ? null : new StaticFiles(options.public),
    },
    content: { ...content, records: implementations.records },
    log,
    deferredLog,
    diagnostics: faults,
    lifecycle: new Lifecycle(container, routes, log),
  }
}

async function optionsOf(
  source: HandlerSource,
  bootOptions: BootOptions,
  configuration?: FoundConfiguration,
): Promise<{ options: ResolvedOptions; folder: string | null; file: string | null; faults: Diagnostic[] }> {
  const noConfiguration = { file: null, options: {} }
  const folder = namesFolder(source) ? pathOf(source) : null
  try {
    const applied = folder === null ? noConfiguration : (configuration ?? (await readConfiguration(folder)))
    const { options, faults } = resolveOptions(bootOptions, applied)
    const isNamed =
      configuration === undefined && folder !== null && applied.file !== null && isFolderOf(applied.file, folder)
    const handlers = isNamed ? (applied.options.handlers ?? folder) : folder
    return { options, folder: handlers, file: applied.file, faults: [...faults] }
  } catch (error) {
    const { options, faults } = resolveOptions(bootOptions, noConfiguration)
    const unreadable = { ...configurationFault(error), location: null, subject: 'configuration' }
    return { options, folder, file: null, faults: [unreadable, ...faults] }
  }
}

function isFolderOf(file: string, folder: string): boolean {
  return dirname(file) === resolve(folder)
}
