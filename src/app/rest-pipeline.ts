import { ResponseCache } from '../cache/response-cache.js'
import { StoredResponses } from '../cache/stored-responses.js'
import type { StoredResponseRows } from '../database/stored-response-rows.js'
import type { HttpRequest } from '../http/http-request.js'
import type { RestError } from '../http/rest-error.js'
import { logError } from '../log/log-error.js'
import type { Log } from '../log/log.js'
import { CachedResponses, type CachedResponsesDependencies } from '../pipeline/cached-responses.js'
import { DeclaredResponses } from '../pipeline/declared-responses.js'
import { Idempotency } from '../pipeline/idempotency.js'
import { Pipeline, type PipelineOptions } from '../pipeline/pipeline.js'
import type { RequestLimits } from '../pipeline/request-limits.js'
import type { SerializedResponse } from '../pipeline/serialized-response.js'
import type { Endpoint } from '../routing/endpoint.js'
import type { Content } from './content.js'
import { configuredClock, durationClock } from './duration-clock.js'
import type { ResolvedOptions } from './options.js'

export interface PipelineDependencies {
  readonly options: ResolvedOptions
  readonly content: Content
  readonly log: Log
  readonly storedResponses: StoredResponseRows
}

/** Creates the pipeline of the service: the steps of a request from its match on. */
export function createPipeline(
  { storedResponses, content: { storage }, log, options: { clock, environment } }: PipelineDependencies,
  parts: Pick<PipelineOptions, 'table' | 'root' | 'requestLimits' | 'failures'>,
): Pipeline {
  const onFailure = (err: unknown): void => logError(log, 'response-not-stored', { err })
  return new Pipeline({
    ...parts,
    idempotency: new Idempotency(new StoredResponses(storedResponses, configuredClock(clock), onFailure)),
    declaredResponses: new DeclaredResponses({ isStrict: environment !== 'production', log }),
    writes: () => storage.writes(),
    ...pipelineLogging(log),
  })
}

/** Creates the response cache in front of the pipeline. Null if no endpoint declares `cache`, and with `cache_bytes: 0`. */
export function createCachedResponses(
  { content, options }: PipelineDependencies,
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
