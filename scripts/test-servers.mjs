// The database servers of one run of the tests, for all its processes. `test/support/servers` asks for their addresses.
import { once } from 'node:events'
import { createServer } from 'node:http'

/** GET /postgres answers with the address of a server that is started at the first such request. */
export async function offerTestServers() {
  let shared = null
  const listener = createServer(async (request, response) => {
    response.setHeader('connection', 'close')
    try {
      shared ??= await loadSharedServers()
      response.end(await shared.ownServer(request.url.slice(1)))
    } catch (error) {
      response.statusCode = 500
      response.end(String(error?.message ?? error))
    }
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    address: `http://127.0.0.1:${listener.address().port}`,
    async close() {
      listener.close()
      listener.closeAllConnections()
      await shared?.dropOwnServers()
    },
  }
}

async function loadSharedServers() {
  await import('./typescript/register.mjs')
  return import('../test/support/servers/shared-server.ts')
}
