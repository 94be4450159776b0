import type { ArgumentSchema } from '../validation/rules.js'
import { asArrays } from '../php/array-shape.js'
import type { Route } from '../routing/table.js'
import type { Endpoint } from '../routing/endpoint.js'

/**
 * The rules in the description of an argument, besides `required`: those that WordPress shows. Callbacks are not shown.
 */
const describedRules = new Set(
  (
    'title description default type format enum items properties additionalProperties patternProperties ' +
    'minProperties maxProperties minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength ' +
    'pattern minItems maxItems uniqueItems anyOf oneOf'
  ).split(' '),
)

/**
 * The description of a route in the index and in the response to OPTIONS.
 * @param root `https://shop.example/wp-json/`
 * @returns `null` when every endpoint of the route has `show_in_index: false`.
 */
export function routeDescription(route: Route<Endpoint>, root: string): Record<string, unknown> | null {
  const endpoints = route.handlers.filter(({ showInIndex }) => showInIndex)
  const first = endpoints[0]
  if (!first) return null
  const description: Record<string, unknown> = {
    namespace: first.namespace ?? '',
    methods: endpoints.flatMap((endpoint) => endpoint.methods),
    endpoints: endpoints.map(endpointDescription),
  }
  if (!route.pattern.includes('(?P<')) {
    description['_links'] = { self: [{ href: root + route.pattern.replace(/^\//, '') }] }
  }
  return description
}

function endpointDescription(endpoint: Endpoint): Record<string, unknown> {
  return {
    methods: endpoint.methods,
    ...(endpoint.allowBatch && { allow_batch: { v1: true } }),
    args: argumentsDescription(endpoint.args),
  }
}

/** `[]` when there are no arguments: PHP encodes an empty map as a list. */
function argumentsDescription(args: ArgumentSchema): unknown {
  const names = Object.keys(args)
  if (names.length === 0) return []
  const descriptions: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const name of names) {
    const rules = args[name] ?? {}
    const description: Record<string, unknown> = {}
    for (const [rule, value] of Object.entries(rules)) if (describedRules.has(rule)) description[rule] = asArrays(value)
    descriptions[name] = { ...description, required: Boolean(rules.required) }
  }
  return descriptions
}
