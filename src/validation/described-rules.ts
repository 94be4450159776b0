import { isMap } from '../php/array-shape.js'
import type { ArgumentRules, ArgumentSchema } from './rules.js'
import { isStandardSchema, jsonSchemaFrom, type StandardSchema } from './standard-schema.js'

/** Rules with the same name and meaning in JSON Schema 2020-12. */
const commonRules = [
  'title',
  'description',
  'type',
  'default',
  'enum',
  'format',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
] as const

/** Maximum number of nested levels that are described, because a schema can contain itself. */
const maxDepth = 8

/** Arguments as a declaration has them: rules by name, or one schema of a library for all. */
export type DeclaredArguments = ArgumentSchema | StandardSchema

/** Schemas of responses as a declaration has them. */
export type DeclaredResponseSchemas = Readonly<Record<number, ArgumentRules | StandardSchema>>

const descriptions = new WeakMap<object, ArgumentSchema>()

/**
 * The rules of arguments by name. For a schema of a library they describe the input that it accepts, for the index, OPTIONS and
 * OpenAPI; empty when the library offers no JSON Schema. Calls with the same schema return the same object, so that endpoints which
 * share a schema share the result of its validation.
 */
export function argumentRulesOf(args: DeclaredArguments): ArgumentSchema {
  if (!isStandardSchema(args)) return args
  let rules = descriptions.get(args)
  if (!rules) descriptions.set(args, (rules = describedArguments(args)))
  return rules
}

/**
 * The rules of each response by status. For a schema of a library they describe its output, or its input when the library
 * offers no JSON Schema for the output; empty when it offers none.
 */
export function responseRulesOf(schemas: DeclaredResponseSchemas): Readonly<Record<number, ArgumentRules>> {
  return Object.fromEntries(
    Object.entries(schemas).map(([status, schema]) => {
      if (!isStandardSchema(schema)) return [status, schema]
      const jsonSchema = jsonSchemaFrom(schema, 'output') ?? jsonSchemaFrom(schema, 'input')
      return [status, jsonSchema === null ? {} : rulesFrom(jsonSchema, jsonSchema, 0)]
    }),
  )
}

function describedArguments(schema: StandardSchema): ArgumentSchema {
  const jsonSchema = jsonSchemaFrom(schema, 'input')
  if (jsonSchema === null) return {}
  const { properties = {}, required = [] } = rulesFrom(jsonSchema, jsonSchema, 0)
  return Object.fromEntries(
    Object.entries(properties).map(([name, rules]) => [
      name,
      Array.isArray(required) && required.includes(name) ? { ...rules, required: true } : rules,
    ]),
  )
}

/** @param root the document that a reference `#/…` is resolved in. @param depth 0 for the whole schema. */
function rulesFrom(jsonSchema: unknown, root: unknown, depth: number): ArgumentRules {
  const schema = resolved(jsonSchema, root)
  if (schema === null || depth > maxDepth) return {}
  const inner = (value: unknown): ArgumentRules => rulesFrom(value, root, depth + 1)
  const rules: Record<string, unknown> = {}
  for (const name of commonRules) if (schema[name] !== undefined) rules[name] = schema[name]
  if ('const' in schema) rules['enum'] = [schema['const']]
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (schema[bound] !== undefined) rules[bound] = schema[bound]
    if (typeof schema[exclusive] === 'number') Object.assign(rules, { [bound]: schema[exclusive], [exclusive]: true })
  }
  if (isMap(schema['items'])) rules['items'] = inner(schema['items'])
  if (isMap(schema['properties'])) rules['properties'] = mapped(schema['properties'], inner)
  if (Array.isArray(schema['required'])) rules['required'] = schema['required']
  const { additionalProperties } = schema
  if (typeof additionalProperties === 'boolean') rules['additionalProperties'] = additionalProperties
  else if (isMap(additionalProperties)) rules['additionalProperties'] = inner(additionalProperties)
  for (const name of ['anyOf', 'oneOf'] as const) {
    const candidates = schema[name]
    if (Array.isArray(candidates)) rules[name] = candidates.map(inner)
  }
  return rules
}

function mapped(
  values: Readonly<Record<string, unknown>>,
  change: (value: unknown) => ArgumentRules,
): Record<string, ArgumentRules> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}

/** Follows a reference within the document, `#/$defs/Item`; null when it leads nowhere. */
function resolved(schema: unknown, root: unknown): Readonly<Record<string, unknown>> | null {
  if (!isMap(schema)) return null
  const reference = schema['$ref']
  if (typeof reference !== 'string') return schema
  let target: unknown = reference.startsWith('#') ? root : null
  for (const segment of reference.split('/').slice(1)) {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~')
    target = isMap(target) && Object.hasOwn(target, name) ? target[name] : null
  }
  return isMap(target) && target['$ref'] === undefined ? target : null
}
