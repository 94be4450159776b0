import type { ArgumentSchema } from '../validation/rules.js'
import { asArrays } from '../php/array-shape.js'
import type { Route } from '../routing/table.js'
import type { Endpoint } from '../routing/endpoint.js'

/** Rules that a description shows, besides `required` (docs/wire.md#route-descriptions). Callbacks never appear. */
const shownRules = new Set(
  (
    'title description default type format enum items properties additionalProperties patternProperties ' +
    'minProperties maxProperties minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength ' +
    'pattern minItems maxItems uniqueItems anyOf oneOf'
  ).split(' '),
)

/**
 * A route as the index and OPTIONS describe it (docs/wire.md#route-descriptions).
 * @param root `https://shop.example/wp-json/`
 * @returns `null` when every endpoint of the route is hidden.
 */
export function routeDescription(route: Route<Endpoint>, root: string): Record<string, unknown> | null {
  const shown = route.handlers.filter(({ showInIndex }) => showInIndex)
  const first = shown[0]
  if (!first) return null
  const description: Record<string, unknown> = {
    namespace: first.namespace ?? '',
    methods: shown.flatMap((endpoint) => endpoint.methods),
    endpoints: shown.map(endpointDescription),
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

/** `[]` when there are none: WordPress's structures print an empty map so. */
function argumentsDescription(args: ArgumentSchema): unknown {
  const names = Object.keys(args)
  if (names.length === 0) return []
  const described: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const name of names) {
    const rules = args[name] ?? {}
    const shown: Record<string, unknown> = {}
    for (const [rule, value] of Object.entries(rules)) if (shownRules.has(rule)) shown[rule] = asArrays(value)
    described[name] = { ...shown, required: Boolean(rules.required) }
  }
  return described
}
