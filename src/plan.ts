import { fileURLToPath } from 'node:url'
import { isAbsolute, resolve } from 'node:path'
import type { SanitizeCallback } from './arguments/rules.js'
import { EtaViews } from './adapters/eta/eta-views.js'
import { faultyProxy } from './adapters/forwarding.js'
import { FolderFiles } from './adapters/files/folder-files.js'
import { ThreadedPasswordHasher } from './adapters/hashing/threaded-password-hasher.js'
import { DeferredLog } from './adapters/pino/deferred-log.js'
import { Dependencies, UnresolvedDependency, type Provision } from './container/dependencies.js'
import { faultsOfCacheTags } from './discovery/cache-tag-faults.js'
import { faultsOfRoutes } from './discovery/check.js'
import { readConfiguration, type Configuration, type FoundConfiguration } from './discovery/configuration.js'
import type { StartFault } from './discovery/fault.js'
import { findClasses } from './discovery/find-classes.js'
import { isHandlerClass, routesOf, subjectOf, type FoundRoute, type HandlerClass } from './discovery/handler-class.js'
import { placeOf } from './discovery/place.js'
import { loadedCopies } from './route/registry.js'
import { recordTypeFaults } from './records/record-type-faults.js'
import { roleFaults } from './permission/declared-roles.js'
import { RecordTypes } from './records/record-types.js'
import { RecordStore } from './records/record-store.js'
import { Records } from './records/records.js'
import { namedSanitizers } from './sanitizers/named-sanitizers.js'
import type { Assembly } from './service/assemble.js'
import { faultsOfOptions } from './service/options.js'
import type { BootOptions } from './service/settings.js'
import { DeferredSite } from './site/deferred-site.js'
import { DeferredStorage } from './storage/deferred-storage.js'
import { NoViews } from './views/no-views.js'
import { ViewEngineInterface } from './views/view-engine.js'

/** A folder of handler classes, or the classes themselves (of a bundled application). */
export type HandlerSource = string | URL | readonly HandlerClass[]

/** An application, looked at from every side, nothing opened yet. */
export interface Plan {
  readonly options: BootOptions
  readonly routes: readonly FoundRoute[]
  /** Why it will not start; empty when it will. */
  readonly faults: readonly StartFault[]
  readonly assembly: Omit<Assembly, 'storage' | 'created'> & {
    readonly storage: DeferredStorage
    readonly hasher: ThreadedPasswordHasher
    /** Where `log` writes, unless the application gave another one. */
    readonly ownLog: DeferredLog
  }
}

/**
 * Everything `boot` does before it opens anything: the command `check` is this and no more.
 * @param configuration default: the nearest at or above the folder.
 */
export async function inspect(
  source: HandlerSource,
  given: BootOptions = {},
  configuration?: FoundConfiguration,
): Promise<Plan> {
  const { options, folder, faults } = await optionsOf(source, given, configuration)
  const found = folder === null ? classesOf(source as readonly unknown[]) : await findClasses(folder)
  const routes = routesOf(found.classes)
  const sanitizers = new Map<string, SanitizeCallback>([
    ...namedSanitizers,
    ...Object.entries(options.sanitizers ?? {}),
  ])
  faults.push(...found.faults, ...copyFaults())
  if (found.classes.length === 0 && found.faults.length === 0) faults.push(noClassFault(folder))
  faults.push(...faultsOfRoutes(routes, sanitizers))
  const typeNames = [...new RecordTypes().all().map(({ name }) => name), ...Object.keys(options.record_types ?? {})]
  faults.push(...faultsOfCacheTags(routes, typeNames))
  faults.push(
    ...recordTypeFaults(options.record_types ?? {}).map((sentence) => ({
      place: null,
      subject: 'option record_types',
      sentence,
    })),
  )
  faults.push(...roleFaults(options.roles).map((sentence) => ({ place: null, subject: 'option roles', sentence })))
  for (const entry of Array.isArray(options.trusted_proxies) ? options.trusted_proxies : []) {
    const sentence = faultyProxy(entry)
    if (sentence) faults.push({ place: null, subject: 'option trusted_proxies', sentence })
  }
  const clock = options.clock ?? Date.now
  const storage = new DeferredStorage()
  const site = new DeferredSite(options.base_url)
  const types = new RecordTypes(faults.length === 0 ? options.record_types : {})
  const records = new Records({ storage, site, types, clock })
  const views = viewsOf(options)
  const dependencies = new Dependencies([
    [RecordStore, records],
    [ViewEngineInterface, views],
    ...((options.provide ?? []) as readonly Provision[]),
  ])
  const instances = buildInstances(routes, dependencies, faults)
  const ownLog = new DeferredLog()
  const assembly = {
    options,
    routes,
    sanitizers,
    instanceOf: (handlers: HandlerClass) => instances.get(handlers) ?? {},
    clock,
    storage,
    site,
    types,
    records: dependencies.get(RecordStore),
    views: dependencies.get(ViewEngineInterface),
    files: filesOf(options),
    hasher: new ThreadedPasswordHasher(),
    log: options.log ?? ownLog,
    ownLog,
    secrets: options.secrets ?? process.env,
  }
  return { options, routes, faults, assembly }
}

