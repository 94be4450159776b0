import { everySecond, openConnections, type Flood, type FloodKind, type Target } from './flood.js'

const capped =
  (wish: number) =>
  ({ maxConnections }: Target): number =>
    Math.min(wish, maxConnections)

/** Floods that hold connections, and make little or no work on each. */
export const connectionFloods: readonly FloodKind[] = [
  {
    name: 'idle connections',
    connections: capped(5_000),
    maxGrowth: 200,
    begin: (target) => holding(target, capped(5_000)(target)),
  },
  {
    name: 'slow heads',
    connections: capped(1_000),
    maxGrowth: 100,
    begin: (target) => holding(target, capped(1_000)(target), 'GET /wp-json/floods/v1/list HTTP/1.1\r\nX-Slow: ', 'x'),
  },
  {
    name: 'slow bodies',
    connections: capped(1_000),
    maxGrowth: 100,
    begin: (target) =>
      holding(
        target,
        capped(1_000)(target),
        'POST /wp-json/floods/v1/echo HTTP/1.1\r\nHost: floods.example\r\nContent-Type: application/json\r\n' +
          'Content-Length: 100000\r\n\r\n{"text":"',
        'x',
      ),
  },
  {
    name: 'readers that never read',
    connections: capped(60),
    // A connection gets its next response only after it has taken the one before.
    maxGrowth: 150,
    begin: (target) => neverReading(target, capped(60)(target)),
  },
]

/** Connections that send a beginning, and then one more byte each second. */
async function holding({ port }: Target, count: number, beginning = '', drip = ''): Promise<Flood> {
  const sockets = await openConnections(port, count)
  for (const socket of sockets) {
    socket.resume()
    if (beginning !== '') socket.write(beginning)
  }
  const stop = drip === '' ? () => {} : everySecond(sockets, (socket) => socket.write(drip))
  return {
    async end() {
      stop()
      const cut = sockets.filter(({ destroyed }) => destroyed).length
      for (const socket of sockets) socket.destroy()
      return { figures: `${count} connections, ${cut} of them ended by the service`, faults: [] }
    },
  }
}

/** Connections that ask for large responses again and again, in a pipeline, and read nothing. */
async function neverReading({ port }: Target, count: number): Promise<Flood> {
  const sockets = await openConnections(port, count)
  const request = 'GET /wp-json/floods/v1/large HTTP/1.1\r\nHost: floods.example\r\n\r\n'
  for (const socket of sockets) {
    socket.pause()
    socket.write(request.repeat(50))
  }
  return {
    async end() {
      for (const socket of sockets) socket.destroy()
      return { figures: `${count} connections with 50 requests each`, faults: [] }
    },
  }
}
