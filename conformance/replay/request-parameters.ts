import { compileArguments } from '../../src/validation/compile.js'
import { isMap } from '../../src/php/array-shape.js'
import { encodeText } from '../../src/php/text.js'
import { anonymous } from '../../src/http/caller.js'
import { HttpRequest } from '../../src/http/http-request.js'
import { parseRequest } from '../../src/http/parsed-request.js'
import { parameterMap } from '../../src/http/variables.js'
import { errorBody } from '../../src/http/error-response.js'
import { routePattern, translatePattern } from '../../src/pcre/pattern.js'
import type { VectorCase } from '../vectors.js'
import { argumentsOf, recordedSanitizers } from './recorded-callbacks.js'
import { bytesAsText } from './recorded-form.js'
import { replayCases, type Outcome, type ReplayFile } from './replay-cases.js'

/** What a recorded case says of the request. */
export interface SentRequest {
  readonly method?: string
  readonly path?: string
  readonly query?: string
  readonly contentType?: string | null
  readonly body?: string | null
}

/** A request whose route has matched. */
export function matchedRequest(
  { method = 'GET', path = '/', query = '', contentType, body }: SentRequest,
  captures: Record<string, string>,
  defaults: Readonly<Record<string, unknown>>,
): HttpRequest {
  const headers = Object.create(null) as Record<string, string>
  if (typeof contentType === 'string') headers['content-type'] = contentType
  const connection = { address: '127.0.0.1', secure: false, local: true }
  const incoming = { method, path, query: bytesAsText(query), headers, body: encodeText(body ?? ''), ...connection }
  const request = new HttpRequest({ incoming, parsed: parseRequest(incoming), route: path, user: anonymous })
  request.matched(parameterMap(captures), defaults)
  return request
}

/** `request-params`: the parameters of a request by source, before and after its arguments are checked. */
export const replayRequestParameters: ReplayFile = (file) =>
  replayCases(file, (recorded) => outcomeOf(recorded, String(recorded['route'] ?? file['route'])))

function outcomeOf(recorded: VectorCase, pattern: string): Outcome {
  const captures = translatePattern(pattern, routePattern).capture(String(recorded['path'])) ?? {}
  const rules = compileArguments(argumentsOf(recorded['args']), recordedSanitizers)
  const request = matchedRequest(recorded as SentRequest, captures, rules.defaults)
  const expected = recorded.expect as Readonly<Record<string, unknown>>
  // As they are now: checking stores what it makes of them in the same maps.
  const sources = structuredClone({
    urlParams: request.get_url_params(),
    queryParams: request.get_query_params(),
    defaults: request.get_default_params(),
  })
  // Where the body cannot be read there are no parameters to show: the request is refused for it.
  const before = request.problem ? {} : { before: structuredClone(request.get_params()) }
  const problem = request.problem ?? rules.check(request)
  const after =
    problem === null
      ? parametersAfter(request, Object.keys(expected['get'] ?? {}))
      : refusal(errorBody(problem), expected)
  const shown = { ...sources, ...before, ...after }
  const { before: recordedBefore, ...others } = expected
  return {
    actual: { expect: shown },
    expected: { expect: request.problem ? others : { ...others, before: recordedBefore } },
  }
}

function parametersAfter(request: HttpRequest, names: readonly string[]): object {
  const get = names.map((name) => {
    const value = request.get_param(name)
    return [name, [value, request.has_param(name), value !== null]]
  })
  return { valid: true, sanitize: true, params: request.get_params(), get: Object.fromEntries(get) }
}

/** WordPress validates and sanitises by two calls, this product by one: the refusal is shown where it is expected. */
function refusal(body: object, expected: Readonly<Record<string, unknown>>): object {
  return isMap(expected['sanitize']) ? { valid: true, sanitize: body } : { valid: body }
}
