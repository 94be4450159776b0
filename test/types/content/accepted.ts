// What compiles, and the types that come back.
import type {
  NewRecord,
  RecordQuery,
  RecordStore,
  SeedTools,
  SiteOptions,
  StoredRecord,
  Terms,
  Users,
} from 'as-rest-route'

type Same<Left, Right> = (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false
const same = <Left, Right>(...differ: Same<Left, Right> extends true ? [] : [never]) => differ

export async function reads(records: RecordStore) {
  const [event] = await records.list({
    type: 'event',
    status: ['publish', 'sold_out'],
    where: { capacity: { from: 10 }, level: 'hard' },
    orderby: [{ meta: 'price' }, { by: 'title', order: 'desc' }],
    term: { taxonomy: 'kind', slug: 'concert' },
  })
  if (event === undefined) return
  same<typeof event.type, 'event'>()
  same<typeof event.meta.capacity, number>()
  same<typeof event.meta.price, number | undefined>()
  same<typeof event.meta.level, 'easy' | 'hard'>()
  same<typeof event.meta.tags, string[]>()
  event.meta.place?.city.toUpperCase()

  const [part] = await records.list({ type: 'event', fields: ['meta', 'title'], meta_keys: ['price'] })
  same<
    typeof part,
    { readonly id: number; readonly title: string; readonly meta: { readonly price: number | undefined } } | undefined
  >()

  const any = await records.get(5)
  if (any?.type === 'event') same<typeof any.meta.capacity, number>()
  else if (any?.type === 'note') same<typeof any.meta, Readonly<Record<string, unknown>>>()

  const ticket = await records.get(5, { type: 'ticket', lock: true })
  same<NonNullable<typeof ticket>['meta']['seat'], string | undefined>()

  for await (const { meta } of records.each({ type: ['event', 'ticket'], fields: ['meta'], meta_keys: ['capacity'] }))
    if ('capacity' in meta) same<typeof meta.capacity, number>()

  const { records: page } = await records.page({
    type: 'note',
    where: { anything: 1 },
    meta_query: { key: 'other', value: 1 },
  })
  same<(typeof page)[number]['meta'], Readonly<Record<string, unknown>>>()
  await records.count({ where: { seat: 'A1', capacity: 3 } })
}

export async function writes(records: RecordStore, terms: Terms) {
  const event = await records.insert({
    type: 'event',
    status: 'sold_out',
    meta: { capacity: 5, tags: ['a'] as readonly string[], level: 'easy', price: null },
    terms: { kind: ['concert'] },
  })
  same<typeof event, StoredRecord<'event'>>()
  const post = await records.insert({ title: 'A post', meta: { anything: 1 }, terms: { kind: ['concert'] } })
  same<typeof post.type, 'post'>()
  await records.update(
    event.id,
    { status: 'publish', meta: { capacity: 4 }, remove_meta: ['price'] },
    { if: { meta: { capacity: 5 } } },
  )
  await records.update(event.id, { meta: { seat: 'A1' } }, { if_unchanged: event })
  await records.delete(event.id, { if: { type: 'event', status: 'trash' } })
  await records.transaction(async (inside) => inside.insert({ type: 'ticket', meta: { seat: 'A1' } }))
  await terms.create({ name: 'Concert', taxonomy: 'kind' })
  await terms.list('kind')
}

export const query = { type: 'event', where: { capacity: 5 } } satisfies RecordQuery<'event'>
export const listed = (records: RecordStore) => records.list(query)
export const clauses = (records: RecordStore) =>
  records.list({ type: 'event', meta_query: { clauses: [{ key: 'capacity', value: 5 }] } })
export const anyOf = (records: RecordStore, record: NewRecord) => records.insert(record)
export const seeded = ({ records }: SeedTools) => records.insert({ type: 'ticket', meta: { seat: 'A1' } })
export const priceOf = ({ meta }: StoredRecord<'event'>): number => meta.price ?? 0

export async function values(options: SiteOptions, users: Users, terms: Terms) {
  const days = await options.get('loan_days')
  same<typeof days, number>()
  const motto = await options.get('motto')
  same<typeof motto, string | null>()
  await options.set('loan_days', 28)
  const { card, points } = await users.getMeta(1)
  same<typeof card, string | undefined>()
  same<typeof points, number>()
  await users.setMeta(1, { card: '12345678', points: null })
  const { colour } = await terms.getMeta(1)
  same<typeof colour, string | undefined>()
  await terms.setMeta(1, { colour: '#ff0000' }, 'kind')
}
