import type { ArgumentRules, ArgumentSchema } from '../validation/rules.js'

/** A JSON Schema of the version 2020-12, which OpenAPI 3.1 uses. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Rules that have the same name and meaning in JSON Schema 2020-12. */
const commonRules = [
  'title',
  'description',
  'type',
  'enum',
  'format',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
] as const satisfies readonly (keyof ArgumentRules)[]

/**
 * The rules of an argument as JSON Schema 2020-12. WordPress's rules follow draft 4, which differs: `exclusiveMinimum`
 * and `exclusiveMaximum` are booleans in draft 4 and numbers in 2020-12; WordPress sets `required` on the property,
 * JSON Schema lists the required names on the object.
 */
export function jsonSchemaOf(rules: ArgumentRules): JsonSchema {
  const schema: Record<string, unknown> = {}
  for (const name of commonRules) if (rules[name] !== undefined) schema[name] = rules[name]
  if (rules.default !== undefined && rules.default !== null) schema['default'] = rules.default
  if (rules.type === 'file') Object.assign(schema, binary)
  addBounds(schema, rules)
  if (rules.pattern !== undefined) addPattern(schema, rules.pattern)
  if (rules.items !== undefined) schema['items'] = jsonSchemaOf(rules.items)
  addProperties(schema, rules)
  if (rules.anyOf !== undefined) schema['anyOf'] = rules.anyOf.map(jsonSchemaOf)
  if (rules.oneOf !== undefined) schema['oneOf'] = rules.oneOf.map(jsonSchemaOf)
  return schema
}

/** How OpenAPI names the bytes of a file. */
const binary = { type: 'string', format: 'binary' } as const

function addBounds(schema: Record<string, unknown>, rules: ArgumentRules): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = rules
  if (minimum !== undefined) schema[exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum'] = minimum
  if (maximum !== undefined) schema[exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum'] = maximum
}

/**
 * Most PCRE patterns are ECMAScript patterns too. A pattern that is not becomes `x-pcre-pattern`, which tools ignore.
 */
function addPattern(schema: Record<string, unknown>, pattern: string): void {
  schema[isEcmaScript(pattern) ? 'pattern' : 'x-pcre-pattern'] = pattern
}

function isEcmaScript(pattern: string): boolean {
  try {
    // ECMAScript reads a POSIX class such as [:alpha:] as a set of these characters.
    return !pattern.includes('[:') && new RegExp(pattern, 'u').source !== ''
  } catch {
    return false
  }
}

function addProperties(schema: Record<string, unknown>, rules: ArgumentRules): void {
  const { properties, patternProperties, additionalProperties, required } = rules
  const requiredNames = [
    ...(Array.isArray(required) ? (required as readonly string[]) : []),
    ...Object.entries(properties ?? {}).flatMap(([name, inner]) => (inner.required === true ? [name] : [])),
  ]
  if (properties !== undefined) schema['properties'] = schemasOf(properties)
  if (requiredNames.length > 0) schema['required'] = [...new Set(requiredNames)]
  if (patternProperties !== undefined) {
    const translatable = Object.entries(patternProperties).filter(([pattern]) => isEcmaScript(pattern))
    schema['patternProperties'] = schemasOf(Object.fromEntries(translatable))
  }
  if (additionalProperties !== undefined)
    schema['additionalProperties'] =
      typeof additionalProperties === 'object' ? jsonSchemaOf(additionalProperties) : additionalProperties
}

function schemasOf(schemas: ArgumentSchema): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, rules]) => [name, jsonSchemaOf(rules)]))
}
