import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AsRestRoute, inject, RecordStore, RestResponse, Terms, type RestRequest } from '../../src/index.js'
import { startService, type StartedService } from '../support/start-service.js'

class ShelvesApi {
  constructor(
    private readonly terms = inject(Terms),
    private readonly records = inject(RecordStore),
  ) {}

  @AsRestRoute({ namespace: 'shop/v1', route: '/shelves', permission: 'public' })
  async list() {
    return new RestResponse((await this.terms.list()).map(({ name, slug, count }) => ({ name, slug, count })))
  }

  @AsRestRoute({
    namespace: 'shop/v1',
    route: '/shelves',
    method: 'POST',
    permission: 'public',
    args: { name: { type: 'string', required: true } },
  })
  async add(request: RestRequest<{ name: string }>) {
    const { slug } = await this.terms.create({ name: request.get_param('name') })
    await this.records.insert({ title: 'Lamp', status: 'publish', terms: { category: [slug] } })
    return new RestResponse({ slug }, 201)
  }
}

describe('a handler that takes Terms', () => {
  let site: StartedService
  before(async () => {
    site = await startService([ShelvesApi])
  })
  after(() => site.close())

  it('makes terms, lists them with their counts, and learns why one is refused', async () => {
    const add = (name: string) =>
      fetch(`${site.rest}shop/v1/shelves`, { method: 'POST', body: new URLSearchParams({ name }) })
    assert.equal((await add('Tools & Parts')).status, 201)
    const again = await add('Tools & Parts')
    assert.equal(again.status, 400)
    assert.equal(((await again.json()) as { code: string }).code, 'term_exists')
    const listed = (await (await fetch(`${site.rest}shop/v1/shelves`)).json()) as { slug: string; count: number }[]
    assert.deepEqual(
      listed.find(({ slug }) => slug === 'tools-parts'),
      { name: 'Tools & Parts', slug: 'tools-parts', count: 1 },
    )
  })
})
