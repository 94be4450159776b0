import { Accounts } from '../auth/accounts.js'
import { ApplicationPasswordLogin } from '../auth/application-password-login.js'
import { ApplicationPasswords } from '../auth/application-passwords.js'
import { Authenticator } from '../auth/authenticator.js'
import { LoginCookies } from '../auth/login-cookies.js'
import type { PasswordHasher } from '../auth/password-hash.js'
import { PasswordLogin } from '../auth/password-login.js'
import { loadSecrets } from '../auth/secrets.js'
import { Sessions } from '../auth/sessions.js'
import { SignIn } from '../auth/sign-in.js'
import { applicationPasswordLimits, signInLimits, RateLimiter } from '../auth/rate-limiter.js'
import type { SanitizeCallback } from '../validation/rules.js'
import { ResponseCache } from '../cache/response-cache.js'
import { Container } from '../container/container.js'
import type { FoundRoute, RouteSource } from '../routing/handler-class.js'
import { indexEndpoint, namespaceEndpoint } from '../documents/endpoints.js'
import { ownRoutes } from '../endpoints/own-handlers.js'
import { RestContext } from '../endpoints/rest-context.js'
import { UserProfiles } from '../endpoints/user-profiles.js'
import type { RestError } from '../http/rest-error.js'
import { Pages } from '../pages/pages.js'
import type { PublicFiles } from '../pages/public-files.js'
import { callerOfRole } from '../auth/capabilities.js'
import { runAs } from '../auth/current-user.js'
import { storedLookup } from '../auth/capability-lookup.js'
import { userCan } from '../auth/meta-capabilities.js'
import type { StoredRoles } from '../auth/roles.js'
import type { Caller } from '../http/caller.js'
import type { RecordStore } from '../content/record-store.js'
import type { RecordTypes } from '../content/record-types.js'
import { Terms } from '../content/terms.js'
import type { HttpRequest } from '../http/rest-request.js'
import { RouteTable } from '../routing/table.js'
import { pathOfAddress } from '../content/path-of-address.js'
import type { DeferredSite } from '../content/deferred-site.js'
import { addressIn, addressOptions, siteOptionNames, writeSiteDefaults } from '../content/site.js'
import type { Storage } from '../database/storage.js'
import { Users } from '../content/users.js'
import type { ViewEngineInterface } from '../views/view-engine.js'
import { batchEndpoint } from '../pipeline/batch.js'
import { compileRoutes } from '../pipeline/compile.js'
import { CachedResponses } from '../pipeline/response-caching.js'
import { Core } from '../pipeline/core.js'
import { Pipeline } from '../pipeline/pipeline.js'
import type { Endpoint } from '../routing/endpoint.js'
import { ResponseWriter } from '../pipeline/response-writer.js'
import type { Log } from '../log/log.js'
import { RestService } from '../pipeline/rest.js'
import { buildInstances } from './instances.js'
import { storeOf } from './stores.js'
import type { ResolvedOptions } from './options.js'
import { SeedError } from './seed-error.js'
import type { SerializedResponse } from '../pipeline/serialized-response.js'

/** What a service is made of; the database is open. */
export interface Assembly {
  readonly options: ResolvedOptions
  readonly routes: readonly FoundRoute[]
  readonly sanitizers: ReadonlyMap<string, SanitizeCallback>
  readonly instanceOf: (source: RouteSource) => object
  readonly clock: () => number
  readonly storage: Storage
  readonly site: DeferredSite
  readonly types: RecordTypes
  readonly records: RecordStore
  readonly roles: StoredRoles
  readonly users: Users
  readonly views: ViewEngineInterface
  /** Files served as they are, below `/`. */
  readonly files?: PublicFiles | null
  readonly hasher: PasswordHasher
  readonly log: Log
  /** By WordPress's names; missing ones are kept in the database. */
  readonly secrets: Readonly<Record<string, string | undefined>>
  /** This very start made the database. */
  readonly created: boolean
  /** Endpoints that were not declared by a decorator and not checked: for replaying recorded routes. */
  readonly uncheckedEndpoints?: readonly Endpoint[]
}

/** A service that answers, and what may be done with it from outside. */
export interface Assembled {
  readonly core: Core
  readonly rest: RestService
  readonly pipeline: Pipeline
  /** Another one when the address of the site changes. */
  readonly authenticator: () => Authenticator
  readonly applicationPasswords: ApplicationPasswords
}

