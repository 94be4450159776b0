import { logError } from '../log/log-error.js'
import { siteOrigins } from '../http/site-addresses.js'
import { ApplicationPasswords } from '../auth/application-passwords.js'
import { RecordAccess } from '../auth/record-access.js'
import { Sessions } from '../auth/sessions.js'
import type { RequestCounters } from '../auth/request-counters.js'
import { ResponseCache } from '../cache/response-cache.js'
import { StoredResponses } from '../cache/stored-responses.js'
import type { StoredResponseRows } from '../database/stored-response-rows.js'
import { Container } from '../container/container.js'
import { Users } from '../content/users.js'
import { indexEndpoint, namespaceEndpoint } from '../documents/endpoints.js'
import { builtInRoutes } from '../endpoints/built-in-handlers.js'
import { AccountNotices } from '../auth/account-notices.js'
import { RestContext } from '../endpoints/rest-context.js'
import { UserProfiles } from '../endpoints/user-profiles.js'
import { usualMaxFiles } from '../http/multipart.js'
import type { RestError } from '../http/rest-error.js'
import type { HttpRequest } from '../http/http-request.js'
import type { Log } from '../log/log.js'
import type { AroundFunction } from '../pipeline/around.js'
import { batchEndpoint } from '../pipeline/batch.js'
import { compileRoutes } from '../pipeline/compile.js'
import { DeclaredResponses } from '../pipeline/declared-responses.js'
import { EventStreams } from '../pipeline/event-streams.js'
import { Idempotency } from '../pipeline/idempotency.js'
import { Pipeline, type PipelineOptions } from '../pipeline/pipeline.js'
import { CachedResponses, type CachedResponsesDependencies } from '../pipeline/cached-responses.js'
import { RequestLimits } from '../pipeline/request-limits.js'
import { RequestWork } from '../pipeline/request-work.js'
import { ResponseWriter } from '../pipeline/response-writer.js'
import { TimeLimits } from '../pipeline/time-limits.js'
import { RestService } from '../pipeline/rest.js'
import type { SerializedResponse } from '../pipeline/serialized-response.js'
import type { Endpoint } from '../routing/endpoint.js'
import { RouteTable } from '../routing/table.js'
import type { Application } from './application.js'
import type { Authentication } from './authentication.js'
import type { Content } from './content.js'
import { configuredClock, durationClock } from './duration-clock.js'
import { buildInstances } from './instances.js'
import type { ResolvedOptions } from './options.js'
import { computedPerAddress } from './computed-per-address.js'

/** The parts that answer REST requests. */
export interface Rest {
  readonly service: RestService
  readonly pipeline: Pipeline
  readonly writer: ResponseWriter
  readonly work: RequestWork
  readonly eventStreams: EventStreams
  /** The limits that routes declare, in bytes. */
  readonly bodyLimits: readonly number[]
  /** The largest number of files that a form of any route may have. */
  readonly maxFiles: number
  /** The URL of all routes, with the current address of the site: `https://shop.example/wp-json/`. */
  readonly root: () => string
}

export interface RestDependencies {
  readonly application: Application
  readonly options: ResolvedOptions
  readonly content: Content
  readonly authentication: Authentication
  readonly log: Log
  /** Endpoints that are served without having been declared or checked: for replaying recorded routes. */
  readonly uncheckedEndpoints: readonly Endpoint[]
  readonly requestCounters: RequestCounters
  readonly storedResponses: StoredResponseRows
}

/** Builds what serves the REST prefix: the endpoints of the application and of the service itself, and their pipeline. */
export function createRest(dependencies: RestDependencies): Rest {
  const { options, content, authentication, log, requestCounters } = dependencies
  const { rest_prefix: restPrefix, cors, environment, uploads } = options
  const { storage, site } = content
  const root = computedPerAddress(site, () => `${site.home}/${restPrefix}/`)
  const documents = { table: () => table, site, root, environment }
  const table: RouteTable<Endpoint> = new RouteTable((namespace) => namespaceEndpoint(namespace, documents))
  const requestLimits = new RequestLimits(requestCounters)
  const pipeline = createPipeline(dependencies, { table, root, requestLimits })
  const recordAccess = new RecordAccess({
    storage,
    recordPasswords: authentication.recordPasswords,
    cookies: authentication.cookies,
    contextOf: authentication.contextOf,
    origins: computedPerAddress(site, () => siteOrigins(site)),
    cors,
  })
  const work = new RequestWork(log, recordAccess, uploads && { folder: uploads.folder, home: () => site.home })
  const endpoints = [indexEndpoint(documents), batchEndpoint({ pipeline, log }), ...compiledEndpoints(dependencies)]
  for (const handler of endpoints) table.add({ namespace: handler.namespace, route: handler.route, handler })
  const cached = createCachedResponses(dependencies, endpoints, { pipeline, requestLimits, work, root })
  const handlerNameOf = ({ route, method }: HttpRequest) => table.match(route, method)?.handler.name ?? null
  const streamIdle = options.stream_timeout * 1000
  const writer = new ResponseWriter({
    root,
    cors,
    handlerOf: handlerNameOf,
    log,
    streamIdle,
    tellsFaults: environment === 'development',
  })
  const { authenticator, contextOf } = authentication
  const limits = new TimeLimits(options.request_timeout * 1000)
  const eventStreams = new EventStreams(streamIdle)
  const callers = { authenticator, contextOf }
  const service = new RestService({ pipeline, writer, work, limits, eventStreams, log, ...callers, root, cached })
  const bodyLimits = endpoints.flatMap(({ bodyLimit }) => bodyLimit ?? [])
  const maxFiles = Math.max(usualMaxFiles, ...endpoints.map((endpoint) => endpoint.maxFiles ?? 0))
  return { service, pipeline, writer, work, eventStreams, bodyLimits, maxFiles, root }
}

