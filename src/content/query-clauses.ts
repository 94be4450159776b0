import { requireKnownFields } from '../base/known-fields.js'
import { typeOfValue } from '../base/value-type.js'
import type { FilterGroup } from '../database/filter-group.js'

/** A clause, a list whose clauses all hold, or clauses with a relation, by default `AND`. */
export type ClauseQuery<Clause> =
  | Clause
  | readonly ClauseQuery<Clause>[]
  | { readonly relation?: 'AND' | 'OR' | undefined; readonly clauses: readonly ClauseQuery<Clause>[] }

const groupFields: ReadonlySet<string> = new Set(['relation', 'clauses'])

/** Maximum number of levels of nested lists. */
const maxDepth = 5
/** Maximum number of clauses, and of lists of clauses. */
const maxParts = 20

/**
 * The filter of clauses with relations.
 * @param name the field as messages name it: `meta_query`.
 * @throws TypeError for a value of a wrong type, and for a misspelt name beside `relation` or `clauses`.
 * @throws RangeError for an unknown relation, more than 20 clauses or lists, or clauses that are nested too deep.
 */
export function filterOfClauses<Clause extends object, Filter>(
  query: ClauseQuery<Clause>,
  name: string,
  filterOf: (clause: Clause) => Filter,
): Filter | FilterGroup<Filter> {
  let clauses = 0
  let lists = 0
  const group = (relation: 'and' | 'or', list: readonly ClauseQuery<Clause>[], depth: number): FilterGroup<Filter> => {
    lists += 1
    if (lists > maxParts) throw new RangeError(`'${name}' has more than ${maxParts} lists of clauses.`)
    // A group within a group is a filter as any other.
    return { relation, filters: list.map((each) => filter(each, depth + 1) as Filter) }
  }
  const filter = (each: ClauseQuery<Clause>, depth: number): Filter | FilterGroup<Filter> => {
    if (depth > maxDepth) throw new RangeError(`'${name}' is nested more than ${maxDepth} levels deep.`)
    if (typeof each !== 'object' || each === null)
      throw new TypeError(`A clause of '${name}' must be an object or a list; it is ${typeOfValue(each)}.`)
    if (Array.isArray(each)) return group('and', each as readonly ClauseQuery<Clause>[], depth)
    if ('clauses' in each || 'relation' in each) {
      requireKnownFields(each, groupFields, `A list of clauses of '${name}'`)
      const { relation: written, clauses: list } = each as Exclude<typeof each, Clause | readonly unknown[]>
      const relation = String(written ?? 'and').toLowerCase()
      if (relation !== 'and' && relation !== 'or')
        throw new RangeError(`'relation' of '${name}' is '${String(written)}'; it must be AND or OR.`)
      if (!Array.isArray(list)) throw new TypeError(`'clauses' of '${name}' must be a list.`)
      return group(relation, list, depth)
    }
    clauses += 1
    if (clauses > maxParts) throw new RangeError(`'${name}' has more than ${maxParts} clauses.`)
    return filterOf(each as Clause)
  }
  return filter(query, 1)
}
