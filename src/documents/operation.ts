import { isFileArgument } from '../validation/file-arguments.js'
import type { ArgumentRules } from '../validation/rules.js'
import type { Requirement } from '../auth/requirement.js'
import type { IdempotencyKey } from '../routing/idempotency-key.js'
import type { RouteSummary } from '../routing/route-summary.js'
import { entityTag, keyInUse, keyReused, preconditionFailed, rateLimited, type componentsOf } from './components.js'
import { jsonSchemaOf } from './json-schema.js'
import { parametersOf, type PathParameter, type PathTemplate } from './path-templates.js'

/** A part of the OpenAPI document. */
type OpenApiObject = Readonly<Record<string, unknown>>
type Argument = readonly [name: string, rules: ArgumentRules]

/**
 * The operation object of a route at one of its paths: parameters, body, responses and security.
 * @param labels the names of the path's parameters, in order. The first route of a path determines them, so they may
 *   differ from the names in `template`.
 */
export function operationOf(
  route: RouteSummary,
  template: PathTemplate,
  labels: readonly string[],
  operationId: string,
): OpenApiObject {
  const inPath = parametersOf(template)
  const others = Object.entries(route.args).filter(([name]) => !inPath.some((parameter) => parameter.name === name))
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(route.method)
  const parameters = [
    ...inPath.map((parameter, index) =>
      pathParameter({ ...parameter, name: labels[index] ?? parameter.name }, route.args[parameter.name] ?? {}),
    ),
    ...(hasBody ? [] : others.map(queryParameter)),
    ...(route.idempotencyKey === null ? [] : [keyParameter(route.idempotencyKey)]),
    ...(route.isEventStream ? [lastEventId] : []),
    ...(route.isConditional ? conditionalParameters(route.method) : []),
  ]
  return {
    operationId,
    tags: [route.handler.split('.', 1)[0] ?? ''],
    security: securityOf(route.requirement),
    'x-permission': route.requirement,
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody && others.length > 0 && { requestBody: requestBodyOf(others) }),
    ...(route.bodyLimit !== null && { 'x-body-limit': route.bodyLimit }),
    ...(route.maxFiles !== null && { 'x-max-files': route.maxFiles }),
    ...(route.rateLimit && {
      'x-rate-limit': { requests: route.rateLimit.requests, seconds: route.rateLimit.seconds },
    }),
    responses: responsesOf(route),
  }
}

/**
 * A path parameter is a string with the pattern of its group. Declared rules without a type are added to that schema.
 */
function pathParameter({ name, pattern }: PathParameter, rules: ArgumentRules): OpenApiObject {
  const { default: _default, ...schema } = jsonSchemaOf(rules)
  const { description, ...rest } = schema as { description?: unknown }
  const textSchema = { type: 'string', ...(pattern !== null && { pattern }) }
  const merged =
    Object.keys(rest).length === 0 ? textSchema : rules.type === undefined ? { ...textSchema, ...rest } : rest
  return { name, in: 'path', required: true, ...(description !== undefined && { description }), schema: merged }
}

const lastEventId: OpenApiObject = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'The id of the last event that the client has got, when it connects again.',
  schema: { type: 'string' },
}

function conditionalParameters(method: string): readonly OpenApiObject[] {
  const schema = { type: 'string' }
  const ifNoneMatch =
    method === 'GET'
      ? 'The entity tags that the client has: the response with one of them is a 304.'
      : '`*`: the request is carried out only if the resource does not exist.'
  return [
    {
      name: 'If-Match',
      in: 'header',
      description: 'The `ETag` of the version that is expected: for any other the response is a 412.',
      schema,
    },
    { name: 'If-None-Match', in: 'header', description: ifNoneMatch, schema },
  ]
}

function keyParameter(key: IdempotencyKey): OpenApiObject {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    ...(key === 'required' && { required: true }),
    description:
      'A new UUID for each request, and the same one for its repeats, which get the same response for 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  }
}

function queryParameter([name, rules]: Argument): OpenApiObject {
  const { description, ...schema } = jsonSchemaOf(withoutRequired(rules)) as { description?: unknown }
  return {
    name,
    in: 'query',
    ...(rules.required === true && { required: true }),
    ...(description !== undefined && { description }),
    ...styleOf(rules),
    schema,
  }
}

/** The service splits lists at commas, and uses only the last value of a repeated name. Hence `explode: false`. */
function styleOf({ type }: ArgumentRules): OpenApiObject {
  const types = [type].flat()
  if (types.includes('array')) return { style: 'form', explode: false }
  return types.includes('object') ? { style: 'deepObject', explode: true } : {}
}

function requestBodyOf(args: readonly Argument[]): OpenApiObject {
  const hasFiles = args.some(([, rules]) => isFileArgument(rules))
  return hasFiles ? formWithFiles(args) : jsonOrForm(args)
}

function jsonOrForm(args: readonly Argument[]): OpenApiObject {
  const { schema, required, styles } = partsOf(args)
  return {
    ...(required.length > 0 && { required: true }),
    content: {
      'application/json': { schema },
      'application/x-www-form-urlencoded': { schema, ...encodingOf(styles) },
    },
  }
}

