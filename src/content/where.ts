import { requireBoolean, requireString } from '../base/value-type.js'
import type { MetaFilter } from '../database/meta-filter.js'
import { compared, typeFor, type DeclarationOf, type MetaValue } from './meta-comparison.js'
import type { MetaDeclaration } from './record-type.js'

/**
 * A condition on the metadata of a key: a value, one of a list, a range that includes its ends, or absent (null). Several parts
 * must all hold: `{ from: 10, not: 12 }`. A key that a record does not have counts as its registered default.
 */
export type MetaCondition =
  | MetaValue
  | null
  | { readonly from?: string | number | null | undefined; readonly to?: string | number | null | undefined }
  | { readonly not: MetaValue }
  | { readonly contains: string }
  | { readonly exists: boolean }

/** Conditions by key of metadata. An undefined one does not restrict the query. */
export type Where<Key extends string = string> = { readonly [Name in Key]?: MetaCondition | undefined }

/**
 * The filters of the field `where` of a query for records.
 * @throws TypeError for a value of a wrong type. @throws RangeError for an unknown condition.
 */
export function whereFilters(where: Where, declarationOf: DeclarationOf): MetaFilter[] {
  return Object.entries(where).flatMap(([key, condition]) =>
    condition === undefined ? [] : [conditionFilter(key, condition, declarationOf(key))],
  )
}

function conditionFilter(key: string, condition: MetaCondition, declaration: MetaDeclaration | undefined): MetaFilter {
  const absent: MetaFilter = { key, compare: 'not exists', as: 'text', values: [] }
  if (condition === null) return absent
  const comparison = comparisonOf(key, condition, declaration)
  const value = declaration?.default
  const isDefault = isScalar(value) && holds(comparison, value)
  return isDefault ? { relation: 'or', filters: [comparison, absent] } : comparison
}

function comparisonOf(
  key: string,
  condition: NonNullable<MetaCondition>,
  declaration: MetaDeclaration | undefined,
): MetaFilter {
  if (typeof condition !== 'object' || Array.isArray(condition))
    return valueFilter(key, condition as MetaValue, false, declaration)
  const operators = Object.keys(condition)
  const unknown = operators.find((name) => !conditionNames.some((each) => each === name))
  if (operators.length === 0 || unknown !== undefined)
    throw new RangeError(
      `The condition of '${key}' ${unknown === undefined ? 'is empty' : `has the unknown key '${unknown}'`}. Use ${conditionNames.join(', ')}.`,
    )
  const parts = condition as ConditionParts
  const filters = conditionNames.flatMap((name) => partFilter(key, name, parts, declaration) ?? [])
  const [only] = filters
  // All bounds are null, as optional arguments of a request may be: any value meets the condition.
  if (only === undefined) return { relation: 'and', filters: [] }
  if (filters.length === 1) return only
  const other = conditionNames.find((name) => name !== 'exists' && parts[name] != null)
  if ('exists' in parts && !parts.exists)
    throw new RangeError(`The condition of '${key}' has 'exists: false' beside '${other}', which no record meets.`)
  return { relation: 'and', filters }
}

interface ConditionParts {
  readonly from?: string | number | null | undefined
  readonly to?: string | number | null | undefined
  readonly not?: MetaValue
  readonly contains?: string
  readonly exists?: boolean
}

const conditionNames: readonly (keyof ConditionParts)[] = ['from', 'to', 'not', 'contains', 'exists']

/** @returns null when the condition does not have this part, and for a bound that is null: neither restricts the query. */
function partFilter(
  key: string,
  name: keyof ConditionParts,
  condition: ConditionParts,
  declaration: MetaDeclaration | undefined,
): MetaFilter | null {
  if (!(name in condition)) return null
  switch (name) {
    case 'not':
      return valueFilter(key, condition.not as MetaValue, true, declaration)
    case 'contains':
      requireString(condition.contains, `'contains' of the condition of '${key}'`)
      return { key, compare: 'contains', as: 'text without case', values: [condition.contains] }
    case 'exists':
      requireBoolean(condition.exists, `'exists' of the condition of '${key}'`)
      return { key, compare: condition.exists ? 'exists' : 'not exists', as: 'text', values: [] }
    default: {
      const { [name]: bound } = condition
      if (bound == null) return null
      return compared(key, name === 'from' ? '>=' : '<=', [bound], typeFor(declaration, [bound]))
    }
  }
}

function valueFilter(
  key: string,
  value: MetaValue,
  isNegated: boolean,
  declaration: MetaDeclaration | undefined,
): MetaFilter {
  if (typeof value === 'boolean') return booleanFilter(key, value !== isNegated, declaration)
  const values = Array.isArray(value) ? (value as readonly (string | number)[]) : [value as string | number]
  const isList = Array.isArray(value)
  const compare = isList ? (isNegated ? 'not in' : 'in') : isNegated ? '!=' : '='
  return compared(key, compare, values, typeFor(declaration, values))
}

/** Stored as WordPress stores it: `1` is true, an empty text is false. `0` counts as false, as in PHP. */
function booleanFilter(key: string, value: boolean, declaration: MetaDeclaration | undefined): MetaFilter {
  const falsy = ['', '0']
  if (value) return { key, compare: 'not in', as: 'text', values: falsy }
  const stored: MetaFilter = { key, compare: 'in', as: 'text', values: falsy }
  // `conditionFilter` adds the records without the key where the default is false.
  if (isScalar(declaration?.default)) return stored
  return { relation: 'or', filters: [stored, { key, compare: 'not exists', as: 'text', values: [] }] }
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Whether a registered default fulfils a condition, as the database compares. */
function holds(filter: MetaFilter, value: string | number | boolean): boolean {
  if (!('key' in filter)) {
    const each = (part: MetaFilter): boolean => holds(part, value)
    return filter.relation === 'or' ? filter.filters.some(each) : filter.filters.every(each)
  }
  const { compare, values } = filter
  const text = typeof value === 'boolean' ? (value ? '1' : '') : String(value)
  const comparedValue = filter.as === 'number' ? Number(text) || 0 : text
  const [first = ''] = values
  switch (compare) {
    case '=':
      return comparedValue === first
    case '!=':
      return comparedValue !== first
    case '<=':
      return comparedValue <= first
    case '>=':
      return comparedValue >= first
    case 'in':
      return values.includes(comparedValue)
    case 'not in':
      return !values.includes(comparedValue)
    case 'contains':
      return text.toLowerCase().includes(String(first).toLowerCase())
    default:
      // `exists` and `not exists` are about stored rows, so a default adds nothing to them. A condition makes no other comparison.
      return false
  }
}
