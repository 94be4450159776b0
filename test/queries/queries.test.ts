import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { boot, endpoint, type RecordQuery, type RecordStore, type Service } from '../../src/index.js'
import { storeKinds } from '../support/store-kinds.js'

const route = endpoint({ namespace: 'lamps/v1', route: '/nothing', permission: 'public' }, () => null)

const lamps: readonly [title: string, meta: Record<string, unknown>, date: string][] = [
  ['Ada', { watts: 40, colour: 'red', tested: true, note: 'Ärmel 100%', lent: true }, '2026-01-01T08:00:00'],
  ['Bea', { watts: 5.5, colour: 'Red', tested: false, lent: false }, '2026-01-02T10:00:00'],
  ['Cid', { watts: 100, colour: 'blue', batch: '7b' }, '2026-01-03T10:00:00'],
  ['Dan', { colour: 'blue ', tested: true, batch: 10 }, '2026-01-04T10:00:00'],
  ['Eve', { watts: 40, Colour: 'red', batch: 9, sold: 3 }, '2026-02-05T10:30:15'],
]

/** The pantry is a part of the kitchen. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  Ada: ['kitchen'],
  Bea: ['pantry'],
  Cid: ['cellar'],
  Eve: ['kitchen', 'cellar'],
}

const lampMeta = {
  watts: { type: 'number', default: 25 },
  tested: { type: 'boolean' },
  colour: { type: 'string' },
  Colour: { type: 'string' },
  note: { type: 'string' },
  sold: { type: 'integer' },
  lent: { type: 'boolean', default: true },
} as const

const conditions: readonly [RecordQuery, titles: string][] = [
  [{ where: { watts: 40 } }, 'Ada Eve'],
  [{ where: { watts: '40' } }, 'Ada Eve'],
  [{ where: { watts: { from: 6, to: 40 } } }, 'Ada Dan Eve'],
  [{ where: { watts: { from: 41 } } }, 'Cid'],
  [{ where: { watts: { from: null, to: undefined } } }, 'Ada Bea Cid Dan Eve'],
  // The registered default of watts is 25.
  [{ where: { watts: 25 } }, 'Dan'],
  [{ where: { watts: { not: 25 } } }, 'Ada Bea Cid Eve'],
  [{ where: { watts: { not: [5.5, 40] } } }, 'Cid Dan'],
  [{ where: { watts: null } }, 'Dan'],
  [{ where: { colour: 'red' } }, 'Ada'],
  [{ where: { colour: ['red', 'blue'] } }, 'Ada Cid'],
  [{ where: { colour: { contains: 'RE' } } }, 'Ada Bea'],
  [{ where: { colour: { contains: '%' } } }, ''],
  [{ where: { note: { contains: '100%' } } }, 'Ada'],
  [{ where: { colour: { exists: false } } }, 'Eve'],
  [{ where: { Colour: { exists: true } } }, 'Eve'],
  [{ where: { tested: true } }, 'Ada Dan'],
  [{ where: { tested: false } }, 'Bea Cid Eve'],
  [{ where: { tested: { not: true } } }, 'Bea Cid Eve'],
  // The registered default of lent is true.
  [{ where: { lent: true } }, 'Ada Cid Dan Eve'],
  [{ where: { lent: false } }, 'Bea'],
  [{ where: { lent: { not: true } } }, 'Bea'],
  [{ where: { lent: { not: false } } }, 'Ada Cid Dan Eve'],
  [{ where: { watts: { from: 10, not: 40 } } }, 'Cid Dan'],
  [{ where: { watts: { from: 10, exists: true } } }, 'Ada Cid Eve'],
  [{ where: { colour: { contains: 'e', from: 'a', to: 'blue', not: 'red' } } }, 'Cid'],
  [{ where: { watts: 40, colour: 'red' } }, 'Ada'],
  [{ where: { colour: undefined } }, 'Ada Bea Cid Dan Eve'],
  [{ where: { colour: [] } }, ''],
  [{ type: 'bare', where: { batch: { from: '1', to: '7c' } } }, 'Cid Dan'],
  [{ type: 'bare', where: { batch: { from: 8, to: 11 } } }, 'Dan Eve'],
  [{ meta_query: { key: 'colour', value: 'red' } }, 'Ada Bea'],
  [{ meta_query: { key: 'colour', value: 'RED' } }, 'Ada Bea'],
  [{ meta_query: { key: 'colour', value: 'red', type: 'BINARY' } }, 'Ada'],
  [{ meta_query: { key: 'colour', value: 'red', compare: '!=' } }, 'Cid Dan'],
  [{ meta_query: { key: 'colour', value: 'red', compare: '!=', type: 'BINARY' } }, 'Bea Cid Dan'],
  [{ meta_query: { key: 'colour', value: ['BLUE', 'none'] } }, 'Cid'],
  [{ meta_query: { key: 'colour', value: 'C', compare: '<' } }, 'Cid Dan'],
  [{ meta_query: { key: 'colour', value: ['A', 'RED'], compare: 'BETWEEN' } }, 'Ada Bea Cid Dan'],
  [{ meta_query: { key: 'colour', value: ['a', 'red'], compare: 'BETWEEN', type: 'BINARY' } }, 'Ada Cid Dan'],
  [{ meta_query: { key: 'note', value: 'äRMEL 100%' } }, 'Ada'],
  [{ meta_query: { key: 'note', value: 'ÄRMEL 100%' } }, 'Ada'],
  [{ meta_query: { key: 'note', value: 'ärmel%' } }, ''],
  [{ where: { note: 'ärmel 100%' } }, ''],
  [{ meta_query: { key: 'watts', value: [5, 40], compare: 'BETWEEN' } }, 'Ada Bea Eve'],
  [{ meta_query: { key: 'watts', value: [5, 40], compare: 'NOT BETWEEN' } }, 'Cid'],
  [{ meta_query: { key: 'watts', value: 40, compare: '<' } }, 'Bea'],
  [{ meta_query: { key: 'watts', value: 40, compare: '<=' } }, 'Ada Bea Eve'],
  [{ meta_query: { key: 'watts', value: 40, compare: '>' } }, 'Cid'],
  [{ meta_query: { key: 'watts', value: 40, compare: '>=' } }, 'Ada Cid Eve'],
  [{ meta_query: { key: 'watts', value: [5.5, '100'], compare: 'IN' } }, 'Bea Cid'],
  [{ meta_query: { key: 'watts', value: 40, compare: '!=' } }, 'Bea Cid'],
  [{ type: 'bare', meta_query: { key: 'batch', value: 9, compare: '>=', type: 'NUMERIC' } }, 'Dan Eve'],
  [{ type: 'bare', meta_query: { key: 'batch', value: '9', compare: '>=' } }, 'Eve'],
  [{ meta_query: { key: 'colour', value: ['blue', 'red'], compare: 'NOT IN' } }, 'Dan'],
  [{ meta_query: { key: 'colour', value: 'blu', compare: 'NOT LIKE' } }, 'Ada Bea'],
  [{ type: 'bare', meta_query: { key: 'batch', value: 9, compare: '>=', type: 'numeric' as 'NUMERIC' } }, 'Dan Eve'],
  [{ meta_query: { key: 'colour', value: 're', compare: 'LIKE', type: 'binary' as 'BINARY' } }, 'Ada'],
  [{ meta_query: { key: 'note', value: 'äRM', compare: 'LIKE' } }, 'Ada'],
  [{ meta_query: { key: 'note', value: 'MEL 100%', compare: 'LIKE' } }, 'Ada'],
  [{ meta_query: { key: 'note', value: '1_0', compare: 'LIKE' } }, ''],
  [{ meta_query: { key: 'note', value: 'rmel 1', compare: 'LIKE', type: 'BINARY' } }, 'Ada'],
  [{ meta_query: { key: 'note', value: 'RMEL 1', compare: 'LIKE', type: 'BINARY' } }, ''],
  [{ meta_query: { key: 'note', value: '%', compare: 'LIKE', type: 'BINARY' } }, 'Ada'],
  [{ meta_query: { key: 'note', value: 'a'.repeat(201), compare: 'NOT LIKE', type: 'BINARY' } }, 'Ada'],
  [{ meta_query: { key: 'colour', value: 'Re', compare: 'NOT LIKE', type: 'BINARY' } }, 'Ada Cid Dan'],
  [{ meta_query: { key: 'note', value: 'Ä'.repeat(201), compare: 'LIKE' } }, ''],
  [{ meta_query: { key: 'colour', value: 'blue', compare: '<=' } }, 'Cid'],
  [{ meta_query: { key: 'colour', compare: 'EXISTS' } }, 'Ada Bea Cid Dan'],
  [{ meta_query: { key: 'colour', compare: 'NOT EXISTS' } }, 'Eve'],
  // As in WordPress, a declared default is no value.
  [{ meta_query: { key: 'watts', compare: 'NOT EXISTS' } }, 'Dan'],
  [
    {
      meta_query: {
        relation: 'OR',
        clauses: [
          { key: 'watts', value: 100 },
          [
            { key: 'colour', value: 'Red' },
            { key: 'tested', value: true },
          ],
        ],
      },
    },
    'Ada Cid',
  ],
  [
    {
      meta_query: {
        relation: 'AND',
        clauses: [
          { key: 'watts', value: 40, compare: '<=' },
          {
            relation: 'OR',
            clauses: [
              { key: 'sold', compare: 'EXISTS' },
              { key: 'tested', value: false },
            ],
          },
        ],
      },
    },
    'Bea Eve',
  ],
  [{ meta_query: [{ key: 'watts', value: 40 }], where: { sold: { exists: true } } }, 'Eve'],
  [{ meta_query: { clauses: [{ key: 'watts', value: 40 }] }, where: { sold: { exists: true } } }, 'Eve'],
  [{ tax_query: { taxonomy: 'room', terms: 'kitchen' } }, 'Ada Bea Eve'],
  [
    {
      tax_query: {
        clauses: [
          { taxonomy: 'room', terms: 'kitchen' },
          { taxonomy: 'room', terms: 'cellar' },
        ],
      },
    },
    'Eve',
  ],
  [{ tax_query: { taxonomy: 'room', terms: ['Kitchen'] } }, 'Ada Bea Eve'],
  [{ tax_query: { taxonomy: 'room', terms: 'kitchen', include_children: false } }, 'Ada Eve'],
  [{ tax_query: { taxonomy: 'room', terms: ['pantry', 'cellar'] } }, 'Bea Cid Eve'],
  [{ tax_query: { taxonomy: 'room', terms: ['kitchen', 'cellar'], operator: 'AND' } }, 'Eve'],
  [{ tax_query: { taxonomy: 'room', terms: 'kitchen', operator: 'NOT IN' } }, 'Cid Dan'],
  [{ tax_query: { taxonomy: 'room', terms: 'kitchen', operator: 'NOT IN', include_children: false } }, 'Bea Cid Dan'],
  [{ tax_query: { taxonomy: 'room', operator: 'EXISTS' } }, 'Ada Bea Cid Eve'],
  [{ tax_query: { taxonomy: 'room', operator: 'NOT EXISTS' } }, 'Dan'],
  [{ tax_query: { taxonomy: 'room', terms: 900 } }, 'Bea'],
  [{ tax_query: { taxonomy: 'room', terms: [900, 901], field: 'term_id' } }, 'Bea Cid Eve'],
  [{ tax_query: { taxonomy: 'room', terms: 'The pantry', field: 'name' } }, 'Bea'],
  [{ tax_query: { taxonomy: 'category', terms: 'kitchen' } }, ''],
  [{ tax_query: { taxonomy: 'room', terms: 'attic' } }, ''],
  [{ tax_query: { taxonomy: 'room', terms: 'attic', operator: 'NOT IN' } }, 'Ada Bea Cid Dan Eve'],
  [{ tax_query: { taxonomy: 'room', terms: [] } }, ''],
  [{ tax_query: [] }, 'Ada Bea Cid Dan Eve'],
  [
    {
      tax_query: {
        relation: 'OR',
        clauses: [
          { taxonomy: 'room', terms: 'pantry' },
          [
            { taxonomy: 'room', terms: 'cellar' },
            { taxonomy: 'room', terms: 'kitchen', operator: 'NOT IN' },
          ],
        ],
      },
    },
    'Bea Cid',
  ],
  [{ tax_query: { taxonomy: 'room', terms: 'kitchen' }, where: { watts: 40 }, search: '-eve' }, 'Ada'],
  [{ after: '2026-01-03T10:00:00' }, 'Dan Eve'],
  [{ after: '2026-01-02', before: '2026-01-04' }, 'Bea Cid'],
  [{ date_query: { year: 2026, month: 1 } }, 'Ada Bea Cid Dan'],
  [{ date_query: { year: 2026, month: 1, day: 3 } }, 'Cid'],
  [{ date_query: { month: 2 } }, 'Eve'],
  [{ date_query: { day: [1, 5] } }, 'Ada Eve'],
  [{ date_query: { day: [2, 4], compare: 'BETWEEN' } }, 'Bea Cid Dan'],
  [{ date_query: { day: [2, 4], compare: 'NOT BETWEEN' } }, 'Ada Eve'],
  [{ date_query: { year: 2026, month: 2, day: 30 } }, ''],
  [{ date_query: { hour: 10, compare: '<' } }, 'Ada'],
  [{ date_query: { hour: 10, minute: 30 } }, 'Eve'],
  [{ date_query: { hour: 10, minute: 29, compare: '>' } }, 'Eve'],
  [{ date_query: { hour: 10, minute: 30, second: 15, compare: '!=' } }, 'Ada Bea Cid Dan'],
  [{ date_query: { after: '2026-01-03' } }, 'Dan Eve'],
  [{ date_query: { after: '2026-01-03', inclusive: true } }, 'Cid Dan Eve'],
  [{ date_query: { after: '2025', before: '2026-02' } }, 'Ada Bea Cid Dan'],
  [{ date_query: { before: { year: 2026, month: 1, day: 2 }, inclusive: true } }, 'Ada Bea'],
  [{ date_query: { after: '2026-01-03 10:00:00', inclusive: true } }, 'Cid Dan Eve'],
  [{ date_query: { column: 'post_modified_gmt', before: '2020' } }, ''],
  [{ date_query: { relation: 'OR', clauses: [{ month: 2 }, [{ day: 1 }, { hour: 8 }]] } }, 'Ada Eve'],
  [{ date_query: [{ day: 1 }, { day: 2 }] }, ''],
  [{ date_query: [] }, 'Ada Bea Cid Dan Eve'],
  [{ date_query: { year: 2026 }, after: '2026-01-04', where: { sold: { exists: true } } }, 'Eve'],
  [{ modified_before: '2020-01-01' }, ''],
  [{ modified_after: '2020-01-01' }, 'Ada Bea Cid Dan Eve'],
  [{ orderby: [{ meta: 'watts' }, { by: 'title', order: 'desc' }] }, 'Dan Bea Eve Ada Cid'],
  [{ orderby: ['menu_order', { by: 'title', order: 'desc' }] }, 'Eve Dan Cid Bea Ada'],
  [{ where: { colour: { contains: 'e' } }, search: '-ada', per_page: 2 }, 'Bea Cid'],
]

const refused: readonly [RecordQuery | object, RegExp][] = [
  [{ where: { watts: 'many' } }, /'watts' is a number, and is compared with a text/],
  [{ where: { watts: Number.NaN } }, /finite number; it is NaN/],
  [{ where: { colour: { like: 'x' } } }, /has the unknown key 'like'\. Use from, to, not, contains, exists/],
  [{ where: { colour: {} } }, /is empty/],
  [
    { where: { watts: { from: 10, exists: false } } },
    /'watts' has 'exists: false' beside 'from', which no record meets/,
  ],
  [{ where: { colour: Array.from({ length: 101 }, String) } }, /more than 100 values/],
  [{ where: 'colour' }, /'where' of a query for records must be an object/],
  [
    { type: 'bare', where: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, 1])) },
    /more than 20 conditions/,
  ],
  [{ meta_query: { key: 'colour', value: 1, compare: 'LIK' } }, /'LIK'\. Did you mean 'LIKE'/],
  [{ meta_query: { key: 'colour', value: 1, compare: 'BETWEEN' } }, /two values/],
  [{ meta_query: { key: 'colour', value: 1, comapre: '>' } }, /'meta_query' .* 'comapre'\. Did you mean 'compare'/],
  [{ meta_query: { relaton: 'OR', clauses: [] } }, /'meta_query' .* 'relaton'\. Did you mean 'relation'/],
  [{ meta_query: { relation: 'OR', clause: [] } }, /'meta_query' .* 'clause'\. Did you mean 'clauses'/],
  [{ meta_query: { key: 'colour', value: 1, type: 'NUMERC' } }, /'type' .* 'NUMERC'\. Did you mean 'NUMERIC'/],
  [{ meta_query: { key: 'colour', compare: 'EXISTS', type: 5 } }, /'type' of the clause of 'colour' is '5'/],
  [{ type: 'lmap' }, /There is no record type 'lmap'\. Did you mean 'lamp'\? .*'record_types'/],
  [{ type: ['lamp', 'lmap'] }, /'lmap'/],
  [
    { status: 'publsh' },
    /type 'lamp' have no status 'publsh'\. Did you mean 'publish'\? .*record_types\.lamp\.statuses/,
  ],
  [{ where: { wats: 5 } }, /type 'lamp' have no metadata 'wats'\. Did you mean 'watts'\? .*record_types\.lamp\.meta/],
  [{ meta_query: [{ key: 'wats', compare: 'EXISTS' }] }, /'wats'\. Did you mean 'watts'/],
  [{ type: ['lamp', 'bare'], where: { wats: 5 } }, /'wats'\. Did you mean 'watts'/],
  [{ orderby: { meta: 'wats' } }, /'wats'\. Did you mean 'watts'/],
  [{ orderby: 'titel' }, /cannot be ordered by 'titel'\. Did you mean 'title'/],
  [
    { orderby: 'watts' },
    /cannot be ordered by 'watts'\. Use one of: .* A key of metadata is written { meta: 'watts' }\.$/,
  ],
  [{ order: 'DESC' }, /'order' is 'DESC'\. Did you mean 'desc'/],
  [{ meta_keys: ['wats'] }, /'wats'\. Did you mean 'watts'/],
  [{ term: { taxonomy: 'categry', slug: 'a' } }, /no taxonomy 'categry'\. Did you mean 'category'/],
  [{ meta_query: [[[[[[{ key: 'a' }]]]]]] }, /more than 5 levels/],
  [{ meta_query: { relation: 'XOR', clauses: [] } }, /must be AND or OR/],
  [{ tax_query: { taxonomy: 'rom', terms: 'a' } }, /no taxonomy 'rom'\. Did you mean 'room'/],
  [{ tax_query: { taxonomy: 'room', terms: 'a', operator: 'NOTIN' } }, /'NOTIN'\. Did you mean 'NOT IN'/],
  [{ tax_query: { taxonomy: 'room', terms: 'a', field: 'slgu' } }, /'slgu'\. Did you mean 'slug'/],
  [{ tax_query: { taxonomy: 'room', terms: 'a', operater: 'AND' } }, /'operater'\. Did you mean 'operator'/],
  [{ tax_query: { taxonomy: 'room' } }, /A term of the clause of 'room' must be a string; it is undefined/],
  [{ tax_query: { taxonomy: 'room', terms: 'a', field: 'term_id' } }, /must be an id; it is a string/],
  [{ tax_query: { taxonomy: 'room', terms: Array.from({ length: 101 }, String) } }, /more than 100 terms/],
  [{ tax_query: Array.from({ length: 21 }, () => ({ taxonomy: 'room', terms: 'a' })) }, /more than 20 clauses/],
  [{ tax_query: [[[[[[{ taxonomy: 'room', terms: 'a' }]]]]]] }, /more than 5 levels/],
  [{ tax_query: { relation: 'XOR', clauses: [] } }, /must be AND or OR/],
  [{ tax_query: 'room' }, /must be an object or a list; it is a string/],
  [{ after: 'yesterday' }, /'yesterday' in a query for records is not a date/],
  [{ before: '2026-02-30' }, /is not a date/],
  [{ date_query: { month: 13 } }, /'month' of 'date_query' is 13; it must be from 1 to 12/],
  [{ date_query: { month: '7' } }, /must be an integer; it is a string/],
  [{ date_query: { monht: 7 } }, /has 'monht'\. Did you mean 'month'/],
  [{ date_query: { after: 'last week' } }, /'last week' in 'after' .* is not a date/],
  [{ date_query: { after: '2026-02-30' } }, /2026-02-30, which is not a date/],
  [{ date_query: { before: { year: 2026, day: 5 } } }, /has 'day' without 'month'/],
  [{ date_query: { column: 'date' } }, /'column' .* is 'date'/],
  [{ date_query: { hour: 1, second: 1 } }, /'hour' and 'second' without 'minute'/],
  [{ date_query: { day: 5, compare: 'BETWEEN' } }, /must have two values/],
  [{ date_query: { day: 5, compare: '=>' } }, /'compare' .* is '=>'/],
  [{ date_query: { day: Array.from({ length: 101 }, () => 1) } }, /more than 100 values/],
  [{ date_query: Array.from({ length: 21 }, () => ({ day: 1 })) }, /more than 20 clauses/],
  [{ date_query: [[[[[[{ day: 1 }]]]]]] }, /more than 5 levels/],
  [{ date_query: 2026 }, /must be an object or a list; it is a number/],
  [{ staus: 'draft' }, /has no field 'staus'\. Did you mean 'status'/],
  [{ posts_per_page: 5 }, /has no field 'posts_per_page'/],
  [{ exclude: 5 }, /'exclude' of a query for records must be a list of numbers/],
  [{ orderby: [5] }, /An item of 'orderby'/],
  [{ orderby: [[]] }, /An item of 'orderby' .* it is a list/],
  [{ orderby: [{ by: 'title', oder: 'desc' }] }, /'orderby' .* 'oder'\. Did you mean 'order'/],
  [{ orderby: [{ meta: 'watts', order: 'desc' }] }, /is written { by: { meta: 'watts' }, order: 'desc' }/],
  [{ orderby: { meta: 'watts', mode: 'x' } }, /'orderby' .* 'mode'/],
  [{ orderby: [{ by: { meta: 'watts', mode: 'x' } }] }, /'orderby' .* 'mode'/],
  [{ orderby: [{ by: ['date'] }] }, /'by' of An item of 'orderby' .* it is a list/],
  [
    { where: { colour: { exists: 'false' } } },
    /'exists' of the condition of 'colour' must be a boolean; it is a string/,
  ],
  [
    { tax_query: { taxonomy: 'room', terms: 'a', include_children: 'false' } },
    /'include_children' of the clause of 'room' must be a boolean; it is a string/,
  ],
  [{ date_query: { after: '2026', inclusive: 'false' } }, /'inclusive' of .* must be a boolean; it is a string/],
  [{ date_query: { column: [] } }, /'column' of a clause of 'date_query' must be a string; it is a list/],
]

for (const kind of storeKinds)
  describe(`queries for records on ${kind.name}`, { skip: kind.skip }, () => {
    let service: Service
    let records: RecordStore
    let drop: () => Promise<void> | void = () => undefined

    before(async () => {
      const database = await kind.create()
      drop = database.drop
      service = await boot([route], {
        database: database.url,
        secrets: {},
        record_types: { lamp: { meta: lampMeta, taxonomies: ['category', 'room'] }, bare: {}, flake: {} },
        log: { info: () => undefined, warn: () => undefined, error: () => undefined },
        seed: async ({ terms }) => {
          const { id } = await terms.create({ taxonomy: 'room', name: 'Kitchen' })
          await terms.create({ taxonomy: 'room', name: 'The pantry', slug: 'pantry', parent: id, id: 900 })
          await terms.create({ taxonomy: 'room', name: 'Cellar', id: 901 })
        },
      })
      records = service.records
      for (const [title, meta, date] of lamps) {
        const { batch: _, ...declared } = meta
        const terms = { room: rooms[title] ?? [] }
        await records.insert({ type: 'lamp', status: 'publish', title, meta: declared, date, terms })
        await records.insert({ type: 'bare', status: 'publish', title, meta, date })
      }
    })
    after(async () => {
      await service.close()
      await drop()
    })

    const titlesOf = async (query: RecordQuery): Promise<string> => {
      const all = { orderby: 'title', type: 'lamp', ...query, fields: ['title'] } as const
      return (await records.list(all)).map(({ title }) => title).join(' ')
    }

    for (const [query, titles] of conditions)
      it(`${JSON.stringify(query)} finds ${titles || 'nothing'}`, async () => {
        assert.equal(await titlesOf(query), titles)
        const { per_page: _, ...all } = query
        if (query.per_page === undefined)
          assert.equal(await records.count({ type: 'lamp', ...all }), titles === '' ? 0 : titles.split(' ').length)
      })

    it('leaves out the excluded records', async () => {
      const [first, second] = await records.list({ type: 'lamp', orderby: 'title', fields: ['id'] })
      assert.equal(await titlesOf({ exclude: [first?.id ?? 0, second?.id ?? 0] }), 'Cid Dan Eve')
      assert.equal(await titlesOf({ exclude: [] }), 'Ada Bea Cid Dan Eve')
    })

    it('returns a page with its total', async () => {
      const query = { type: 'lamp', where: { watts: { from: 40 } }, per_page: 1, page: 2, orderby: 'title' } as const
      const { records: page, total } = await records.page({ ...query, fields: ['title'] })
      assert.deepEqual([page.map(({ title }) => title), total], [['Cid'], 3])
    })

    it('returns each record of a query once, by ascending id, however many there are', async () => {
      const type = 'flake'
      const ids = await records.transaction(async () => {
        const stored: number[] = []
        for (let count = 0; count < 410; count += 1) {
          const status = count % 41 === 0 ? 'draft' : 'publish'
          stored.push((await records.insert({ type, status, title: `Flake ${count}`, meta: { count } })).id)
        }
        return stored
      })
      const published = ids.filter((_, count) => count % 41 !== 0)
      const read: number[] = []
      for await (const { id, title } of records.each({ type, fields: ['title'] })) {
        assert.equal(title, `Flake ${ids.indexOf(id)}`)
        read.push(id)
        // A record that is deleted meanwhile moves none of those behind it.
        if (read.length === 1) await records.delete(published[1] ?? 0)
      }
      for (const [field, value] of Object.entries({ orderby: 'title', order: 'desc', page: 2, per_page: 5 }))
        await assert.rejects(
          records.each({ type, [field]: value }).next(),
          new RegExp(`^TypeError: records\\.each reads all records by ascending id: leave out '${field}'\\.`),
        )
      assert.equal(read.length, 400)
      assert.deepEqual(read, published)
      const few: unknown[] = []
      for await (const { meta } of records.each({ type, status: 'draft', where: { count: { from: 82, to: 200 } } }))
        few.push(meta['count'])
      assert.deepEqual(few.map(Number), [82, 123, 164])
      const [first, second] = ids
      const after = { type, after_id: first, orderby: 'id', order: 'asc', per_page: 1, fields: ['id'] } as const
      assert.deepEqual(
        (await records.list(after)).map(({ id }) => id),
        [published[0]],
      )
      assert.equal(await records.count({ type, status: ['draft', 'publish'], after_id: second }), 407)
      const compared = (compare: string) =>
        records.list({ type, meta_query: { key: 'colour', value: 'red', compare: compare as '=' } })
      for (const [written, meant] of [
        ['==', '='],
        ['===', '='],
        ['!==', '!='],
        ['<>', '!='],
      ] as const)
        await assert.rejects(compared(written), new RegExp(`is '${written}'\\. Did you mean '${meant}'\\?`))
      await assert.rejects(records.list({ type, after_id: '5' as never }), /'after_id' of a query for records must be/)
    })

    it('a change of metadata is seen by the next query', async () => {
      const query = { type: 'lamp', where: { watts: { from: 1000 } } } as const
      assert.equal(await records.count(query), 0)
      assert.equal(await records.count(query), 0)
      const { id } = await records.insert({ type: 'lamp', status: 'publish', title: 'Fay', meta: { watts: 2000 } })
      assert.equal(await records.count(query), 1)
      await records.delete(id)
      assert.equal(await records.count(query), 0)
    })

    for (const [query, message] of refused)
      it(`${JSON.stringify(query).slice(0, 80)} is refused`, async () => {
        await assert.rejects(records.list({ type: 'lamp', ...query }), message)
      })
  })
