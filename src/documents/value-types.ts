import type { ArgumentRules, ArgumentSchema, TypeName } from '../validation/rules.js'

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
 * @param others the type of other members, which may come along; null when none may.
 */
export function memberTypes(
  schema: ArgumentSchema,
  isRequired: (name: string) => boolean,
  others: string | null,
): readonly string[] {
  const named = Object.entries(schema).map(([name, rules]) => ({ name, rules, type: valueType(rules) }))
  const members = named.map(
    ({ name, rules, type }) =>
      `${commentOf(rules)}readonly ${propertyName(name)}${isRequired(name) ? '' : '?'}: ${type}`,
  )
  if (others === null) return members
  // To TypeScript an index signature speaks of the members with a name as well.
  const mayBeAbsent = named.some(({ name }) => !isRequired(name))
  const any = union([others, ...named.map(({ type }) => type), ...(mayBeAbsent ? ['undefined'] : [])])
  return [...members, `readonly [name: string]: ${others === 'unknown' ? others : any}`]
}

function named(type: TypeName, rules: ArgumentRules): string {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `readonly (${rules.items === undefined ? 'unknown' : valueType(rules.items)})[]`
    case 'object': {
      const { properties = {}, required } = rules
      const listed = new Set<unknown>(Array.isArray(required) ? required : [])
      const isRequired = (name: string) => listed.has(name) || properties[name]?.required === true
      const members = memberTypes(properties, isRequired, otherMembers(rules))
      return `{ ${members.join('; ')} }`
    }
    default:
      return type
  }
}

/** The type of members that have no rules by their name; null when there may be none. */
function otherMembers({ additionalProperties = true, patternProperties = {} }: ArgumentRules): string | null {
  const ofPatterns = Object.values(patternProperties).map((rules) => valueType(rules))
  if (additionalProperties === false) return ofPatterns.length === 0 ? null : union(ofPatterns)
  return additionalProperties === true ? 'unknown' : union([...ofPatterns, valueType(additionalProperties)])
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

/** A text that does not end the comment it stands in. */
export function inComment(text: string): string {
  return text.replaceAll('*/', '*\\/')
}

/** A name as a property; what is no identifier is quoted. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : `[${JSON.stringify(name)}]`
}
