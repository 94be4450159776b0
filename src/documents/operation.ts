import type { ArgumentRules } from '../validation/rules.js'
import type { Requirement } from '../auth/requirement.js'
import type { RouteSummary } from '../routing/route-summary.js'
import { jsonSchemaOf } from './json-schema.js'
import { parametersOf, type PathParameter, type PathTemplate } from './path-templates.js'

type Shape = Readonly<Record<string, unknown>>
type Argument = readonly [name: string, rules: ArgumentRules]

/**
 * One operation of a path: what it takes, what it answers, who may call it.
 * @param labels what the path calls its parameters, in their order; that is up to the first route of the path.
 */
export function operationOf(
  route: RouteSummary,
  template: PathTemplate,
  labels: readonly string[],
  operationId: string,
): Shape {
  const inPath = parametersOf(template)
  const others = Object.entries(route.args).filter(([name]) => !inPath.some((parameter) => parameter.name === name))
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(route.method)
  const parameters = [
    ...inPath.map((parameter, index) =>
      pathParameter({ ...parameter, name: labels[index] ?? parameter.name }, route.args[parameter.name] ?? {}),
    ),
    ...(hasBody ? [] : others.map(queryParameter)),
  ]
  return {
    operationId,
    tags: [route.handler.split('.', 1)[0] ?? ''],
    security: securityOf(route.requirement),
    'x-permission': route.requirement,
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody && others.length > 0 && { requestBody: requestBodyOf(others) }),
    responses: responsesOf(route, inPath.length > 0),
  }
}

/** Captures are text; rules that are declared for them as well come on top. */
function pathParameter({ name, pattern }: PathParameter, rules: ArgumentRules): Shape {
  const { default: _default, ...schema } = jsonSchemaOf(rules)
  const { description, ...rest } = schema as { description?: unknown }
  const text = { type: 'string', ...(pattern !== null && { pattern }) }
  const whole = Object.keys(rest).length === 0 ? text : rules.type === undefined ? { ...text, ...rest } : rest
  return { name, in: 'path', required: true, ...(description !== undefined && { description }), schema: whole }
}

function queryParameter([name, rules]: Argument): Shape {
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

/**
 * Lists are split at commas by the service (docs/wire.md#types), and of a repeated name only the last value counts
 * (docs/wire.md#names-with-brackets).
 */
function styleOf({ type }: ArgumentRules): Shape {
  const types = [type].flat()
  if (types.includes('array')) return { style: 'form', explode: false }
  return types.includes('object') ? { style: 'deepObject', explode: true } : {}
}

function requestBodyOf(given: readonly Argument[]): Shape {
  const required = given.filter(([, rules]) => rules.required === true).map(([name]) => name)
  const schema = {
    type: 'object',
    properties: Object.fromEntries(given.map(([name, rules]) => [name, jsonSchemaOf(withoutRequired(rules))])),
    ...(required.length > 0 && { required }),
  }
  const styled = given.map(([name, rules]) => [name, styleOf(rules)] as const)
  const encoding = Object.fromEntries(styled.filter(([, style]) => Object.keys(style).length > 0))
  return {
    ...(required.length > 0 && { required: true }),
    content: {
      'application/json': { schema },
      'application/x-www-form-urlencoded': {
        schema,
        ...(Object.keys(encoding).length > 0 && { encoding }),
      },
    },
  }
}

/** At an argument, `true` speaks of the argument; only a list of names speaks of what is in it. */
function withoutRequired(rules: ArgumentRules): ArgumentRules {
  if (typeof rules.required !== 'boolean') return rules
  const { required: _required, ...others } = rules
  return others
}

function securityOf({ kind }: Requirement): readonly Shape[] {
  return kind === 'anyone' ? [] : [{ applicationPassword: [] }, { loginCookie: [], nonce: [] }]
}

/** A wrong password or nonce is refused on public routes too. */
function responsesOf(route: RouteSummary, hasPath: boolean): Shape {
  const takesAnything = hasPath || Object.keys(route.args).length > 0
  return {
    200: {
      description: 'What the handler answers; it may choose another status.',
      content: { 'application/json': {} },
    },
    ...(takesAnything && { 400: { $ref: '#/components/responses/BadRequest' } }),
    401: { $ref: '#/components/responses/Unauthorized' },
    403: { $ref: '#/components/responses/Forbidden' },
    404: { $ref: '#/components/responses/NotFound' },
    500: { $ref: '#/components/responses/InternalServerError' },
  }
}
