import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import type { SanitizeCallback } from '../validation/rules.js'
import { EtaViews } from '../views/eta-views.js'
import { faultyProxy } from '../http/trusted-proxies.js'
import { FolderFiles } from '../pages/static-files.js'
import { ThreadedPasswordHasher } from '../auth/threaded-password-hasher.js'
import { sqliteLocation } from '../database/sqlite/sqlite-location.js'
import { DeferredLog } from '../log/deferred-log.js'
import { Dependencies, UnresolvedDependency, type Contract } from '../container/container.js'
import { faultsOfCacheTags } from './cache-tag-faults.js'
import { faultsOfRoutes } from './check.js'
import { namesFolder, readConfiguration, type FoundConfiguration } from './configuration.js'
import type { StartFault } from './startup-error.js'
import { findClasses, type FoundClasses } from './find-classes.js'
import { isHandlerClass, routesOf, subjectOf, type FoundRoute, type HandlerClass } from '../routing/handler-class.js'
import { optionPlace } from './option-location.js'
import { placeOf, placeText, type Place } from '../routing/source-location.js'
import { ownRoutes } from '../endpoints/own-handlers.js'
import { loadedCopies } from '../routing/registry.js'
import { StoredRoles } from '../auth/roles.js'
import { RecordTypes } from '../content/record-types.js'
import { RecordStore } from '../content/record-store.js'
import { Records } from '../content/records.js'
import { Terms } from '../content/terms.js'
import { namedSanitizers } from '../sanitizers/named-sanitizers.js'
import type { Assembly } from './assemble.js'
import { forgiving } from '../log/log.js'
import { faultsOfEnvironment, settledOptions } from './resolve-options.js'
import { isProvision, pathOf } from './option-values.js'
import { provisionFault } from './provider.js'
import type { BootOptions, SettledOptions } from './options.js'
import { DeferredSite } from '../content/deferred-site.js'
import { DeferredStorage } from '../database/deferred-storage.js'
import { StorageError } from '../database/storage-error.js'
import { Users } from '../content/users.js'
import { NoViews } from '../views/no-views.js'
import { ViewEngineInterface } from '../views/view-engine.js'

/** A folder of handler classes, or the classes themselves (of a bundled application). */
export type HandlerSource = string | URL | readonly HandlerClass[]

/** An application, looked at from every side, nothing opened yet. */
export interface Plan {
  readonly options: SettledOptions
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
  const { options, folder, file, faults } = await optionsOf(source, given, configuration)
  const placeOfOption = (option: keyof BootOptions) =>
    file === null || (given as BootOptions | null)?.[option] !== undefined ? null : optionPlace(file, option)
  const found = folder === null ? classesOf(source) : await findClasses(folder, configuration)
  const routes = routesOf(found.classes)
  const sanitizers = new Map<string, SanitizeCallback>([
    ...namedSanitizers,
    ...Object.entries(options.sanitizers ?? {}),
  ])
  faults.push(...faultsOfEnvironment(), ...faultsOfPublic(options, placeOfOption), ...found.faults, ...copyFaults())
  if (found.classes.length === 0 && found.faults.length === 0) faults.push(noClassFault(folder))
  const { clock } = options
  const storage = new DeferredStorage()
  const site = new DeferredSite(options.base_url)
  // Those that may be faulty cannot be read.
  const types = new RecordTypes(faults.length === 0 ? options.record_types : {})
  const records = new Records({ storage, site, types, clock })
  const hasher = new ThreadedPasswordHasher()
  const prefix = options.table_prefix
  const roles = new StoredRoles(storage, prefix, options.roles)
  const users = new Users({ storage, hasher, roles, clock, prefix })
  const views = viewsOf(options)
  const provisions = (options.provide ?? []).filter(isProvision)
  // What was named and cannot be read is told as such, once.
  const lacksViews =
    views === null &&
    !provisions.some(([contract]) => contract === ViewEngineInterface) &&
    !faults.some(({ subject }) => subject === 'option views' || subject === 'configuration')
  const dependencies = new Dependencies(
    [
      [RecordStore, records],
      [Terms, new Terms(storage)],
      [Users, users],
      ...(lacksViews ? [] : [[ViewEngineInterface, views ?? new NoViews()] as const]),
      ...provisions,
    ],
    lacksViews ? new Map([[ViewEngineInterface, lackOfViews(file)]]) : new Map(),
  )
  const { instances, faults: unresolved } = buildInstances(routes, dependencies)
  const instanceOf = (handlers: HandlerClass) => instances.get(handlers) ?? null
  faults.push(...faultsOfRoutes(routes, { sanitizers, ownRoutes: ownRoutes(), instanceOf }))
  const typeNames = [...new RecordTypes().all().map(({ name }) => name), ...Object.keys(options.record_types ?? {})]
  faults.push(...faultsOfCacheTags(routes, typeNames))
  for (const entry of options.trusted_proxies) {
    const sentence = faultyProxy(entry)
    if (sentence) faults.push({ place: placeOfOption('trusted_proxies'), subject: 'option trusted_proxies', sentence })
  }
  faults.push(...unresolved)
  const ownLog = new DeferredLog()
  const unprovided = (sentence: string) => {
    faults.push({ place: placeOfOption('provide'), subject: 'option provide', sentence })
  }
  const assembly = {
    options,
    routes,
    sanitizers,
    instanceOf: (handlers: HandlerClass) => instanceOf(handlers) ?? {},
    clock,
    storage,
    site,
    types,
    records: provided(RecordStore, records, dependencies, unprovided),
    views: lacksViews ? new NoViews() : provided(ViewEngineInterface, views ?? new NoViews(), dependencies, unprovided),
    files: filesOf(options),
    roles,
    users,
    hasher,
    log: options.log ? forgiving(options.log) : ownLog,
    ownLog,
    secrets: options.secrets ?? process.env,
  }
  return { options, routes, faults, assembly }
}

