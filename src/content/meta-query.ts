import { requireKnownFields } from '../base/known-fields.js'
import { suggestion } from '../base/nearest.js'
import { requireString } from '../base/value-type.js'
import { phpTrim } from '../php/trim.js'
import type { MetaComparison, MetaFilter, MetaOperator } from '../database/meta-filter.js'
import { filterOfClauses, type ClauseQuery } from './query-clauses.js'
import { compared, typeFor, type DeclarationOf, type MetaValue } from './meta-comparison.js'

/** A clause of WordPress's `meta_query`. */
export interface MetaClause<Key extends string = string> {
  readonly key: Key
  /** Left out for `EXISTS` and `NOT EXISTS`. */
  readonly value?: MetaValue
  /** Default `=`, or `IN` for a list. */
  readonly compare?: MetaCompare
  /**
   * How values are compared. Default: numbers for a key that is declared as a number, else texts without regard to case. With
   * `BINARY`, texts are compared letter for letter.
   */
  readonly type?: MetaClauseType
}

type MetaClauseType = 'CHAR' | 'NUMERIC' | 'DECIMAL' | 'SIGNED' | 'UNSIGNED' | 'DATE' | 'DATETIME' | 'TIME' | 'BINARY'

export type MetaCompare =
  | '='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'IN'
  | 'NOT IN'
  | 'BETWEEN'
  | 'NOT BETWEEN'
  | 'LIKE'
  | 'NOT LIKE'
  | 'EXISTS'
  | 'NOT EXISTS'

/** WordPress's `meta_query`: a clause, a list whose clauses all hold, or clauses with a relation, by default `AND`. */
export type MetaQuery<Key extends string = string> = ClauseQuery<MetaClause<Key>>

/**
 * The filter of WordPress's `meta_query`.
 * @throws TypeError for a value of a wrong type, and for a misspelt name.
 * @throws RangeError for an unknown operator or type, too many clauses, or clauses that are nested too deep.
 */
export function metaQueryFilter(query: MetaQuery, declarationOf: DeclarationOf): MetaFilter {
  return filterOfClauses<MetaClause, MetaFilter>(query, 'meta_query', (clause) => clauseFilter(clause, declarationOf))
}

const operators: Readonly<Record<MetaCompare, MetaOperator>> = {
  '=': '=',
  '!=': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  IN: 'in',
  'NOT IN': 'not in',
  BETWEEN: 'between',
  'NOT BETWEEN': 'not between',
  LIKE: 'contains',
  'NOT LIKE': 'not contains',
  EXISTS: 'exists',
  'NOT EXISTS': 'not exists',
}

const clauseFields: ReadonlySet<string> = new Set(['key', 'value', 'compare', 'type'] satisfies (keyof MetaClause)[])

/** As in WordPress, the case of texts counts only with the type BINARY. @param usual how values are compared without a type. */
function comparedAs(type: MetaClauseType | null, usual: 'number' | 'text'): MetaComparison['as'] {
  if (type === null) return usual === 'number' ? 'number' : 'text without case'
  return comparisonOfType[type]
}

const comparisonOfType: Readonly<Record<MetaClauseType, MetaComparison['as']>> = {
  CHAR: 'text without case',
  NUMERIC: 'number',
  DECIMAL: 'number',
  SIGNED: 'number',
  UNSIGNED: 'number',
  DATE: 'date',
  DATETIME: 'datetime',
  TIME: 'time',
  BINARY: 'text',
}

/** The type of a clause in upper case, as WordPress reads it; null for none. @throws RangeError for an unknown one. */
function typeOf({ key, type }: MetaClause): MetaClauseType | null {
  if (type === undefined) return null
  const name = String(type).toUpperCase()
  if (Object.hasOwn(comparisonOfType, name)) return name as MetaClauseType
  const types = Object.keys(comparisonOfType)
  throw new RangeError(`'type' of the clause of '${key}' is '${String(type)}'.${suggestion(name, types)}`)
}

/** What JavaScript and SQL call an operator. */
const otherNames: Readonly<Record<string, MetaCompare>> = { '==': '=', '===': '=', '!==': '!=', '<>': '!=' }

function clauseFilter(clause: MetaClause, declarationOf: DeclarationOf): MetaFilter {
  requireKnownFields(clause, clauseFields, "A clause of 'meta_query'")
  const { key, value, compare } = clause
  requireString(key, `'key' of a clause of 'meta_query'`)
  const declaration = declarationOf(key)
  const type = typeOf(clause)
  const isList = Array.isArray(value)
  const name = compare === undefined ? (isList ? 'IN' : '=') : (String(compare).toUpperCase() as MetaCompare)
  const operator = operators[name]
  if (operator === undefined)
    throw new RangeError(
      `'compare' of the clause of '${key}' is '${compare}'.${suggestion(otherNames[name] ?? name, Object.keys(operators))}`,
    )
  if (operator === 'exists' || operator === 'not exists') return { key, compare: operator, as: 'text', values: [] }
  // WordPress trims the text of a clause, and no item of a list.
  const values = (isList ? value : [typeof value === 'string' ? phpTrim(value) : value]).map((each) =>
    typeof each === 'boolean' ? (each ? '1' : '') : each,
  )
  const count = operator.endsWith('between') ? 2 : 1
  if (operator !== 'in' && operator !== 'not in' && values.length !== count)
    throw new RangeError(`'value' of the clause of '${key}' must have ${count === 2 ? 'two values' : 'one value'}.`)
  if (operator.endsWith('contains')) {
    requireString(values[0], `'value' of the clause of '${key}'`)
    return { key, compare: operator, as: type === 'BINARY' ? 'text' : 'text without case', values: [values[0]] }
  }
  return compared(key, operator, values, comparedAs(type, typeFor(declaration, values)))
}