function createPipeline(
  { storedResponses, content: { storage }, log, options: { clock, environment } }: RestDependencies,
  parts: Pick<PipelineOptions, 'table' | 'root' | 'requestLimits'>,
): Pipeline {
  const onFailure = (err: unknown): void => logError(log, 'response-not-stored', { err })
  return new Pipeline({
    ...parts,
    log,
    idempotency: new Idempotency(new StoredResponses(storedResponses, configuredClock(clock), onFailure)),
    declaredResponses: new DeclaredResponses({ isStrict: environment !== 'production', log }),
    writes: () => storage.writes(),
    ...pipelineLogging(log),
  })
}

/** The endpoints of the application and of the service itself, but for the index and batch. */
function compiledEndpoints(dependencies: RestDependencies): readonly Endpoint[] {
  const { application, options, log, uncheckedEndpoints } = dependencies
  const { rest_default_capability: defaultCapability } = options
  const { sanitizers } = application
  const builtInInstances = buildBuiltInInstances(dependencies)
  return [
    ...uncheckedEndpoints,
    ...compileRoutes(application.routes, {
      sanitizers,
      defaultCapability,
      instanceOf: application.instanceOf,
      around: (options.around ?? []) as readonly AroundFunction[],
      enter: (work) => application.container.enter(work),
      onLateFailure: (err, requestId) => logError(log, 'handler-not-awaited', { err, requestId }),
    }),
    ...compileRoutes(builtInRoutes(), {
      sanitizers,
      defaultCapability,
      instanceOf: (source) => builtInInstances.get(source) ?? {},
    }),
  ]
}

/** Null without an endpoint that declares `cache`, and with `cache_bytes: 0`. */
function createCachedResponses(
  { content, options }: RestDependencies,
  endpoints: readonly Endpoint[],
  parts: Pick<CachedResponsesDependencies, 'pipeline' | 'work' | 'root'> & { readonly requestLimits: RequestLimits },
): CachedResponses | null {
  const { cache_bytes: bytes, clock, cors, wordpressConfig } = options
  const usesCache = bytes > 0 && endpoints.some((endpoint) => endpoint.cache)
  if (!usesCache) return null
  const hasLimits = endpoints.some(({ cache, rateLimit }) => cache && rateLimit)
  return new CachedResponses({
    ...parts,
    requestLimits: hasLimits ? parts.requestLimits : null,
    cache: new ResponseCache<SerializedResponse>(content.storage, { bytes, clock: durationClock(clock) }),
    cors,
    secondsUntilPublication: async () => (wordpressConfig === null ? content.schedule.secondsUntilNext() : Infinity),
  })
}

/** The callbacks through which the pipeline logs problems. */
function pipelineLogging(log: Log) {
  return {
    onInvalidVerdict({ permission: { requirement }, name: handler }: Endpoint, verdict: unknown) {
      const callback = requirement.kind === 'callback' ? requirement.method : ''
      const returned = verdict === null ? 'null' : typeof verdict
      logError(log, 'permission-result-invalid', { handler, callback, returned })
    },
    // For an item of a batch, `route` is that of the item, and `path` that of the HTTP request, as in all log lines.
    onFailure(err: RestError, { id: requestId, method, route, incoming: { path } }: HttpRequest) {
      logError(log, 'request-failed', { err, requestId, method, path, route })
    },
  }
}

/** Builds the handlers of the service's own routes. @returns the instances by their class. */
function buildBuiltInInstances({ options, content, authentication }: RestDependencies) {
  const { storage, site, roles, users } = content
  const container = new Container([
    [Users, users],
    [Sessions, authentication.sessions],
    [ApplicationPasswords, authentication.applicationPasswords],
    [UserProfiles, new UserProfiles({ storage, roles, site, prefix: options.table_prefix })],
    [AccountNotices, authentication.accountNotices],
    [
      RestContext,
      new RestContext(options.environment, authentication.cookies, options.clock, options.wordpressConfig !== null),
    ],
  ])
  return buildInstances(builtInRoutes(), container).instances
}
