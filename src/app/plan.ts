import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { fault, type Fault } from '../base/fault.js'
import type { SanitizeCallback } from '../validation/rules.js'
import { EtaViews } from '../views/eta-views.js'
import { proxyDiagnostic } from '../http/trusted-proxies.js'
import { StaticFiles } from '../pages/static-files.js'
import { ThreadedPasswordHasher } from '../auth/threaded-password-hasher.js'
import { DeferredLog } from '../log/deferred-log.js'
import { Container, UnresolvedDependencyError, type Contract } from '../container/container.js'
import { faultsOfCacheTags } from './cache-tag-faults.js'
import { faultsOfRoutes } from './check.js'
import { configurationFault, namesFolder, readConfiguration, type FoundConfiguration } from './configuration.js'
import type { Diagnostic } from './startup-error.js'
import { findRouteSources, type FoundRouteSources } from './find-route-sources.js'
import { buildInstances, unresolvedFault } from './instances.js'
import { isRouteSource, routesOf, type FoundRoute, type RouteSource } from '../routing/handler-class.js'
import { optionLocation } from './option-location.js'
import type { SourceLocation } from '../routing/source-location.js'
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
import { faultsOfEnvironment, resolveOptions } from './resolve-options.js'
import { storeOf } from './stores.js'
import { isProvider, pathOf } from './option-values.js'
import { providerFault } from './provider.js'
import type { BootOptions, ResolvedOptions } from './options.js'
import { DeferredSite } from '../content/deferred-site.js'
import { DeferredStorage } from '../database/deferred-storage.js'
import { StorageError } from '../database/storage-error.js'
import { Users } from '../content/users.js'
import { NoViews } from '../views/no-views.js'
import { ViewEngineInterface } from '../views/view-engine.js'

/** A folder of modules with handler classes and endpoints, or a list of them (for a bundled application). */
export type HandlerSource = string | URL | readonly RouteSource[]

