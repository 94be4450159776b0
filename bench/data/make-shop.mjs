import { fileURLToPath } from 'node:url'
import { boot } from 'as-rest-route'
import { seedOf } from './seed.mjs'

/**
 * Fills an empty database through the product.
 * @returns the id of the administrator `bench`, and the header `Authorization` with an application password.
 */
export async function makeShop(database, { siteUrl, products, posts, synchronous }) {
  const service = await boot(fileURLToPath(new URL('../dist/app', import.meta.url)), {
    database,
    base_url: siteUrl,
    synchronous,
    seed: seedOf(products, posts),
  })
  const { id } = await service.users.create({
    login: 'bench',
    email: 'bench@shop.example',
    password: 'a password that nobody uses here',
    role: 'administrator',
  })
  const { password } = await service.applicationPasswords.create(id, { name: 'Benchmark' })
  await service.close()
  return { userId: id, authorization: `Basic ${Buffer.from(`bench:${password}`).toString('base64')}` }
}
