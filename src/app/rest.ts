import { siteOrigins } from '../http/site-addresses.js'
import { RecordAccess } from '../auth/record-access.js'
import type { RequestCounters } from '../auth/request-counters.js'
import { indexEndpoint, namespaceEndpoint } from '../documents/endpoints.js'
import { defaultMaxFiles } from '../http/multipart.js'
import type { HttpRequest } from '../http/http-request.js'
import { batchEndpoint } from '../pipeline/batch.js'
import { EventStreams } from '../pipeline/event-streams.js'
import { FailureReports } from '../pipeline/failure-reports.js'
import type { Pipeline } from '../pipeline/pipeline.js'
import { RequestLimits } from '../pipeline/request-limits.js'
import { RequestWork } from '../pipeline/request-work.js'
import { ResponseWriter } from '../pipeline/response-writer.js'
import { TimeLimits } from '../pipeline/time-limits.js'
import { RestService } from '../pipeline/rest.js'
import type { Endpoint } from '../routing/endpoint.js'
import { RouteTable } from '../routing/table.js'
import { computedPerAddress } from './computed-per-address.js'
import { compiledEndpoints, type EndpointsDependencies } from './rest-endpoints.js'
import { createCachedResponses, createPipeline, type PipelineDependencies } from './rest-pipeline.js'

/** The parts that answer REST requests. */
export interface Rest {
  readonly service: RestService
  readonly pipeline: Pipeline
  readonly writer: ResponseWriter
  readonly failures: FailureReports
  readonly work: RequestWork
  readonly eventStreams: EventStreams
  /** The limits that routes declare, in bytes. */
  readonly bodyLimits: readonly number[]
  /** The largest number of files that a form of any route may have. */
  readonly maxFiles: number
  /** The URL of all routes, with the current address of the site: `https://shop.example/wp-json/`. */
  readonly root: () => string
}

export interface RestDependencies extends EndpointsDependencies, PipelineDependencies {
  readonly requestCounters: RequestCounters
}

/** Builds what serves the REST prefix: the endpoints of the application and of the service itself, and their pipeline. */
export function createRest(dependencies: RestDependencies): Rest {
  const { options, content, authentication, log, requestCounters } = dependencies
  const { rest_prefix: restPrefix, cors, environment, uploads } = options
  const { ambientStorage, site } = content
  const root = computedPerAddress(site, () => `${site.home}/${restPrefix}/`)
  const documents = { table: () => table, site, root, environment }
  const table: RouteTable<Endpoint> = new RouteTable((namespace) => namespaceEndpoint(namespace, documents))
  const requestLimits = new RequestLimits(requestCounters)
  const failures = new FailureReports(log)
  const pipeline = createPipeline(dependencies, { table, root, requestLimits, failures })
  const recordAccess = new RecordAccess({
    storage: ambientStorage,
    recordPasswords: authentication.recordPasswords,
    cookies: authentication.cookies,
    contextOf: authentication.contextOf,
    origins: computedPerAddress(site, () => siteOrigins(site)),
    cors,
  })
  const { bindFunction } = dependencies.application.container
  const uploadsFolder = uploads && { folder: uploads.folder, home: () => site.home }
  const work = new RequestWork(log, recordAccess, bindFunction, uploadsFolder)
  const endpoints = [
    indexEndpoint(documents),
    batchEndpoint({ pipeline, failures }),
    ...compiledEndpoints(dependencies),
  ]
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
    showsErrorDetails: environment === 'development',
  })
  const { authenticator, contextOf } = authentication
  const limits = new TimeLimits(options.request_timeout * 1000)
  const eventStreams = new EventStreams(streamIdle)
  const callers = { authenticator, contextOf }
  const service = new RestService({ pipeline, writer, work, limits, eventStreams, log, ...callers, root, cached })
  const bodyLimits = endpoints.flatMap(({ bodyLimit }) => bodyLimit ?? [])
  const maxFiles = Math.max(defaultMaxFiles, ...endpoints.map((endpoint) => endpoint.maxFiles ?? 0))
  return { service, pipeline, writer, failures, work, eventStreams, bodyLimits, maxFiles, root }
}
