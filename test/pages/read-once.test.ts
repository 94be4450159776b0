import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SeedTools } from '../../src/index.js'
import { statementsWithValues } from '../support/counted-statements.js'
import { openShop } from './shop-site.js'

type Shop = Awaited<ReturnType<typeof openShop>>
let shop: Shop
before(async () => {
  shop = await openShop({ seed })
  const { records, users } = shop.service
  const author = (await users.find('ed'))?.id ?? 0
  for (const type of ['post', 'product'])
    for (const category of ['tools', 'spades', 'rakes', 'seeds'])
      await records.insert({
        type,
        title: `About ${category}`,
        status: 'publish',
        author,
        terms: { category: [category] },
      })
})
after(() => shop.service.close())

let garden = 0
/** Categories on three levels. The path of a category names those above it. */
async function seed({ terms }: SeedTools): Promise<void> {
  garden = (await terms.create({ name: 'Garden' })).id
  const tools = (await terms.create({ name: 'Tools', parent: garden })).id
  for (const name of ['Spades', 'Rakes']) await terms.create({ name, parent: tools })
  await terms.create({ name: 'Seeds', parent: garden })
}

/** The queries of one page for rows, with their values. The change token may be read at any time. */
async function queriesOf(path: string): Promise<readonly string[]> {
  const statements = await statementsWithValues(async () => assert.equal((await shop.browser().get(path)).status, 200))
  return statements
    .filter(({ text }) => text.includes(' FROM '))
    .map(({ text, values }) => JSON.stringify([text, values]))
}

for (const path of [
  '/',
  '/product/',
  '/category/garden/',
  '/category/garden/tools/',
  '/author/ed/',
  '/?s=about',
  '/about-rakes/',
])
  test(`the page ${path} sends no query twice`, async () => {
    const queries = await queriesOf(path)
    assert.ok(queries.length > 0)
    assert.deepEqual(
      queries.filter((query, index) => queries.indexOf(query) !== index),
      [],
    )
  })

const readsTermById = (query: string) => query.includes('WHERE t.term_id = ?')

test('the front page lists all categories, and reads none by its id', async () => {
  assert.deepEqual((await queriesOf('/')).filter(readsTermById), [])
})

test('the page of a category does not read that category by its id for the paths of those below', async () => {
  const queries = (await queriesOf('/category/garden/')).filter(readsTermById)
  assert.deepEqual(
    queries.filter((query) => query.includes(`[${garden},"category"]`)),
    [],
  )
})
