import { storeAdapterOf } from '../../src/app/stores.js'
import { migrateDatabase } from '../../src/database/maintenance/database-status.js'
import { number } from '../../src/database/sql/row-values.js'
import { bulkStatements, categories, maxBatch, type Kind } from './bulk-statements.js'

/** The option that says how far a load is: the ids before the first product, the first category, the products loaded. */
const progressOption = 'bench_products'

interface Progress {
  readonly base: number
  readonly termTaxonomies: number
  readonly loaded: number
}

export interface Loading {
  /** How many products there shall be. */
  readonly products: number
  /** Products of one transaction. */
  readonly batch?: number
  /** Called after each transaction with the number of products that are there. */
  readonly onProgress?: (loaded: number) => void
}

/**
 * Fills a database with products, three rows of metadata for each, and a category for each. Creates the tables where there are
 * none. Each batch is a transaction, so that a load that was interrupted goes on where it was, and one for more products adds
 * the difference.
 * @returns how many products this call has added.
 */
export async function loadProducts(
  address: string,
  { products, batch = maxBatch, onProgress = () => undefined }: Loading,
): Promise<number> {
  const options = { purpose: 'change', synchronous: 'NORMAL', statementTimeout: 600_000 } as const
  const created = await storeAdapterOf(address).open(address, options)
  const begun = await begin(created)
  await created.close()
  const store = await storeAdapterOf(address).openTables(address, options)
  const { database, tables } = store
  const { dialect } = database
  const { base, termTaxonomies } = begun
  let { loaded } = begun
  const writeProgress = dialect.insertOrOverwrite(tables.options, 'option_name', [
    'option_name',
    'option_value',
    'autoload',
  ])
  try {
    // Its triggers run for each row, and take three quarters of the time. Services start with complete triggers only.
    if (kindOf(address) === 'mysql' && loaded < products)
      for (const table of [tables.posts, tables.postmeta, tables.term_relationships])
        for (const trigger of [`${table}_insert_raises`, `${table}_insert_lists`, `${table}_insert_indexed`])
          await database.write((connection) => connection.execute(`DROP TRIGGER IF EXISTS ${trigger}`))
    while (loaded < products) {
      const last = Math.min(products, loaded + Math.min(batch, maxBatch))
      const statements = bulkStatements(kindOf(address), tables, { first: loaded + 1, last, base, termTaxonomies })
      await database.write(async (connection) => {
        for (const statement of statements) await connection.execute(statement)
        const progress: Progress = { base, termTaxonomies, loaded: last }
        await connection.execute(writeProgress, [progressOption, JSON.stringify(progress), 'off'])
      })
      loaded = last
      onProgress(loaded)
    }
    const lastId = number((await database.reader.row(`SELECT MAX(ID) FROM ${tables.posts}`))?.[0])
    const { setLastId, afterLoad } = dialect.maintenance
    const lists = [tables.posts, tables.postmeta, tables.term_relationships, tables.term_taxonomy, tables.terms]
    if (dialect.hasLists) lists.push(tables.listed, tables.counts, tables.indexed_values)
    await migrateDatabase(store)
    await database.write(async (connection) => {
      for (const statement of [
        ...setLastId(tables.posts, 'ID', lastId),
        `UPDATE ${tables.term_taxonomy} SET count = (SELECT COUNT(*) FROM ${tables.term_relationships} r
          WHERE r.term_taxonomy_id = ${tables.term_taxonomy}.term_taxonomy_id)`,
        ...lists.flatMap((table) => (kindOf(address) === 'mysql' ? [`ANALYZE TABLE ${table}`] : afterLoad(table))),
      ])
        await connection.execute(statement)
    })
    for (const statement of dialect.maintenance.raiseVersions(tables))
      await database.write((connection) => connection.execute(statement))
  } finally {
    await database.close()
  }
  return loaded - begun.loaded
}

async function begin({
  options,
  terms,
  posts,
}: Awaited<ReturnType<ReturnType<typeof storeAdapterOf>['open']>>): Promise<Progress> {
  const text = await options.read(progressOption)
  if (text !== null) return JSON.parse(text) as Progress
  const ids: number[] = []
  for (let index = 0; index < categories; index += 1) {
    const slug = `bulk-${index}`
    await terms.insert({ taxonomy: 'category', name: `Bulk ${index}`, slug })
    ids.push((await terms.find('category', { slug }))?.term_taxonomy_id ?? 0)
  }
  const [termTaxonomies = 0] = ids
  if (ids.some((id, index) => id !== termTaxonomies + index))
    throw new Error('Another process has added terms meanwhile. Run the command on a database that is not in use.')
  const { rows } = await posts.list({ order: [{ by: 'id', direction: 'desc' }], limit: 1, offset: 0 }, { columns: [] })
  const progress = { base: rows[0]?.post.ID ?? 0, termTaxonomies, loaded: 0 }
  await options.write(progressOption, JSON.stringify(progress))
  return progress
}

function kindOf(address: string): Kind {
  if (address.startsWith('sqlite:')) return 'sqlite'
  return address.startsWith('postgres') ? 'postgres' : 'mysql'
}
