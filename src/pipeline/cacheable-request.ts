import type { ClientPresence } from '../base/client-presence.js'
import { mapMaybePromise, type MaybePromise } from '../base/maybe-promise.js'
import { canonicalText } from '../http/canonical-text.js'
import { anonymous } from '../http/caller.js'
import type { IncomingRequest } from '../http/exchange.js'
import { noContext, type RequestContext } from '../http/request-context.js'
import { parameterMap, noParameters, type ParameterMap } from '../http/variables.js'
import { HttpRequest } from '../http/http-request.js'
import { type ParsedRequest } from '../http/parsed-request.js'
import type { CacheRule, Endpoint } from '../routing/endpoint.js'
import { exactMatcher } from '../routing/exact-matcher.js'
import type { HandlerMatch, Lookup, Route } from '../routing/table.js'
import { isOfService } from '../validation/compile.js'
import type { Pipeline } from './pipeline.js'

/** A request whose response depends only on its key and on the stored data. */
export interface CacheableRequest {
  /** Equal for two requests if and only if a handler cannot distinguish them. */
  readonly key: string
  readonly rule: CacheRule
  readonly match: HandlerMatch<Endpoint>
  /**
   * Creates the request for the handler. It has only what the key contains: no headers, no address, no unusual spelling.
   * @param client its signal aborts when this client leaves.
   */
  request(id: string, client: ClientPresence): HttpRequest
}

/** Maximum length of a key, in characters. Requests with longer keys are hardly ever repeated. */
const maxKeyLength = 2000

const noHeaders = Object.freeze(Object.create(null) as Record<string, string | undefined>)
const noBody = new Uint8Array(0)

/** Decides which requests may be served from the cache. */
export class CacheableRequests {
  readonly #pipeline: Pick<Pipeline, 'bind' | 'validate'>
  readonly #context: RequestContext
  /** Whether a path matches a route with the case that the route declares. */
  readonly #exact = new WeakMap<Route<Endpoint>, (path: string) => boolean>()

  constructor(pipeline: Pick<Pipeline, 'bind' | 'validate'>, context: RequestContext) {
    this.#pipeline = pipeline
    this.#context = context
  }

  /**
   * Null for a request that is served without the cache: its parameters are undeclared or invalid, or its path is spelled
   * otherwise than declared. A promise only for an asynchronous schema.
   * @param parsed the request, for which `mayBeCached` is true. @param lookup the match of its path.
   * @param root the URL with which links begin.
   */
  read(parsed: ParsedRequest, lookup: Lookup<Endpoint>, root: string): MaybePromise<CacheableRequest | null> {
    const { path } = lookup
    if (path.length + root.length > maxKeyLength) return null
    const { match } = lookup
    const endpoint = match?.handler
    const cache = endpoint?.cache
    if (!match || !cache || !this.#isExact(match.route, path)) return null
    const query = declaredOnly(parsed.query, endpoint, match.params)
    if (query === null || parsed.problem !== null) return null
    const draft = requestOf({ path, root, query, id: '' })
    // A copy, because the step validate replaces values, and the match serves the request again where it is not cached.
    this.#pipeline.bind(draft, { ...match, params: parameterMap(match.params) as Record<string, string> })
    return mapMaybePromise(this.#isAccepted(draft, match), (accepted) =>
      accepted ? this.#requestOf(draft, match, cache) : null,
    )
  }

  /** The step validate. An error of a validator is reported when the request is served without the cache. */
  #isAccepted(draft: HttpRequest, match: HandlerMatch<Endpoint>): MaybePromise<boolean> {
    try {
      const problem = this.#pipeline.validate(draft, match)
      return problem instanceof Promise
        ? problem.then(
            (settled) => settled === null,
            () => false,
          )
        : problem === null
    } catch {
      return false
    }
  }