async function optionsOf(
  source: HandlerSource,
  given: BootOptions,
  configuration?: FoundConfiguration,
): Promise<{ options: SettledOptions; folder: string | null; file: string | null; faults: StartFault[] }> {
  const none = { file: null, options: {} }
  const folder = namesFolder(source) ? pathOf(source) : null
  try {
    const found = folder === null ? none : (configuration ?? (await readConfiguration(folder)))
    const { options, faults } = settledOptions(given, found)
    return { options, folder, file: found.file, faults: [...faults] }
  } catch (error) {
    const sentence = String(error instanceof Error ? error.message : error)
    const { options, faults } = settledOptions(given, none)
    return { options, folder, file: null, faults: [{ place: null, subject: 'configuration', sentence }, ...faults] }
  }
}

function classesOf(values: unknown): FoundClasses {
  if (!Array.isArray(values)) {
    const sentence = `it was given ${inWords(values)}. Give it the folder of the handler classes, new URL('./app/', import.meta.url), or a list of classes.`
    return { classes: [], faults: [{ place: null, subject: 'boot', sentence }] }
  }
  const strangers = values.filter((value) => !isHandlerClass(value))
  const faults = strangers.map((value) => ({
    place: null,
    subject: typeof value === 'function' && value.name !== '' ? value.name : String(value),
    sentence: 'it is not a class with a method declared by @AsRestRoute.',
  }))
  return { classes: values.filter(isHandlerClass), faults }
}

function inWords(source: unknown): string {
  if (source === undefined) return 'undefined'
  if (source === '') return 'an empty path'
  return source instanceof URL ? source.href : `a ${typeof source}`
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
): { readonly instances: ReadonlyMap<HandlerClass, object>; readonly faults: readonly StartFault[] } {
  const faults: StartFault[] = []
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
        sentence: unresolvedSentence(error),
      })
    }
  }
  return { instances, faults }
}

function unresolvedSentence({ chain, message, cause }: UnresolvedDependency): string {
  const thrownAt = cause instanceof Error ? placeOf(cause) : null
  const what = chain.length > 1 ? 'a dependency cannot be built' : 'its class cannot be built'
  return `${what}. ${message}${thrownAt ? ` (${placeText(thrownAt)})` : ''}`
}

/**
 * What an application may provide itself.
 * @param fallback stands in for one that cannot be built or lacks methods, so that the rest can be looked at.
 */
function provided<T extends object>(
  contract: Contract<T>,
  fallback: T,
  dependencies: Dependencies,
  onFault: (sentence: string) => void,
): T {
  const refused = (sentence: string): T => {
    onFault(sentence)
    return fallback
  }
  try {
    const built = dependencies.get(contract)
    const sentence = provisionFault(contract, built)
    return sentence === null ? built : refused(sentence)
  } catch (error) {
    if (!(error instanceof UnresolvedDependency)) throw error
    return refused(unresolvedSentence(error))
  }
}

/** Whoever finds the database among the public files has everybody's passwords. */
function faultsOfPublic(
  { public: folder, database }: SettledOptions,
  placeOfOption: (option: keyof BootOptions) => Place | null,
): StartFault[] {
  const path = folder === undefined ? null : fileOf(database)
  if (folder === undefined || path === null) return []
  const below = relative(realPathOf(pathOf(folder)), realPathOf(dirname(path)))
  if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)) return []
  const sentence = `the database ${path} lies in it, and would be given to everybody. Keep data in another folder.`
  return [{ place: placeOfOption('public'), subject: 'option public', sentence }]
}

/** Null for a database in memory, and for an address that is refused when it is opened. */
function fileOf(database: string): string | null {
  try {
    const path = sqliteLocation(database)
    return path === ':memory:' ? null : path
  } catch (error) {
    if (error instanceof StorageError) return null
    throw error
  }
}

/** Of a folder that may not be there yet: then of the nearest one above it that is, and the rest as it is written. */
function realPathOf(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    const above = dirname(folder)
    return above === folder ? folder : join(realPathOf(above), basename(folder))
  }
}

/** The engine for the application's templates; null where it has none. */
function viewsOf({ views, environment }: SettledOptions): ViewEngineInterface | null {
  return views === undefined ? null : new EtaViews(pathOf(views), environment === 'production')
}

/** @param file the configuration, if there is one: a build that compiles it may have left its folder of views behind. */
function lackOfViews(file: string | null): string {
  const looked = file === null ? '' : ` at ${join(dirname(file), 'views')}, beside the configuration`
  const remedy =
    file === null ? "Name it in the option 'views'" : "Make or copy it there, name it in the option 'views'"
  return `there is no folder of templates${looked}. ${remedy}, or bring an engine: provide: [[ViewEngineInterface, YourEngine]].`
}

function filesOf({ public: folder }: BootOptions): FolderFiles | null {
  return folder === undefined ? null : new FolderFiles(pathOf(folder))
}
