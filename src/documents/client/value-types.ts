import type { ArgumentRules, ArgumentSchema, TypeName } from '../../arguments/rules.js'

/** The TypeScript type of the values that rules accept, as a client sends them. */
export function valueType(rules: ArgumentRules, inherited?: ArgumentRules['type']): string {
  const type = rules.type ?? inherited
  const candidates = rules.anyOf ?? rules.oneOf
  if (candidates !== undefined) return union(candidates.map((candidate) => valueType(candidate, type)))
  if (rules.enum !== undefined) return union(rules.enum.map(literalType))
  if (type === undefined) return 'unknown'
  return union(
    (Array.isArray(type) ? (type as readonly TypeName[]) : [type as TypeName]).map((one) => named(one, rules)),
  )
}

/**
 * The members of an object type, with their comments.
 * @param isRequired by name.
 * @param isOpen other members may come along.
 */
export function memberTypes(
  schema: ArgumentSchema,
  isRequired: (name: string) => boolean,
  isOpen: boolean,
): readonly string[] {
  const members = Object.entries(schema).map(
    ([name, rules]) =>
      `${commentOf(rules)}readonly ${propertyName(name)}${isRequired(name) ? '' : '?'}: ${valueType(rules)}`,
  )
  return isOpen ? [...members, 'readonly [name: string]: unknown'] : members
}

function named(type: TypeName, rules: ArgumentRules): string {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `readonly (${rules.items === undefined ? 'unknown' : valueType(rules.items)})[]`
    case 'object': {
      const { properties = {}, required, additionalProperties } = rules
      const listed = new Set<unknown>(Array.isArray(required) ? required : [])
      const isRequired = (name: string) => listed.has(name) || properties[name]?.required === true
      const members = memberTypes(properties, isRequired, additionalProperties !== false)
      return `{ ${members.join('; ')} }`
    }
    default:
      return type
  }
}

function literalType(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'unknown' : (JSON.stringify(value) ?? 'unknown')
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ') || 'never'
}

function commentOf({ description }: ArgumentRules): string {
  if (description === undefined) return ''
  return `/** ${inComment(description.replaceAll(/\s+/g, ' '))} */ `
}

/** A text that does not end the comment it stands in. */
export function inComment(text: string): string {
  return text.replaceAll('*/', '*\\/')
}

/** A name as a property; what is no identifier is quoted. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : `[${JSON.stringify(name)}]`
}
