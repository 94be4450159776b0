import { requireNumber, requireString, typeOfValue } from '../base/value-type.js'
import type { RecordQuery } from './record.js'

/**
 * Refuses a query with values of wrong types. The compiler does not check JavaScript and unvalidated input, and a database
 * compares values of other types by its own rules.
 * @throws TypeError whose message contains the field.
 */
export function requireRecordQuery(query: RecordQuery): void {
  if (typeof query !== 'object' || query === null)
    throw new TypeError(`A query for records must be an object; it is ${typeOfValue(query)}.`)
  requireStrings(query.type, 'type')
  requireStrings(query.status, 'status')
  optional(query.category, 'category', requireString)
  optional(query.author, 'author', requireNumber)
  optional(query.parent, 'parent', requireNumber)
  optional(query.slug, 'slug', requireString)
  optional(query.search, 'search', requireString)
  optional(query.page, 'page', requireNumber)
  optional(query.per_page, 'per_page', requireNumber)
  optional(query.order, 'order', requireString)
  optional(query.ids, 'ids', requireNumbers)
  optional(query.term, 'term', requireTerm)
  optional(query.orderby, 'orderby', requireOrder)
}

type Requirement = (value: unknown, name: string) => void

function optional(value: unknown, field: string, require: Requirement): void {
  if (value !== undefined && value !== null) require(value, fieldText(field))
}

const fieldText = (field: string): string => `'${field}' of a query for records`

function requireStrings(value: unknown, field: string): void {
  if (value === undefined || value === null || typeof value === 'string') return
  if (!Array.isArray(value))
    throw new TypeError(`${fieldText(field)} must be a string or a list of strings; it is ${typeOfValue(value)}.`)
  for (const item of value) requireString(item, `An item of ${fieldText(field)}`)
}

function requireNumbers(value: unknown, name: string): void {
  if (!Array.isArray(value)) throw new TypeError(`${name} must be a list of numbers; it is ${typeOfValue(value)}.`)
  for (const item of value) requireNumber(item, `An item of ${name}`)
}

function requireTerm(value: unknown, name: string): void {
  if (typeof value !== 'object' || value === null)
    throw new TypeError(`${name} must be an object with 'taxonomy' and 'slug'; it is ${typeOfValue(value)}.`)
  const { taxonomy, slug } = value as { readonly taxonomy?: unknown; readonly slug?: unknown }
  requireString(taxonomy, `'taxonomy' of ${name}`)
  requireString(slug, `'slug' of ${name}`)
}

/** An unknown text is allowed: it means the order by date, as in WordPress. */
function requireOrder(value: unknown, name: string): void {
  if (typeof value === 'string') return
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`${name} must be a string or an object with 'meta'; it is ${typeOfValue(value)}.`)
  requireString((value as { readonly meta?: unknown }).meta, `'meta' of ${name}`)
}