  /** @param draft a validated request. */
  #requestOf(draft: HttpRequest, match: HandlerMatch<Endpoint>, rule: CacheRule): CacheableRequest | null {
    const { route: path, root } = draft
    const values = valuesOf(draft, match.handler, match.params)
    if (values === null || path.length + root.length + values.text.length > maxKeyLength) return null
    return {
      key: `${root} ${path}?${values.text}`,
      rule,
      match,
      request: (id, client) => {
        const request = requestOf({ path, root, query: values.query, id, client, context: this.#context })
        // The result of the steps bind and validate, which the draft has passed.
        request.matched(parameterMap(draft.get_url_params()), draft.get_default_params())
        request.validation = draft.validation
        return request
      },
    }
  }

  /** Paths match without case, but each variant would be another key. So only the declared spelling has a key. */
  #isExact(route: Route<Endpoint>, path: string): boolean {
    let matches = this.#exact.get(route)
    if (!matches) this.#exact.set(route, (matches = exactMatcher(route.pattern)))
    return matches(path)
  }
}

/** Login cookies, and the cookie with the entered password of a record. */
const personalCookie = /wordpress|wp-postpass/i

/** Whether a request consists of its URL alone: no body, no credentials, no overridden method. */
export function mayBeCached({ method, headers, body }: IncomingRequest, parsed: ParsedRequest): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    parsed.method === method &&
    !parsed.overridden &&
    body.length === 0 &&
    headers['authorization'] === undefined &&
    headers['x-wp-nonce'] === undefined &&
    (headers['cookie'] === undefined || !personalCookie.test(headers['cookie']))
  )
}

/** The query without `_locale`, which has no effect; null when it has a parameter that the endpoint does not declare. */
function declaredOnly(
  query: ParameterMap,
  endpoint: Endpoint,
  captured: Readonly<Record<string, string>>,
): ParameterMap | null {
  const declared = parameterMap()
  for (const name in query) {
    if (name === '_locale' && !Object.hasOwn(endpoint.args, name)) continue
    // The parameters of the service itself have an effect even when they are not declared.
    if (isOfService(name) || !Object.hasOwn(endpoint.args, name) || name in captured) return null
    declared[name] = query[name]
  }
  return declared
}

/**
 * The values after validation, as text and as a query in canonical form: in the order of declaration (with a schema of a
 * library: by name), without parameters that equal their default. Null when a value has no unambiguous text, or when the
 * path spells it differently.
 */
function valuesOf(
  draft: HttpRequest,
  { args, arguments: compiled }: Endpoint,
  captured: Readonly<Record<string, string>>,
): { readonly text: string; readonly query: ParameterMap } | null {
  const defaults = draft.get_default_params()
  const query = parameterMap()
  const texts: string[] = []
  // A schema of a library may name its results otherwise than the parameters.
  const names = compiled.hasLibrarySchema ? Object.keys(draft.get_params()).sort() : Object.keys(args)
  for (const name of names) {
    const value = draft.get_param(name)
    const text = canonicalText(value)
    if (text === null) return null
    if (name in captured) {
      if (String(value) !== captured[name]) return null
      continue
    }
    texts.push(compiled.hasLibrarySchema ? `${JSON.stringify(name)}:${text}` : text)
    if (value !== null && text !== canonicalText(defaults[name] ?? null)) query[name] = value
  }
  return { text: texts.join(','), query }
}

function requestOf({
  path,
  root,
  query,
  id,
  client,
  context = noContext,
}: {
  readonly path: string
  readonly root: string
  readonly query: ParameterMap
  readonly id: string
  readonly client?: ClientPresence
  readonly context?: RequestContext
}): HttpRequest {
  const parsed: ParsedRequest = {
    method: 'GET',
    overridden: false,
    query,
    posted: noParameters,
    form: noParameters,
    files: noParameters,
    fileCount: 0,
    isJson: false,
    jsonValue: null,
    json: null,
    problem: null,
  }
  const incoming: IncomingRequest = {
    method: 'GET',
    path,
    query: '',
    headers: noHeaders,
    body: noBody,
    address: '',
    secure: false,
    local: false,
    ...(client && { client }),
  }
  return new HttpRequest({ incoming, parsed, route: path, user: anonymous, root, id, context })
}
