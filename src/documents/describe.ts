import { isDeepStrictEqual } from 'node:util'
import { isFileArgument } from '../validation/file-arguments.js'
import type { ArgumentRules, ArgumentSchema } from '../validation/rules.js'
import { jsonSchemaOf } from './json-schema.js'
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
 * The description of a route in the response to OPTIONS: as in the index, with the schema of the last declaration that has
 * one.
 */
export function routeHelp(route: Route<Endpoint>, root: string): Record<string, unknown> | null {
  const description = routeDescription(route, root)
  const schema = route.handlers.findLast((endpoint) => endpoint.showInIndex && endpoint.schema)?.schema
  if (!description || !schema) return description
  const { _links, ...others } = description
  return { ...others, schema: asArrays(schema), ...(_links !== undefined && { _links }) }
}

/**
 * The description of a route in the index.
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
    endpoints: endpointDescriptions(endpoints),
  }
  if (!route.pattern.includes('(?P<')) {
    description['_links'] = { self: [{ href: root + route.pattern.replace(/^\//, '') }] }
  }
  return description
}

/**
 * One description for endpoints with a schema that follow each other and differ in their methods alone: WordPress's
 * controllers register such methods together. Other declarations are described one by one, as WordPress describes separate
 * registrations.
 */
function endpointDescriptions(endpoints: readonly Endpoint[]): readonly Record<string, unknown>[] {
  const descriptions: Record<string, unknown>[] = []
  let methods: string[] = []
  for (const [index, endpoint] of endpoints.entries()) {
    const previous = endpoints[index - 1]
    if (previous && isSameHandler(previous, endpoint)) methods.push(...endpoint.methods)
    else descriptions.push(endpointDescription(endpoint, (methods = [...endpoint.methods])))
  }
  return descriptions
}

function isSameHandler(left: Endpoint, right: Endpoint): boolean {
  return (
    Boolean(left.schema && right.schema) &&
    left.name === right.name &&
    left.permission === right.permission &&
    left.allowBatch === right.allowBatch &&
    isDeepStrictEqual(left.args, right.args)
  )
}

function endpointDescription(endpoint: Endpoint, methods: readonly string[]): Record<string, unknown> {
  return {
    methods,
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
    for (const [rule, value] of Object.entries(shownRules(rules)))
      if (describedRules.has(rule)) description[rule] = asArrays(value)
    descriptions[name] = { ...description, required: Boolean(rules.required) }
  }
  return descriptions
}

/** Clients of WordPress's index know the types of JSON Schema, which has no files. */
function shownRules(rules: ArgumentRules): ArgumentRules {
  if (!isFileArgument(rules)) return rules
  const { items } = rules
  return items === undefined
    ? { ...rules, ...jsonSchemaOf({ type: 'file' }) }
    : { ...rules, items: jsonSchemaOf(items) }
}
