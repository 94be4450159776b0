import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { AsRestRoute } from '../../src/index.js'
import { RawConnection } from '../support/raw-socket.js'
import { startService } from '../support/start-service.js'

/** The kernel takes most of it at once, in about a millisecond. */
const large = 3_000_000
/** The sockets of the service. */
let sockets: Socket[] = []

class ManyApi {
  @AsRestRoute({ namespace: 'many/v1', route: '/large', permission: 'public' })
  large() {
    return 'x'.repeat(large)
  }

  /** The number of large responses that were written before this request. */
  @AsRestRoute({ namespace: 'many/v1', route: '/written', permission: 'public' })
  written() {
    return sockets.filter(({ bytesWritten }) => bytesWritten >= large).length
  }
}

/** The service reads a request itself, or leaves it to `node:http`. */
const ways: [way: string, header: string][] = [
  ['read directly', ''],
  ['read by node:http', 'TE: trailers\r\n'],
]

for (const [way, header] of ways) {
  test(`a request waits for few large responses of others: ${way}`, async (context) => {
    sockets = []
    const onSocket = (message: unknown): void => void sockets.push((message as { socket: Socket }).socket)
    subscribe('net.server.socket', onSocket)
    context.after(() => unsubscribe('net.server.socket', onSocket))
    const { port, close } = await startService([ManyApi])
    context.after(close)
    const connections: RawConnection[] = []
    for (let count = 0; count < 30; count += 1) {
      const connection = new RawConnection(port)
      context.after(() => connection.close())
      await once(connection.socket, 'connect')
      connections.push(connection)
    }
    const ask = async (connection: RawConnection, path: string): Promise<string> => {
      connection.send(`GET /wp-json/many/v1/${path} HTTP/1.1\r\nHost: x\r\n${header}\r\n`)
      return (await connection.response()).text
    }
    // A connection is served by what read its first request.
    for (const connection of connections) assert.equal(await ask(connection, 'written'), '0')

    const [last, ...others] = connections.toReversed()
    assert(last)
    const responses = others.map((connection) => ask(connection, 'large'))
    const written = Number(await ask(last, 'written'))

    assert(written <= 10, `${written} of ${others.length} large responses were written before`)
    for (const text of await Promise.all(responses)) assert.equal(text.length, large + '""'.length)
  })
}
