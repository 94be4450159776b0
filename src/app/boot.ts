import { ThreadedPasswordHasher } from '../auth/threaded-password-hasher.js'
import type { OpenedStorage, Purpose, StoreOptions } from '../database/store-adapter.js'
import { storeOf } from './stores.js'
import { ApplicationPasswords } from '../auth/application-passwords.js'
import { TrackingStorage } from '../cache/tracking-storage.js'
import { StartupError } from './startup-error.js'
import { refuseModulesBeingLoaded } from './find-route-sources.js'
import { routesOf } from '../routing/handler-class.js'
import { DryRunStorage } from '../explain/dry-run-storage.js'
import type { DryRunDependencies } from '../explain/dry-run-login.js'
import { StoredRoles } from '../auth/roles.js'
import { inspect, type HandlerSource, type Plan } from './plan.js'
import { Service } from './service.js'
import { assemble, type Assembled } from './assemble.js'
import type { Endpoint } from '../routing/endpoint.js'
import { silent } from '../log/log.js'
import { summaryOf } from '../routing/route-summary.js'
import type { BootOptions, ResolvedOptions } from './options.js'
import { Users } from '../content/users.js'

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
  // Thrown at once: a module that does not wait for its service must not be loaded either.
  refuseModulesBeingLoaded()
  return booted(source, options)
}

async function booted(source: HandlerSource, options: BootOptions): Promise<Service> {
  const plan = await inspect(source, options)
  if (plan.diagnostics.length > 0) throw new StartupError(plan.diagnostics)
  return start(plan)
}

/** What there is to a first start besides filling the database. */
interface FirstStart {
  /** What is left to do in a database that this start made and filled. */
  readonly complete?: (service: Service) => Promise<void>
  /** Ends the waiting for the first start of another process; its reason is thrown. */
  readonly signal?: AbortSignal
}

/**
 * Opens what a plan needs, and wires it.
 * @param additions endpoints that are served without having been declared or checked: for replaying recorded routes.
 * @throws SeedError @throws StorageError also for a database whose first start was never completed.
 */
export async function start(
  plan: Plan,
  additions: readonly Endpoint[] = [],
  { complete, signal }: FirstStart = {},
): Promise<Service> {
  const { options, assembly, routes } = plan
  const { hasher, ownLog } = assembly
  // From here on, only the classes and endpoints: what the checks of thousands of routes needed can be collected.
  const sources = new Set(routes.map(({ source }) => source))
  const exportNames = new Map(routes.flatMap(({ source, exportName }) => (exportName ? [[source, exportName]] : [])))
  const onLong = () =>
    assembly.log.warn({ database: options.database }, 'another process makes the first start of this database: waiting')
  let storage: OpenedStorage | null = null
  const release = async () => {
    await hasher.close()
    await storage?.close()
    await ownLog.flushed()
  }
  try {
    const onWarning = (sentence: string) => assembly.log.warn({}, sentence)
    const waiting = { onLong, ...(signal && { signal }) }
    storage = await openStorage(options, 'start', { waiting, onWarning })
    const isCached = routes.some(({ declaration }) => declaration.cache !== undefined)
    assembly.storage.opened(isCached ? new TrackingStorage(storage) : storage)
    const { created } = storage
    const assembled = await assemble({ ...assembly, created, uncheckedEndpoints: additions })
    const service = new Service({
      ...assembled,
      site: assembly.site,
      routeCount: routes.length,
      routes: () =>
        routesOf([...sources], exportNames).map((route) => summaryOf(route, options.rest_default_capability)),
      records: assembly.records,
      users: assembly.users,
      release,
      restPrefix: options.rest_prefix,
      bodyLimit: options.body_limit,
      logsRequests: options.request_log,
      trustedProxies: options.trusted_proxies,
      log: assembly.log,
    })
    if (created) {
      await complete?.(service)
      await storage.finishFirstStart()
    }
    return service
  } catch (error) {
    await release()
    throw error
  }
}

/** A service on data that it can read and not change, with what it takes to sign somebody in there. */
export interface DryRun extends DryRunDependencies, Assembled {
  readonly restPrefix: string
  close(): Promise<void>
}

/** Wires a plan for explanations: whatever happens, nothing is written into the database. @throws StorageError */
export async function openDryRun({ options, assembly }: Plan): Promise<DryRun> {
  const storage = new DryRunStorage(await openStorage(options, 'read'))
  assembly.storage.opened(storage)
  const close = async () => {
    await assembly.hasher.close()
    await storage.close()
  }
  try {
    const assembled = await assemble({ ...assembly, log: silent, created: false })
    const { roles, users, site, secrets, clock } = assembly
    const { table_prefix: prefix, rest_prefix: restPrefix } = options
    return { ...assembled, storage, roles, users, site, secrets, clock, prefix, restPrefix, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The users of a database, for tools that serve nothing. */
export interface OpenedAccounts {
  readonly users: Users
  readonly roles: StoredRoles
  readonly applicationPasswords: ApplicationPasswords
  close(): Promise<void>
}

/**
 * @param purpose `read`: nothing is written into the database, not even what it lacks.
 * @throws StorageError
 */
export async function openAccounts(options: ResolvedOptions, purpose: 'read' | 'change'): Promise<OpenedAccounts> {
  const stored = await openStorage(options, purpose)
  const storage = purpose === 'read' ? new DryRunStorage(stored) : stored
  const hasher = new ThreadedPasswordHasher()
  const close = async () => {
    await hasher.close()
    await storage.close()
  }
  try {
    const { clock, table_prefix: prefix } = options
    const roles = await new StoredRoles(storage, prefix, options.roles).ensure()
    const users = new Users({ storage, hasher, roles, clock, prefix })
    return { users, roles, applicationPasswords: new ApplicationPasswords(storage, clock), close }
  } catch (error) {
    await close()
    throw error
  }
}

function openStorage(
  options: ResolvedOptions,
  purpose: Purpose,
  start: Pick<StoreOptions, 'waiting' | 'onWarning'> = {},
): Promise<OpenedStorage> {
  const { database, table_prefix: prefix, synchronous } = options
  return storeOf(database).open(database, { prefix, purpose, ...start, ...(synchronous && { synchronous }) })
}
