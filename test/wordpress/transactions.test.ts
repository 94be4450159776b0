import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AsRestRoute, inject, RecordStore, RestError, SiteOptions, Terms, Users, type RestRequest } from 'as-rest-route'
import { startService, type StartedService } from '../support/start-service.js'
import { until } from '../support/until.js'
import { skipWithoutWordPress, startWordPressSite, type WordPressSite } from '../support/wordpress/wordpress-site.js'

const event = '/events/(?P<id>\\d+)'
const declared = { namespace: 'tickets/v1', method: 'POST', permission: 'public' } as const

class TicketsApi {
  constructor(
    private readonly records = inject(RecordStore),
    private readonly terms = inject(Terms),
    private readonly users = inject(Users),
    private readonly options = inject(SiteOptions),
  ) {}

  @AsRestRoute({ ...declared, route: `${event}/tickets` })
  async buy(request: RestRequest<{ id: string }>) {
    const { id } = await this.records.transaction(async (records) => {
      const { id, meta } = (await records.get(request.pathId('id'), { lock: true })) ?? assert.fail()
      const left = Number(meta['left'])
      if (left === 0) throw new RestError('sold_out', 'Sold out.', { status: 409 })
      await records.update(id, { meta: { left: left - 1 } })
      return records.insert({ type: 'ticket', status: 'publish', title: 'Ticket', parent: id })
    })
    return { id }
  }

  @AsRestRoute({ ...declared, route: `${event}/cancel` })
  async cancel(request: RestRequest<{ id: string }>) {
    await this.records.update(request.pathId('id'), { status: 'trash' }, { if: { status: 'publish' } })
    return { cancelled: true }
  }

  @AsRestRoute({ ...declared, route: '/kinds' })
  async kind() {
    const { term, created } = await this.terms.findOrCreate({ name: 'Concert' })
    return { id: term.id, created }
  }

  @AsRestRoute({ ...declared, route: '/failing' })
  async fail() {
    await this.records.transaction(async (records) => {
      await records.insert({ type: 'ticket', status: 'publish', title: 'Undone' })
      await this.terms.create({ name: 'Undone' })
      await this.users.create({ login: 'undone', email: 'undone@shop.example', password: 'a long password' })
      await this.options.set('tickets_undone', 'yes')
      await records.transaction(async () => {
        throw new RestError('enough', 'Enough.', { status: 418 })
      })
    })
    return null
  }
}

describe('transactions on the tables of a WordPress site', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  let services: readonly StartedService[] = []
  const inserted: number[] = []
  before(async () => {
    site = await startWordPressSite()
    const record_types = {
      event: { meta: { left: { type: 'integer' } } },
      ticket: { after_commit: { inserted: ({ id }: { readonly id: number }) => inserted.push(id) } },
    } as const
    const options = { wordpress: { config: site.configPath }, record_types }
    services = [await startService([TicketsApi], options), await startService([TicketsApi], options)]
  })
  after(async () => {
    for (const service of services) await service.close()
    await site?.stop()
  })

  /** Sends requests at once, in turns to the services. */
  const post = (path: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const response = await fetch(`${services[index % services.length]?.rest}tickets/v1/${path}`, { method: 'POST' })
        return { status: response.status, body: (await response.json()) as Record<string, unknown> | null }
      }),
    )
  const insertEvent = async () => {
    const { records } = services[0]?.service ?? assert.fail()
    return (await records.insert({ type: 'event', status: 'publish', title: 'Concert', meta: { left: 20 } })).id
  }
  const statuses = (responses: readonly { readonly status: number }[]) => responses.map(({ status }) => status).sort()

  it('60 buyers at two services buy exactly 20 tickets, and after_commit is called for each', async () => {
    const id = await insertEvent()
    const responses = await post(`events/${id}/tickets`, 60)
    assert.deepEqual(statuses(responses), [...Array<number>(20).fill(200), ...Array<number>(40).fill(409)])
    const sold = responses.flatMap(({ status, body }) => (status === 200 ? [Number(body?.['id'])] : []))
    const atPhp = await site.php(
      `return array( get_post_meta( $argument, 'left', true ), get_posts( array( 'post_type' => 'ticket', 'post_parent' => $argument, 'numberposts' => -1, 'fields' => 'ids', 'orderby' => 'ID', 'order' => 'ASC' ) ) );`,
      id,
    )
    const ascending = (ids: readonly number[]) => ids.toSorted((one, other) => one - other)
    assert.deepEqual(atPhp, ['0', ascending(sold)])
    await until(() => inserted.length === 20)
    assert.deepEqual(ascending(inserted), ascending(sold))
  })

  it('one of five cancellations at once succeeds', async () => {
    assert.deepEqual(statuses(await post(`events/${await insertEvent()}/cancel`, 5)), [200, 409, 409, 409, 409])
  })

  it('a term is created once by parallel requests', async () => {
    const responses = await post('kinds', 8)
    assert.equal(responses.filter(({ body }) => body?.['created'] === true).length, 1)
    assert.equal(new Set(responses.map(({ body }) => body?.['id'])).size, 1)
  })

  it('a failure undoes records, terms, users and options', async () => {
    assert.deepEqual(statuses(await post('failing', 1)), [418])
    const left = await site.php(
      `return array( get_posts( array( 'post_type' => 'ticket', 'title' => 'Undone' ) ), term_exists( 'undone', 'category' ), username_exists( 'undone' ), get_option( 'tickets_undone' ) );`,
    )
    assert.deepEqual(left, [[], null, false, false])
  })

  it('a change by PHP since the record was read is not overwritten', async () => {
    const { records } = services[0]?.service ?? assert.fail()
    const read = (await records.get(await insertEvent())) ?? assert.fail()
    await site.php(`wp_update_post( array( 'ID' => $argument, 'post_title' => 'By PHP' ) );`, read.id)
    const overwritten = records.update(read.id, { title: 'Ours' }, { if_unchanged: read })
    await assert.rejects(overwritten, { code: 'record_conflict', field: 'title' })
    assert.equal((await records.get(read.id))?.title, 'By PHP')
  })
})
