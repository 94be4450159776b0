import type { MetaComparison, MetaFilter, MetaOperator } from '../../src/database/meta-filter.js'

const valuesOf: Readonly<Record<MetaOperator, MetaComparison['values']>> = {
  '=': [5],
  '!=': [5],
  '<': [5],
  '<=': [5],
  '>': [5],
  '>=': [5],
  in: [5, 7],
  'not in': [5, 7],
  between: [5, 7],
  'not between': [5, 7],
  contains: ['5'],
  'not contains': ['5'],
  exists: [],
  'not exists': [],
}
const operators = Object.keys(valuesOf) as readonly MetaOperator[]
/** Those that take no number. */
const ofTexts: ReadonlySet<MetaOperator> = new Set(['contains', 'not contains', 'exists', 'not exists'])

const kindsOf = (compare: MetaOperator): readonly MetaComparison['as'][] =>
  ofTexts.has(compare) ? ['text', 'text without case'] : ['number', 'text', 'text without case', 'date']

const price = (compare: MetaOperator, as: MetaComparison['as'] = 'number'): MetaComparison => ({
  key: 'price',
  compare,
  as,
  values: valuesOf[compare],
})

/** A condition on metadata with each operator and each kind of values, and groups of them. */
export const metaFilters: readonly (readonly [what: string, filter: MetaFilter])[] = [
  ...operators.flatMap((compare) =>
    kindsOf(compare).map((as) => [`${compare}, as ${as}`, price(compare, as)] as const),
  ),
  ['a value that is the declared default', { relation: 'or', filters: [price('='), price('not exists')] }],
  ['two keys', { relation: 'and', filters: [price('between'), { ...price('=', 'text'), key: 'colour' }] }],
  [
    'one of two keys, or both of two others',
    {
      relation: 'or',
      filters: [
        price('<'),
        { ...price('not exists'), key: 'colour' },
        { relation: 'and', filters: [price('>='), { ...price('contains', 'text without case'), key: 'colour' }] },
      ],
    },
  ],
]