/** Wires a service: reads what the database says of the site, and decides everything that needs no request. */
export async function assemble(assembly: Assembly): Promise<Assembled> {
  const { options, storage, site, clock, hasher, log, types, records, roles, users, views } = assembly
  const { table_prefix: prefix, rest_prefix: restPrefix, environment, cors } = options
  if (assembly.created) await writeSiteDefaults(storage.options, { siteurl: options.base_url, ...options.site })
  const stored = await storage.options.readMany(siteOptionNames)
  site.read(stored, options.base_url)
  for (const name of addressOptions)
    if (stored.get(name) && addressIn(stored, name) === '')
      log.warn(
        { [name]: stored.get(name) },
        `the option ${name} is no address and does not count: begin it with http:// or https://, or set base_url`,
      )
  await roles.ensure((message) => log.error({}, message))
  const secrets = await loadSecrets(storage, assembly.secrets)
  const sessions = new Sessions(storage, clock)
  const applicationPasswords = new ApplicationPasswords(storage, clock, (err) =>
    log.warn({ err }, 'when an application password was last used could not be noted'),
  )
  const accounts = new Accounts(storage, roles, prefix)
  const loginThrottle = new RateLimiter(signInLimits, clock, (lockOut) =>
    log.warn(lockOut, 'too many wrong passwords: further logins are refused for now'),
  )
  const programLogin = new ApplicationPasswordLogin(
    accounts,
    applicationPasswords,
    hasher,
    new RateLimiter(applicationPasswordLimits, clock, (lockOut) =>
      log.warn(lockOut, 'too many wrong application passwords: further ones are refused for now'),
    ),
  )
  const cookies = perAddress(site, () => new LoginCookies(secrets, site.siteurl, site.home))
  const authenticator = perAddress(
    site,
    () =>
      new Authenticator({
        accounts,
        secrets,
        cookies: cookies(),
        applicationPasswords: programLogin,
        environment,
        clock,
      }),
  )
  const signIn = perAddress(site, () => {
    const login = new PasswordLogin({ accounts, storage, hasher, throttle: loginThrottle, siteUrl: site.siteurl })
    return new SignIn(login, sessions, cookies(), clock)
  })
  const lookup = storedLookup(storage, types)
  const contextOf = (caller: Caller) => ({
    caller,
    can: (capability: string, target: number | string, metaKey?: string) =>
      userCan(caller, capability, target, lookup, metaKey),
  })

  const root = perAddress(site, () => `${site.home}/${restPrefix}/`)
  const documents = { table: () => table, site, root, environment }
  const table: RouteTable<Endpoint> = new RouteTable((namespace) => namespaceEndpoint(namespace, documents))
  const onOddVerdict = (endpoint: Endpoint, verdict: unknown) => {
    const callback = endpoint.requirement.kind === 'callback' ? endpoint.requirement.method : ''
    log.warn(
      { handler: endpoint.name, callback, returned: verdict === null ? 'null' : typeof verdict },
      'a permission callback must return a boolean; the caller was refused',
    )
  }
  // A part of a batch has a route of its own; the path is that of the whole, as in all other lines.
  const onFailure = (err: RestError, { id: requestId, method, route, incoming: { path } }: HttpRequest) =>
    log.error({ err, requestId, method, path, route }, 'a request failed')
  const pipeline = new Pipeline({ table, root, writes: () => storage.writes(), onOddVerdict, onFailure })
  const own = new Container([
    [Users, users],
    [Sessions, sessions],
    [ApplicationPasswords, applicationPasswords],
    [UserProfiles, new UserProfiles({ storage, roles, site, prefix })],
    [RestContext, new RestContext(environment)],
  ])
  const { instances: ownInstances } = buildInstances(ownRoutes(), own)
  const defaultCapability = options.rest_default_capability
  const endpoints = [
    indexEndpoint(documents),
    ...(assembly.uncheckedEndpoints ?? []),
    ...compileRoutes(assembly.routes, {
      sanitizers: assembly.sanitizers,
      defaultCapability,
      instanceOf: assembly.instanceOf,
    }),
    ...compileRoutes(ownRoutes(), {
      sanitizers: assembly.sanitizers,
      defaultCapability,
      instanceOf: (source) => ownInstances.get(source) ?? {},
    }),
    batchEndpoint({ pipeline, log }),
  ]
  for (const handler of endpoints) table.add({ namespace: handler.namespace, route: handler.route, handler })
  const cache = new ResponseCache<SerializedResponse>(storage, { bytes: options.cache_bytes, clock })
  const isCached = endpoints.some((endpoint) => endpoint.cache)
  const cached = isCached ? new CachedResponses({ cache, pipeline, root, cors }) : null
  const handlerOf = ({ route, method }: HttpRequest) => table.match(route, method)?.handler.name ?? null
  const writer = new ResponseWriter({ root, cors, handlerOf, log })
  const rest = new RestService({ pipeline, writer, authenticator, contextOf, root, log, cached })
  const pages = new Pages({
    environment,
    site,
    storage,
    types,
    records,
    views,
    files: assembly.files ?? null,
    authenticator,
    signIn,
    cookies,
    sessions,
    applicationPasswords,
    accounts,
    secrets,
    contextOf,
    clock,
    root,
    hasRoute: (path) => table.match(path, 'GET') !== null,
    cors,
    log,
  })
  const homePath = perAddress(site, () => pathOfAddress(site.home))
  const core = new Core({ rest, writer, pages, storage, restPrefix, homePath, log, logsRequests: options.request_log })
  if (assembly.created && options.seed) {
    const { seed } = options
    const installer = { ...callerOfRole('administrator', await roles.current()), id: 0 }
    try {
      await runAs(contextOf(installer), () => seed({ records, users, terms: new Terms(storage), log }))
    } catch (error) {
      throw new SeedError(error, !storeOf(options.database).locate(options.database).isTemporary)
    }
  }
  return { core, rest, pipeline, authenticator, applicationPasswords }
}

/** Made anew when the site's address changes, which happens once at most: when a service without one begins to listen. */
function perAddress<T>(site: DeferredSite, make: () => T): () => T {
  let made: T | null = null
  let address: string | null = null
  return () => {
    if (made === null || address !== site.siteurl) {
      made = make()
      address = site.siteurl
    }
    return made
  }
}
