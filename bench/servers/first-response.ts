import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../load/exchange.js'

const maxWaitMilliseconds = 300_000

/**
 * Waits until a path is answered with 200, asking again as soon as a connection is refused.
 * @throws Error when the response is another one, when a process ends before, and after five minutes.
 */
export async function firstResponse(processes: readonly ChildProcess[], port: number, path: string): Promise<void> {
  const deadline = performance.now() + maxWaitMilliseconds
  while (performance.now() < deadline) {
    const ended = processes.find((each) => each.exitCode !== null)
    if (ended) throw new Error(`${ended.spawnargs.join(' ')} ended with code ${ended.exitCode}.`)
    if (await accepts(port)) {
      const { status, body } = await ask(port, { method: 'GET', path })
      if (status === 200) return
      // A proxy that is there before the server behind it.
      if (status !== 502) throw new Error(`Its answer to ${path} has status ${status}: ${body.slice(0, 1000)}`)
    }
    await sleep(1)
  }
  throw new Error('It took too long.')
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
