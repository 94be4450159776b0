import { requireKnownFields } from '../base/known-fields.js'
import { suggestion } from '../base/nearest.js'
import { requireBoolean, requireString, typeOfValue } from '../base/value-type.js'
import { filterOfClauses, type ClauseQuery } from './query-clauses.js'
import type { TermComparison, TermFilter } from '../database/term-filter.js'
import { sanitizeTitle } from '../sanitizers/title.js'

/** A clause of WordPress's `tax_query`. */
export interface TaxClause<Taxonomy extends string = string> {
  readonly taxonomy: Taxonomy
  /** The property that `terms` are values of. Default: `term_id` for numbers, `slug` for texts. */
  readonly field?: TaxField
  /** Left out for `EXISTS` and `NOT EXISTS`. At most 100. */
  readonly terms?: string | number | readonly (string | number)[]
  /** Default `IN`: a record has one of the terms. `AND`: it has each of them. */
  readonly operator?: TaxOperator
  /** Whether a record with a term below one of the terms is found as well. Default true. */
  readonly include_children?: boolean
}

export type TaxField = 'term_id' | 'slug' | 'name'
export type TaxOperator = 'IN' | 'NOT IN' | 'AND' | 'EXISTS' | 'NOT EXISTS'

/** WordPress's `tax_query`: a clause, a list whose clauses all hold, or clauses with a relation, by default `AND`. */
export type TaxQuery<Taxonomy extends string = string> = ClauseQuery<TaxClause<Taxonomy>>

const clauseFields: ReadonlySet<string> = new Set([
  'taxonomy',
  'field',
  'terms',
  'operator',
  'include_children',
] satisfies (keyof TaxClause)[])

/** Maximum number of clauses, where each term of `AND` counts as one. */
const maxComparisons = 20
/** Maximum number of terms of one clause. */
const maxTerms = 100

/**
 * The filter of WordPress's `tax_query`.
 * @param storedName returns the name of a term as it is stored. @param requireTaxonomy throws for a taxonomy that is not declared.
 * @throws TypeError for a value of a wrong type, and for a misspelt name.
 * @throws RangeError for an unknown operator or field, too many clauses or terms, or clauses that are nested too deep.
 */
export function taxQueryFilter(
  query: TaxQuery,
  storedName: (name: string) => string,
  requireTaxonomy: (name: string) => void,
): TermFilter {
  const filter = filterOfClauses<TaxClause, TermFilter>(query, 'tax_query', (clause) => {
    requireKnownFields(clause, clauseFields, "A clause of 'tax_query'")
    requireString(clause.taxonomy, `'taxonomy' of a clause of 'tax_query'`)
    requireTaxonomy(clause.taxonomy)
    return clauseFilter(clause, storedName)
  })
  // Each term of `AND` is a comparison.
  if (countOf(filter) > maxComparisons)
    throw new RangeError(`'tax_query' has more than ${maxComparisons} clauses and terms of AND.`)
  return filter
}

const countOf = (filter: TermFilter): number =>
  'taxonomy' in filter ? 1 : filter.filters.reduce((count, each) => count + countOf(each), 0)

const operators: readonly string[] = ['IN', 'NOT IN', 'AND', 'EXISTS', 'NOT EXISTS'] satisfies TaxOperator[]
const fields = { term_id: 'id', slug: 'slug', name: 'name' } as const satisfies Record<TaxField, TermComparison['by']>

function clauseFilter(
  { taxonomy, field, terms, operator, include_children: children }: TaxClause,
  storedName: (name: string) => string,
): TermFilter {
  const name = String(operator ?? 'IN').toUpperCase()
  if (!operators.includes(name))
    throw new RangeError(`'operator' of the clause of '${taxonomy}' is '${operator}'.${suggestion(name, operators)}`)
  if (children != null) requireBoolean(children, `'include_children' of the clause of '${taxonomy}'`)
  const includesChildren = children ?? true
  if (name === 'EXISTS' || name === 'NOT EXISTS')
    return { taxonomy, compare: name === 'EXISTS' ? 'exists' : 'not exists', by: 'id', values: [], includesChildren }
  const list: readonly unknown[] = Array.isArray(terms) ? terms : [terms]
  if (list.length > maxTerms) throw new RangeError(`The clause of '${taxonomy}' has more than ${maxTerms} terms.`)
  const by = fieldOf(taxonomy, field, list)
  const values = list.map((term) => valueOf(taxonomy, by, term, storedName))
  const comparison = { taxonomy, by, includesChildren } as const
  if (name === 'AND')
    return { relation: 'and', filters: values.map((value) => ({ ...comparison, compare: 'in', values: [value] })) }
  return { ...comparison, compare: name === 'IN' ? 'in' : 'not in', values }
}

function fieldOf(taxonomy: string, field: TaxField | undefined, terms: readonly unknown[]): TermComparison['by'] {
  if (field === undefined) return terms.every((term) => typeof term === 'number') ? 'id' : 'slug'
  if (Object.hasOwn(fields, field)) return fields[field]
  const names = Object.keys(fields)
  throw new RangeError(`'field' of the clause of '${taxonomy}' is '${field}'.${suggestion(String(field), names)}`)
}

/** A slug is sanitised, so that `Tools & Parts` finds the records of `tools-parts`, as in WordPress. */
function valueOf(
  taxonomy: string,
  by: TermComparison['by'],
  term: unknown,
  storedName: (name: string) => string,
): string | number {
  if (by === 'id') {
    if (typeof term === 'number' && Number.isSafeInteger(term)) return term
    throw new TypeError(`A term of the clause of '${taxonomy}' must be an id; it is ${typeOfValue(term)}.`)
  }
  requireString(term, `A term of the clause of '${taxonomy}'`)
  return by === 'slug' ? sanitizeTitle(term, 'save') : storedName(term)
}