async function optionsOf(
  source: HandlerSource,
  given: BootOptions,
  configuration?: FoundConfiguration,
): Promise<{ options: BootOptions; folder: string | null; faults: StartFault[] }> {
  if (typeof source !== 'string' && !(source instanceof URL))
    return { options: given, folder: null, faults: [...faultsOfOptions(given, null)] }
  const folder = source instanceof URL ? fileURLToPath(source) : isAbsolute(source) ? source : resolve(source)
  try {
    const { file, options } = configuration ?? (await readConfiguration(folder))
    const { handlers: _handlers, ...configured } = options as Configuration
    const faults = [...faultsOfOptions(configured, file), ...faultsOfOptions(given, null)]
    return { options: { ...configured, ...given }, folder, faults }
  } catch (error) {
    return {
      options: given,
      folder,
      faults: [
        { place: null, subject: 'configuration', sentence: String(error instanceof Error ? error.message : error) },
      ],
    }
  }
}

function classesOf(values: readonly unknown[]): {
  readonly classes: readonly HandlerClass[]
  readonly faults: readonly StartFault[]
} {
  const strangers = values.filter((value) => !isHandlerClass(value))
  const faults = strangers.map((value) => ({
    place: null,
    subject: typeof value === 'function' && value.name !== '' ? value.name : String(value),
    sentence: 'it is not a class with a method declared by @AsRestRoute.',
  }))
  return { classes: values.filter(isHandlerClass), faults }
}

function noClassFault(folder: string | null): StartFault {
  return {
    place: null,
    subject: folder ?? 'boot([])',
    sentence:
      'there is no handler class: no exported class with a method declared by @AsRestRoute. Is this the right folder?',
  }
}

/** Routes declared through one copy are unknown to the other, so that they would silently be missing. */
function copyFaults(): StartFault[] {
  const copies = loadedCopies()
  if (copies.length < 2) return []
  return [
    {
      place: null,
      subject: 'as-rest-route',
      sentence: `${copies.length} copies of the package are loaded: ${copies.join(', ')}. Install one, and leave it out of bundles ("external").`,
    },
  ]
}

function buildInstances(
  routes: readonly FoundRoute[],
  dependencies: Dependencies,
  faults: StartFault[],
): Map<HandlerClass, object> {
  const instances = new Map<HandlerClass, object>()
  const failed = new Set<HandlerClass>()
  for (const found of routes) {
    if (instances.has(found.handlers) || failed.has(found.handlers)) continue
    try {
      instances.set(found.handlers, dependencies.get(found.handlers))
    } catch (error) {
      if (!(error instanceof UnresolvedDependency)) throw error
      failed.add(found.handlers)
      faults.push({
        place: placeOf(found.site),
        subject: subjectOf(found),
        sentence: `a dependency cannot be built. ${error.message}`,
      })
    }
  }
  return instances
}

function viewsOf(options: BootOptions): ViewEngineInterface {
  const { views, environment } = options
  if (views === undefined) return new NoViews()
  return new EtaViews(
    views instanceof URL ? fileURLToPath(views) : resolve(views),
    (environment ?? 'production') === 'production',
  )
}

function filesOf({ public: folder }: BootOptions): FolderFiles | null {
  if (folder === undefined) return null
  return new FolderFiles(folder instanceof URL ? fileURLToPath(folder) : resolve(folder))
}
