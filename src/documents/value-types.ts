import type { ArgumentRules, ArgumentSchema, FileType, TypeName } from '../validation/rules.js'

/**
 * The TypeScript type of the values that an argument with these rules accepts.
 * @param inherited the type of the enclosing rules. A schema in `anyOf` or `oneOf` without a type uses it.
 */
export function valueType(rules: ArgumentRules, inherited?: ArgumentRules['type']): string {
  const type = rules.type ?? inherited
  const candidates = rules.anyOf ?? rules.oneOf
  if (candidates !== undefined) return union(candidates.map((candidate) => valueType(candidate, type)))
  if (rules.enum !== undefined) return union(rules.enum.map(literalType))
  if (type === undefined) return 'unknown'
  return union(
    (Array.isArray(type) ? (type as readonly TypeName[]) : [type as TypeName | FileType]).map((name) =>
      typeOfName(name, rules),
    ),
  )
}

/**
 * The members of an object type, with their comments.
 * @param others the type of members that the schema does not name. Null when it allows none.
 * @param optional appended to the type of each member that is not required.
 */
export function memberTypes(
  schema: ArgumentSchema,
  isRequired: (name: string) => boolean,
  others: string | null,
  optional = '',
): readonly string[] {
  const properties = Object.entries(schema).map(([name, rules]) => ({ name, rules, type: valueType(rules) }))
  const members = properties.map(
    ({ name, rules, type }) =>
      `${commentOf(rules)}readonly ${propertyName(name)}${isRequired(name) ? `: ${type}` : `?: ${type}${optional}`}`,
  )
  if (others === null) return members
  // TypeScript requires the type of an index signature to include the types of the named members.
  const hasOptional = properties.some(({ name }) => !isRequired(name))
  const indexType = union([others, ...properties.map(({ type }) => type), ...(hasOptional ? ['undefined'] : [])])
  return [...members, `readonly [name: string]: ${others === 'unknown' ? others : indexType}`]
}

function typeOfName(type: TypeName | FileType, rules: ArgumentRules): string {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `readonly (${rules.items === undefined ? 'unknown' : valueType(rules.items)})[]`
    case 'object': {
      const { properties = {}, required } = rules
      const requiredNames = new Set<unknown>(Array.isArray(required) ? required : [])
      const isRequired = (name: string) => requiredNames.has(name) || properties[name]?.required === true
      const members = memberTypes(properties, isRequired, otherMembers(rules))
      return `{ ${members.join('; ')} }`
    }
    case 'file':
      return 'Blob'
    case 'string':
    case 'boolean':
    case 'null':
      return type
  }
}

/** The type of members that are not listed in `properties`. Null when the rules allow none. */
function otherMembers({ additionalProperties = true, patternProperties = {} }: ArgumentRules): string | null {
  const patternTypes = Object.values(patternProperties).map((rules) => valueType(rules))
  if (additionalProperties === false) return patternTypes.length === 0 ? null : union(patternTypes)
  return additionalProperties === true ? 'unknown' : union([...patternTypes, valueType(additionalProperties)])
}

function literalType(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'unknown' : (JSON.stringify(value) ?? 'unknown')
}

function union(types: readonly string[]): string {
  return types.includes('unknown') ? 'unknown' : [...new Set(types)].join(' | ') || 'never'
}

function commentOf({ description }: ArgumentRules): string {
  if (description === undefined) return ''
  return `/** ${inComment(description.replaceAll(/\s+/g, ' '))} */ `
}

/** A text in which no `*\/` ends the comment that contains it. */
export function inComment(text: string): string {
  return text.replaceAll('*/', '*\\/')
}

/** The name of a property in source text. A name that is not an identifier is quoted. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : `[${JSON.stringify(name)}]`
}

/** The TypeScript type of a body that these rules of a response describe. Members that they do not describe are never sent. */
export const bodyType = (rules: ArgumentRules): string => valueType(closed(rules))

function closed(rules: ArgumentRules): ArgumentRules {
  const { items, properties, anyOf, oneOf, patternProperties, additionalProperties = false } = rules
  return {
    ...rules,
    ...(items !== undefined && { items: closed(items) }),
    ...(properties !== undefined && { properties: closedAll(properties) }),
    ...(patternProperties !== undefined && { patternProperties: closedAll(patternProperties) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(closed) }),
    ...(oneOf !== undefined && { oneOf: oneOf.map(closed) }),
    additionalProperties:
      typeof additionalProperties === 'object' ? closed(additionalProperties) : additionalProperties,
  }
}

const closedAll = (schemas: ArgumentSchema): ArgumentSchema =>
  Object.fromEntries(Object.entries(schemas).map(([name, rules]) => [name, closed(rules)]))