/** An application, looked at from every side, nothing opened yet. */
export interface Plan {
  readonly options: ResolvedOptions
  readonly routes: readonly FoundRoute[]
  /** Why it will not start; empty when it will. */
  readonly diagnostics: readonly Diagnostic[]
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
    file === null || (given as BootOptions | null)?.[option] !== undefined ? null : optionLocation(file, option)
  const found = folder === null ? sourcesIn(source) : await findRouteSources(folder, configuration)
  const routes = routesOf(found.sources, found.exportNames)
  const sanitizers = new Map<string, SanitizeCallback>([
    ...namedSanitizers,
    ...Object.entries(options.sanitizers ?? {}),
  ])
  faults.push(...faultsOfEnvironment(), ...faultsOfPublic(options, placeOfOption), ...found.faults, ...copyFaults())
  if (found.sources.length === 0 && found.faults.length === 0) faults.push(noRouteFault(folder))
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
  const provisions = (options.provide ?? []).filter(isProvider)
  // What was named and cannot be read is told as such, once.
  const lacksViews =
    views === null &&
    !provisions.some(([contract]) => contract === ViewEngineInterface) &&
    !faults.some(({ subject }) => subject === 'option views' || subject === 'configuration')
  const dependencies = new Container(
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
  const instanceOf = (routeSource: RouteSource) => instances.get(routeSource) ?? null
  faults.push(...faultsOfRoutes(routes, { sanitizers, ownRoutes: ownRoutes(), instanceOf }))
  const typeNames = [...new RecordTypes().all().map(({ name }) => name), ...Object.keys(options.record_types ?? {})]
  faults.push(...faultsOfCacheTags(routes, typeNames))
  for (const entry of options.trusted_proxies) {
    const message = proxyDiagnostic(entry)
    if (message)
      faults.push({
        code: 'trusted-proxy-invalid',
        location: placeOfOption('trusted_proxies'),
        subject: 'option trusted_proxies',
        message,
      })
  }
  faults.push(...unresolved)
  const ownLog = new DeferredLog()
  const unprovided = (found: Fault) => {
    faults.push({ ...found, location: placeOfOption('provide'), subject: 'option provide' })
  }
  const assembly = {
    options,
    routes,
    sanitizers,
    instanceOf: (routeSource: RouteSource) => instanceOf(routeSource) ?? {},
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
  return { options, routes, diagnostics: faults, assembly }
}

async function optionsOf(
  source: HandlerSource,
  given: BootOptions,
  configuration?: FoundConfiguration,
): Promise<{ options: ResolvedOptions; folder: string | null; file: string | null; faults: Diagnostic[] }> {
  const none = { file: null, options: {} }
  const folder = namesFolder(source) ? pathOf(source) : null
  try {
    const found = folder === null ? none : (configuration ?? (await readConfiguration(folder)))
    const { options, faults } = resolveOptions(given, found)
    return { options, folder, file: found.file, faults: [...faults] }
  } catch (error) {
    const { options, faults } = resolveOptions(given, none)
    const unreadable = { ...configurationFault(error), location: null, subject: 'configuration' }
    return { options, folder, file: null, faults: [unreadable, ...faults] }
  }
}

function sourcesIn(values: unknown): FoundRouteSources {
  const exportNames = new Map<RouteSource, string>()
  if (!Array.isArray(values)) {
    const message = `it was given ${inWords(values)}. Give it the folder of the handler classes, new URL('./app/', import.meta.url), or a list of classes and endpoints.`
    return {
      sources: [],
      exportNames,
      faults: [{ code: 'handler-source-invalid', location: null, subject: 'boot', message }],
    }
  }
  const others = values.filter((value) => !isRouteSource(value))
  const faults = others.map((value): Diagnostic => ({
    code: 'route-source-invalid',
    location: null,
    subject: typeof value === 'function' && value.name !== '' ? value.name : String(value),
    message: 'it is not a class with a method declared by @AsRestRoute, and not an endpoint.',
  }))
  return { sources: values.filter(isRouteSource), exportNames, faults }
}

function inWords(source: unknown): string {
  if (source === undefined) return 'undefined'
  if (source === '') return 'an empty path'
  return source instanceof URL ? source.href : `a ${typeof source}`
}

function noRouteFault(folder: string | null): Diagnostic {
  return {
    code: 'route-missing',
    location: null,
    subject: folder ?? 'boot([])',
    message:
      'there is no route: no exported class with a method declared by @AsRestRoute, and no exported endpoint. Is this the right folder?',
  }
}

/** Routes declared through one copy are unknown to the other, so that they would silently be missing. */
function copyFaults(): Diagnostic[] {
  const copies = loadedCopies()
  if (copies.length < 2) return []
  return [
    {
      code: 'package-duplicate',
      location: null,
      subject: 'as-rest-route',
      message: `${copies.length} copies of the package are loaded: ${copies.join(', ')}. Install one, and leave it out of bundles ("external").`,
    },
  ]
}

/**
 * What an application may provide itself.
 * @param fallback stands in for one that cannot be built or lacks methods, so that the rest can be looked at.
 */
function provided<T extends object>(
  contract: Contract<T>,
  fallback: T,
  dependencies: Container,
  onFault: (found: Fault) => void,
): T {
  const refused = (found: Fault): T => {
    onFault(found)
    return fallback
  }
  try {
    const built = dependencies.get(contract)
    const found = providerFault(contract, built)
    return found === null ? built : refused(found)
  } catch (error) {
    if (!(error instanceof UnresolvedDependencyError)) throw error
    return refused(unresolvedFault(error))
  }
}

/** Whoever finds the database among the public files has everybody's passwords. */
function faultsOfPublic(
  { public: folder, database }: ResolvedOptions,
  placeOfOption: (option: keyof BootOptions) => SourceLocation | null,
): Diagnostic[] {
  const path = folder === undefined ? null : fileOf(database)
  if (folder === undefined || path === null) return []
  const below = relative(realPathOf(pathOf(folder)), realPathOf(dirname(path)))
  if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)) return []
  const message = `the database ${path} lies in it, and would be given to everybody. Keep data in another folder.`
  return [{ code: 'database-public', location: placeOfOption('public'), subject: 'option public', message }]
}

/** Null for a database in memory, and for an address that is refused when it is opened. */
function fileOf(database: string): string | null {
  try {
    return storeOf(database).locate(database).file
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
function viewsOf({ views, environment }: ResolvedOptions): ViewEngineInterface | null {
  return views === undefined ? null : new EtaViews(pathOf(views), environment === 'production')
}

/** @param file the configuration, if there is one: a build that compiles it may have left its folder of views behind. */
function lackOfViews(file: string | null): Fault {
  const looked = file === null ? '' : ` at ${join(dirname(file), 'views')}, beside the configuration`
  const remedy =
    file === null ? "Name it in the option 'views'" : "Make or copy it there, name it in the option 'views'"
  return fault(
    'views-missing',
    `there is no folder of templates${looked}. ${remedy}, or bring an engine: provide: [[ViewEngineInterface, YourEngine]].`,
  )
}

function filesOf({ public: folder }: BootOptions): StaticFiles | null {
  return folder === undefined ? null : new StaticFiles(pathOf(folder))
}