/** A list of files has the name `pages[]`: of several parts with one name, the service takes the last. */
function formWithFiles(args: readonly Argument[]): OpenApiObject {
  const named = args.map(([name, rules]): Argument => [rules.items?.type === 'file' ? `${name}[]` : name, rules])
  const { schema, required, styles } = partsOf(named)
  const types = named.flatMap(([name, rules]) => {
    const ranges = (rules.items ?? rules).media_types
    return isFileArgument(rules) && ranges ? [[name, { contentType: ranges.join(', ') }] as const] : []
  })
  const ofTexts = styles.filter(([name]) => !named.some(([other, rules]) => other === name && isFileArgument(rules)))
  return {
    ...(required.length > 0 && { required: true }),
    content: { 'multipart/form-data': { schema, ...encodingOf([...ofTexts, ...types]) } },
  }
}

type Encoding = readonly [name: string, encoding: OpenApiObject]

function encodingOf(encodings: readonly Encoding[]): OpenApiObject {
  const encoding = Object.fromEntries(encodings.filter(([, each]) => Object.keys(each).length > 0))
  return Object.keys(encoding).length > 0 ? { encoding } : {}
}

/** The schema of a body with these arguments, the names that it must have, and how lists and maps are written in forms. */
function partsOf(args: readonly Argument[]): {
  readonly schema: OpenApiObject
  readonly required: readonly string[]
  readonly styles: readonly Encoding[]
} {
  const required = args.filter(([, rules]) => rules.required === true).map(([name]) => name)
  const schema = {
    type: 'object',
    properties: Object.fromEntries(args.map(([name, rules]) => [name, jsonSchemaOf(withoutRequired(rules))])),
    ...(required.length > 0 && { required }),
  }
  const styles = args.map(([name, rules]): Encoding => [name, styleOf(rules)])
  return { schema, required, styles }
}

/**
 * `required: true` refers to the argument itself, which OpenAPI says outside the schema. A list of names refers to the
 * properties of an object and stays in the schema.
 */
function withoutRequired(rules: ArgumentRules): ArgumentRules {
  if (typeof rules.required !== 'boolean') return rules
  const { required: _required, ...others } = rules
  return others
}

function securityOf({ kind }: Requirement): readonly OpenApiObject[] {
  return kind === 'anyone' ? [] : [{ applicationPassword: [] }, { loginCookie: [], nonce: [] }]
}

/** The responses that the service gives at any route, whatever the handler does, by status. */
const serviceResponses = {
  400: 'BadRequest',
  // Also at public routes: a wrong password or nonce is refused there as well.
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  408: 'RequestTimeout',
  413: 'ContentTooLarge',
  417: 'ExpectationFailed',
  429: 'TooManyRequests',
  431: 'HeaderFieldsTooLarge',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
} as const satisfies Readonly<Record<number, keyof ReturnType<typeof componentsOf>['responses']>>

/** A response of a declared status. The service and a thrown `RestError` answer with an error of the same status. */
function declaredResponse(status: string, rules: ArgumentRules, headers: OpenApiObject): OpenApiObject {
  const { description, ...schema } = jsonSchemaOf(withoutRequired(rules)) as { description?: unknown }
  const text = description ?? 'The response of the handler.'
  const isSuccess = Number(status) < 300
  if (status === '204' || status === '205') return { description: text, ...headers }
  const isError = Number(status) >= 400
  const body = isError ? { anyOf: [schema, { $ref: '#/components/schemas/RestError' }] } : schema
  return { description: text, ...(isSuccess && headers), content: { 'application/json': { schema: body } } }
}

function responsesOf(route: RouteSummary): OpenApiObject {
  const { method, isCached, isConditional, isEventStream, rateLimit, idempotencyKey, responses } = route
  const headers = isConditional && method !== 'DELETE' ? { headers: entityTag } : {}
  const content = isEventStream ? { 'text/event-stream': {} } : { 'application/json': {} }
  const isDeclared = Object.keys(responses).length > 0
  return {
    ...(!isDeclared && {
      200: { description: 'The response of the handler.', ...headers, content },
      '2XX': { description: 'The response of the handler, when it sets another status.', ...headers, content },
    }),
    ...((isCached || (isConditional && method === 'GET')) && {
      304: { description: 'The response that `If-None-Match` names is still valid.', ...headers },
    }),
    ...Object.fromEntries(
      Object.entries(serviceResponses).map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
    ),
    ...(rateLimit && { 429: rateLimited }),
    ...(isConditional && { 412: preconditionFailed }),
    ...(idempotencyKey && { 409: keyInUse, 422: keyReused }),
    ...Object.fromEntries(
      Object.entries(responses).map(([status, rules]) => [status, declaredResponse(status, rules, headers)]),
    ),
    '4XX': { description: 'Another refusal by the handler.', content },
    '5XX': { description: 'Another failure that the handler reports.', content },
  }
}
