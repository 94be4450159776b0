import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { endpoint, RecordStore, RestResponse } from 'as-rest-route'
import { startService, type StartedService } from '../support/start-service.js'
import { storeKinds } from '../support/store-kinds.js'

/** A public list as an application declares it: each argument may be left out. */
const listLamps = endpoint(
  {
    namespace: 'lamps/v1',
    route: '/lamps',
    permission: 'public',
    cache: 60,
    dependencies: { records: RecordStore },
    args: {
      watts: { type: 'object', properties: { from: { type: 'number' }, to: { type: 'number' } } },
      colour: { type: 'array', items: { type: 'string' } },
      rooms: { type: 'array', items: { type: 'string' } },
      month: { type: 'integer', minimum: 1, maximum: 12 },
      search: { type: 'string' },
      exclude: { type: 'array', items: { type: 'integer' } },
      order: { type: 'string', enum: ['asc', 'desc'], default: 'asc' },
      page: { type: 'integer', minimum: 1, default: 1 },
      per_page: { type: 'integer', minimum: 1, maximum: 100, default: 2 },
    },
    responses: { 200: { type: 'array', items: { type: 'string' } } },
  },
  async (request, { records }) => {
    const { watts, colour, rooms, month, search, exclude, order, page, per_page } = request.get_params()
    const { records: lamps, total } = await records.page({
      type: 'lamp',
      where: { watts: watts ?? undefined, colour: colour ?? undefined },
      tax_query: rooms && { taxonomy: 'room', terms: rooms },
      date_query: month == null ? undefined : { month },
      search,
      exclude,
      orderby: [{ by: { meta: 'watts' }, order }, 'title'],
      page,
      per_page,
      fields: ['title'],
    })
    return new RestResponse(lamps.map(({ title }) => title)).paginate(request, total)
  },
)

for (const kind of storeKinds)
  describe(`lists over HTTP on ${kind.name}`, { skip: kind.skip }, () => {
    let started: StartedService
    let drop: () => Promise<void> | void = () => undefined
    const ids: number[] = []

    before(async () => {
      const database = await kind.create()
      drop = database.drop
      started = await startService([listLamps], {
        database: database.url,
        record_types: {
          lamp: {
            taxonomies: ['room'],
            meta: { watts: { type: 'number' }, colour: { type: 'string', default: 'red' } },
          },
        },
        seed: async ({ records, terms }) => {
          for (const name of ['Kitchen', 'Cellar']) await terms.create({ taxonomy: 'room', name })
          for (const [title, watts, colour, room, date] of [
            ['Ada', 40, 'red', 'kitchen', '2026-01-01T08:00:00'],
            ['Bea', 5.5, 'blue', 'cellar', '2026-01-02T10:00:00'],
            ['Cid', 40, undefined, 'kitchen', '2026-02-03T10:00:00'],
            ['Dan', 100, 'green', 'cellar', '2026-02-04T10:00:00'],
          ] as const) {
            const lamp = { type: 'lamp', status: 'publish', title, date, terms: { room: [room] } }
            ids.push((await records.insert({ ...lamp, meta: { watts, colour } })).id)
          }
          await records.insert({ type: 'lamp', status: 'draft', title: 'Eve', meta: { watts: 40 } })
        },
      })
    })
    after(async () => {
      await started?.close()
      await drop()
    })

    const get = (query: string) => fetch(`${started.rest}lamps/v1/lamps?${query}`)
    const lists: readonly (readonly [query: string, titles: string, total: number])[] = [
      ['', 'Bea Ada', 4],
      ['page=2', 'Cid Dan', 4],
      ['order=desc', 'Dan Ada', 4],
      ['watts[from]=6&watts[to]=40', 'Ada Cid', 2],
      ['watts[from]=41', 'Dan', 1],
      ['colour=red,green&per_page=9', 'Ada Cid Dan', 3],
      ['rooms=kitchen&month=2', 'Cid', 1],
      ['search=-ada&per_page=9', 'Bea Cid Dan', 3],
      ['rooms=attic', '', 0],
    ]
    for (const [query, titles, total] of lists)
      it(`?${query} lists ${titles || 'nothing'}`, async () => {
        // The second response comes from the response cache.
        for (const _ of [1, 2]) {
          const response = await get(query)
          assert.equal(response.status, 200)
          assert.equal(((await response.json()) as string[]).join(' '), titles)
          assert.equal(response.headers.get('X-WP-Total'), String(total))
        }
      })

    it('leaves out excluded ids, and sees what was written since', async () => {
      const query = `exclude=${ids.slice(0, 3).join(',')}`
      assert.deepEqual(await (await get(query)).json(), ['Dan'])
      const { records } = started.service
      const { id } = await records.insert({ type: 'lamp', status: 'publish', title: 'Fay', meta: { watts: 7 } })
      assert.deepEqual(await (await get(query)).json(), ['Fay', 'Dan'])
      await records.delete(id)
      assert.deepEqual(await (await get(query)).json(), ['Dan'])
    })

    for (const query of ['watts[from]=many', 'month=13', 'exclude=x', 'per_page=101', 'order=down'])
      it(`?${query} is a 400`, async () => {
        const response = await get(query)
        assert.equal(response.status, 400)
        assert.equal(((await response.json()) as { code: string }).code, 'rest_invalid_param')
      })
  })
