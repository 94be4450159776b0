import { createServer, connect, type AddressInfo, type Socket } from 'node:net'

/** A way to a server that loses what it should. */
export interface Proxy {
  readonly url: string
  /** Ends a connection as soon as its client has sent such a text. */
  isArmed: boolean
  /** Swallows what the server answers. */
  isSilent: boolean
  /** Ends all connections, and leads the next ones to another server, as an address does whose primary has moved. */
  moveTo(url: string): void
  close(): void
}

/** @param ends see `Proxy.isArmed`. Left out: nothing ends a connection. */
export async function proxyTo(url: string, ends: (text: string) => boolean = () => false): Promise<Proxy> {
  let target = new URL(url)
  const sockets = new Set<Socket>()
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (bytes) => {
      upstream.write(bytes)
      if (proxy.isArmed && ends(bytes.toString('latin1'))) client.destroy()
    })
    upstream.on('data', (bytes) => {
      if (!proxy.isSilent) client.write(bytes)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = new URL(url)
  address.port = String((server.address() as AddressInfo).port)
  const proxy: Proxy = {
    url: String(address),
    isArmed: false,
    isSilent: false,
    moveTo(next) {
      target = new URL(next)
      endAll()
    },
    close() {
      endAll()
      server.close()
    },
  }
  return proxy
}
