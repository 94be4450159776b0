import { requireString } from '../base/value-type.js'
import type { MetaFilter, MetaOperator } from '../database/meta-filter.js'
import { compared, typeFor, type DeclarationOf, type MetaValue } from './meta-comparison.js'
import type { MetaDeclaration } from './record-type.js'

/**
 * A condition on the metadata of a key: a value, one of a list, a range that includes its ends, or absent (null). A key that a
 * record does not have counts as its registered default.
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
  const unknown = operators.find((name) => !conditionNames.includes(name))
  if (operators.length === 0 || unknown !== undefined)
    throw new RangeError(
      `The condition of '${key}' ${unknown === undefined ? 'is empty' : `has '${unknown}'`}; there are ${conditionNames.join(', ')}.`,
    )
  if ('not' in condition) return valueFilter(key, condition.not, true, declaration)
  if ('contains' in condition) {
    requireString(condition.contains, `'contains' of the condition of '${key}'`)
    return { key, compare: 'contains', as: 'text without case', values: [condition.contains] }
  }
  if ('exists' in condition) return { key, compare: condition.exists ? 'exists' : 'not exists', as: 'text', values: [] }
  const { from, to } = condition as { readonly from?: string | number; readonly to?: string | number }
  const bounds: [MetaOperator, string | number | undefined][] = [
    ['>=', from],
    ['<=', to],
  ]
  const filters = bounds.flatMap(([compare, value]) =>
    value == null ? [] : [compared(key, compare, [value], typeFor(declaration, [value]))],
  )
  const [only] = filters
  // Without bounds, as from optional arguments: any value.
  if (only === undefined) return { relation: 'and', filters: [] }
  return filters.length === 1 ? only : { relation: 'and', filters }
}

const conditionNames = ['from', 'to', 'not', 'contains', 'exists']

function valueFilter(
  key: string,
  value: MetaValue,
  isNegated: boolean,
  declaration: MetaDeclaration | undefined,
): MetaFilter {
  if (typeof value === 'boolean') return booleanFilter(key, value !== isNegated)
  const values = Array.isArray(value) ? (value as readonly (string | number)[]) : [value as string | number]
  const isList = Array.isArray(value)
  const compare = isList ? (isNegated ? 'not in' : 'in') : isNegated ? '!=' : '='
  return compared(key, compare, values, typeFor(declaration, values))
}

/** Stored as WordPress stores it: `1` is true, an empty text is false. `0` counts as false, as in PHP. */
function booleanFilter(key: string, value: boolean): MetaFilter {
  const falsy = ['', '0']
  if (value) return { key, compare: 'not in', as: 'text', values: falsy }
  return {
    relation: 'or',
    filters: [
      { key, compare: 'in', as: 'text', values: falsy },
      { key, compare: 'not exists', as: 'text', values: [] },
    ],
  }
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
      // `exists` and `not exists` are about what is stored. A condition makes no other comparison.
      return false
  }
}
