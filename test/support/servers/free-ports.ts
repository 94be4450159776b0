import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems give to outgoing connections. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = []
  for (let port = 12_000 + Math.floor(Math.random() * 7000); ports.length < count; port += 1) {
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await Promise.race([
      once(probe, 'listening').then(() => true),
      once(probe, 'error').then(() => false),
    ]).catch(() => false)
    if (isFree) {
      ports.push(port)
      probe.close()
    }
  }
  return ports
}
