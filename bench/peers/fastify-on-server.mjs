// The shop on Fastify and a database server, with a pool of connections and prepared statements.
import { fastifyShop } from './fastify-shop.mjs'
import { openServerShop } from './server-shop.mjs'

const app = fastifyShop(await openServerShop())
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
