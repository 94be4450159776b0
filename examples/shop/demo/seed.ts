import type { SeedTools } from 'as-rest-route'

/** Fills a new shop. */
export async function seed({ records }: SeedTools): Promise<void> {
  await records.insert({ type: 'product', status: 'publish', title: 'Anvil', content: 'Heavy.', meta: { price: 12.5 } })
}
