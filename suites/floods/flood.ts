import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../support/random.js'

/** What a flood works with. */
export interface Target {
  readonly port: number
  readonly random: Random
  /** Open sockets of this process that a flood may have. */
  readonly maxConnections: number
}

/** A running flood. */
export interface Flood {
  /** Ends the flood and its connections. @returns figures, and what the service did wrong. */
  end(): Promise<{ readonly figures: string; readonly faults: readonly string[] }>
}

export interface FloodKind {
  readonly name: string
  /** Connections that the flood means to have at once. */
  readonly connections: (target: Target) => number
  /** The largest growth of the service's RSS, in MiB. */
  readonly maxGrowth: number
  /** @returns after the connections are made. */
  begin(target: Target): Promise<Flood>
}

/** @param address of this end, in 127.0.0.0/8. */
export function socketTo(port: number, address = '127.0.0.1'): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: address, noDelay: true })
  // The service may end any connection of a flood; what counts is what it does for others.
  socket.on('error', () => {})
  return socket
}

/** Opens connections, a hundred at a time, so that the queue of the kernel does not overflow. */
export async function openConnections(port: number, count: number): Promise<readonly Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const group = Array.from({ length: Math.min(100, count - sockets.length) }, () => socketTo(port))
    await Promise.all(
      group.map((socket) => new Promise<void>((done) => socket.once('connect', done).once('close', () => done()))),
    )
    sockets.push(...group)
  }
  return sockets
}

/** Calls a function for every socket that is open, spread over each second. */
export function everySecond(sockets: readonly Socket[], write: (socket: Socket) => void): () => void {
  const parts = 10
  let part = 0
  const timer = setInterval(() => {
    for (let index = part; index < sockets.length; index += parts) {
      const socket = sockets[index]
      if (socket?.writable) write(socket)
    }
    part = (part + 1) % parts
  }, 1000 / parts)
  return () => clearInterval(timer)
}

/** Runs clients side by side. @returns ends them, each after what it is doing. */
export function clients(count: number, step: () => Promise<void>, rest: number): () => Promise<void> {
  const run = { isOver: false }
  const running = Array.from({ length: count }, async () => {
    while (!run.isOver) {
      await step()
      await pause(rest)
    }
  })
  return async () => {
    run.isOver = true
    await Promise.all(running)
  }
}
