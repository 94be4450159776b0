import type { ArgumentRules, ArgumentSchema } from '../validation/rules.js'

/** A schema of JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Rules that mean the same in both languages. */
const same = [
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
 * The rules of an argument as JSON Schema. WordPress's are those of draft 4: bounds that exclude are flags there and
 * numbers here, `required` stands at the property there and at the object here.
 */
export function jsonSchemaOf(rules: ArgumentRules): JsonSchema {
  const schema: Record<string, unknown> = {}
  for (const name of same) if (rules[name] !== undefined) schema[name] = rules[name]
  if (rules.default !== undefined && rules.default !== null) schema['default'] = rules.default
  addBounds(schema, rules)
  if (rules.pattern !== undefined) addPattern(schema, rules.pattern)
  if (rules.items !== undefined) schema['items'] = jsonSchemaOf(rules.items)
  addProperties(schema, rules)
  if (rules.anyOf !== undefined) schema['anyOf'] = rules.anyOf.map(jsonSchemaOf)
  if (rules.oneOf !== undefined) schema['oneOf'] = rules.oneOf.map(jsonSchemaOf)
  return schema
}

function addBounds(schema: Record<string, unknown>, rules: ArgumentRules): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = rules
  if (minimum !== undefined) schema[exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum'] = minimum
  if (maximum !== undefined) schema[exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum'] = maximum
}

/** PCRE and ECMAScript share most of their language; what only PCRE knows is kept for people. */
function addPattern(schema: Record<string, unknown>, pattern: string): void {
  schema[isEcmaScript(pattern) ? 'pattern' : 'x-pcre-pattern'] = pattern
}

function isEcmaScript(pattern: string): boolean {
  try {
    // A class such as [:alpha:] is to ECMAScript a set of these letters.
    return !pattern.includes('[:') && new RegExp(pattern, 'u').source !== ''
  } catch {
    return false
  }
}

function addProperties(schema: Record<string, unknown>, rules: ArgumentRules): void {
  const { properties, patternProperties, additionalProperties, required } = rules
  const names = [
    ...(Array.isArray(required) ? (required as readonly string[]) : []),
    ...Object.entries(properties ?? {}).flatMap(([name, inner]) => (inner.required === true ? [name] : [])),
  ]
  if (properties !== undefined) schema['properties'] = schemasOf(properties)
  if (names.length > 0) schema['required'] = [...new Set(names)]
  if (patternProperties !== undefined) {
    const known = Object.entries(patternProperties).filter(([pattern]) => isEcmaScript(pattern))
    schema['patternProperties'] = schemasOf(Object.fromEntries(known))
  }
  if (additionalProperties !== undefined)
    schema['additionalProperties'] =
      typeof additionalProperties === 'object' ? jsonSchemaOf(additionalProperties) : additionalProperties
}

function schemasOf(schemas: ArgumentSchema): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, rules]) => [name, jsonSchemaOf(rules)]))
}
