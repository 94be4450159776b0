import type { MetaComparison, MetaFilter } from '../meta-filter.js'
import type { MomentKind } from '../moment.js'
import { groupCondition } from './group-condition.js'
import { placeholders } from './row-values.js'
import type { SqlFragment } from './sql-connection.js'
import type { SqlDialect } from './sql-dialect.js'

/**
 * The condition of a filter over `posts p`. The metadata of each post is found by an index of post and key, so a query reads
 * the posts that its other conditions leave, in its order, until a page is full.
 */
export function metaCondition(filter: MetaFilter, postmeta: string, dialect: SqlDialect): SqlFragment {
  if ('key' in filter) return comparison(filter, postmeta, dialect)
  return groupCondition(filter, (each) => metaCondition(each, postmeta, dialect))
}

function comparison({ key, compare, as, values }: MetaComparison, postmeta: string, dialect: SqlDialect): SqlFragment {
  const isAbsent = compare === 'not exists'
  // As texts, which all databases convert to the number that they are compared with: some bind whole numbers only.
  const texts = values.map(String)
  const condition = isAbsent || compare === 'exists' ? null : valueCondition(compare, as, texts, dialect)
  // The first comparison of the key finds the rows in the index, which ignores case.
  const rows = `SELECT 1 FROM ${postmeta} m WHERE m.post_id = p.ID AND m.meta_key = ?
    AND ${dialect.exactText('m.meta_key')} = ${dialect.exactText('?')}`
  const query = condition === null ? rows : `${rows} AND m.meta_value IS NOT NULL AND ${condition.text}`
  return {
    text: `${isAbsent ? 'NOT ' : ''}${dialect.existsForEach(query)}`,
    values: [key, key, ...(condition?.values ?? [])],
  }
}

function valueCondition(
  compare: Exclude<MetaComparison['compare'], 'exists' | 'not exists'>,
  as: MetaComparison['as'],
  values: readonly string[],
  dialect: SqlDialect,
): SqlFragment {
  if (as === 'text without case') {
    const list = compare === '=' || compare === '!=' || compare === 'in' || compare === 'not in'
    if (list && values.length > 0) return equalsWithoutCase(compare, values, dialect)
  }
  const isText = as === 'text' || as === 'text without case'
  const textForm = as === 'text' ? dialect.exactText : dialect.textWithoutCase
  const numberForm = as === 'number' ? dialect.asNumber : (each: string) => dialect.asMoment(each, as as MomentKind)
  const column = (isText ? textForm : numberForm)('m.meta_value')
  const value = isText ? textForm('?') : '?'
  const not = compare.startsWith('not ') ? 'NOT ' : ''
  switch (compare) {
    case 'contains':
    case 'not contains': {
      const [value = ''] = values
      const { text, values: patterns } =
        as === 'text'
          ? { text: dialect.containsBytes('m.meta_value'), values: [value] }
          : dialect.contains(['m.meta_value'], value)
      return { text: `${not}${text}`, values: patterns }
    }
    case 'in':
    case 'not in':
      if (values.length === 0) return { text: not === '' ? '1 = 0' : '1 = 1', values }
      return { text: `${column} ${not}IN (${placeholders(values.length).replaceAll('?', value)})`, values }
    case 'between':
    case 'not between':
      return { text: `${column} ${not}BETWEEN (${value}) AND (${value})`, values }
    default:
      return { text: `${column} ${compare === '!=' ? '<>' : compare} ${value}`, values }
  }
}

function equalsWithoutCase(
  compare: '=' | '!=' | 'in' | 'not in',
  values: readonly string[],
  dialect: SqlDialect,
): SqlFragment {
  const column = 'm.meta_value'
  const equal =
    dialect.equalsWithoutCase ??
    ((_: string, text: string): SqlFragment => ({
      text: `${dialect.textWithoutCase(column)} = ${dialect.textWithoutCase('?')}`,
      values: [text],
    }))
  const parts = values.map((value) => equal(column, value))
  const isNegated = compare === '!=' || compare === 'not in'
  return {
    text: `${isNegated ? 'NOT ' : ''}(${parts.map(({ text }) => text).join(' OR ')})`,
    values: parts.flatMap((part) => part.values),
  }
}
