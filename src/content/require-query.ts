import { requireNumber, requireString, typeOfValue } from '../base/value-type.js'
import { requireKnownFields } from '../base/known-fields.js'
import type { RecordQuery, RecordSelection } from './record.js'

const fields: Readonly<Record<keyof RecordQuery | keyof RecordSelection, true>> = {
  type: true,
  status: true,
  category: true,
  term: true,
  tax_query: true,
  author: true,
  parent: true,
  slug: true,
  search: true,
  ids: true,
  exclude: true,
  after_id: true,
  where: true,
  meta_query: true,
  after: true,
  before: true,
  modified_after: true,
  modified_before: true,
  date_query: true,
  orderby: true,
  order: true,
  page: true,
  per_page: true,
  fields: true,
  meta_keys: true,
}
const fieldNames: ReadonlySet<string> = new Set(Object.keys(fields))

/**
 * Checks the names and the types of the fields of a query for records. An application in JavaScript may pass
 * unvalidated input, and databases compare values of other types by different rules.
 * @throws TypeError whose message names the field that does not exist, or has a value of a wrong type.
 */
export function requireRecordQuery(query: RecordQuery): void {
  if (typeof query !== 'object' || query === null)
    throw new TypeError(`A query for records must be an object; it is ${typeOfValue(query)}.`)
  requireKnownFields(query, fieldNames, 'A query for records')
  optional(query.type, 'type', requireStrings)
  optional(query.status, 'status', requireStrings)
  optional(query.category, 'category', requireString)
  optional(query.author, 'author', requireNumber)
  optional(query.parent, 'parent', requireNumber)
  optional(query.slug, 'slug', requireString)
  optional(query.search, 'search', requireString)
  optional(query.page, 'page', requireNumber)
  optional(query.per_page, 'per_page', requireNumber)
  optional(query.order, 'order', requireString)
  optional(query.ids, 'ids', requireNumbers)
  optional(query.exclude, 'exclude', requireNumbers)
  optional(query.after_id, 'after_id', requireNumber)
  optional(query.after, 'after', requireString)
  optional(query.before, 'before', requireString)
  optional(query.modified_after, 'modified_after', requireString)
  optional(query.modified_before, 'modified_before', requireString)
  optional(query.where, 'where', requireObject)
  optional(query.term, 'term', requireTerm)
  optional(query.orderby, 'orderby', requireOrderby)
}

/** @param name the field as messages name it. @throws TypeError when the value has a wrong type. */
type Check = (value: unknown, name: string) => void

/** Checks a field that may be `undefined` or `null`. */
function optional(value: unknown, field: string, check: Check): void {
  if (value !== undefined && value !== null) check(value, `'${field}' of a query for records`)
}

/** A string or a list of strings. */
function requireStrings(value: unknown, name: string): void {
  if (typeof value === 'string') return
  if (!Array.isArray(value))
    throw new TypeError(`${name} must be a string or a list of strings; it is ${typeOfValue(value)}.`)
  for (const item of value) requireString(item, `An item of ${name}`)
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

function requireObject(value: unknown, name: string): void {
  if (typeof value !== 'object' || Array.isArray(value))
    throw new TypeError(`${name} must be an object with keys of metadata; it is ${typeOfValue(value)}.`)
}

function requireOrderby(value: unknown, name: string): void {
  if (Array.isArray(value)) for (const item of value as readonly unknown[]) requireOrderItem(item, `An item of ${name}`)
  else requireOrder(value, name)
}

/** Accepts every string. `postQuery` refuses one that is not an order. */
function requireOrder(value: unknown, name: string): void {
  if (typeof value === 'string') return
  if (Array.isArray(value)) throw new TypeError(`${name} must be a string or an object with 'meta'; it is a list.`)
  if (typeof value !== 'object' || value === null)
    throw new TypeError(`${name} must be a string or an object with 'meta'; it is ${typeOfValue(value)}.`)
  requireString((value as { readonly meta?: unknown }).meta, `'meta' of ${name}`)
}

function requireOrderItem(value: unknown, name: string): void {
  if (typeof value !== 'object' || value === null || !('by' in value)) {
    requireOrder(value, name)
    return
  }
  const { by, order } = value as { readonly by: unknown; readonly order?: unknown }
  requireOrder(by, `'by' of ${name}`)
  if (order !== undefined && order !== null) requireString(order, `'order' of ${name}`)
}
