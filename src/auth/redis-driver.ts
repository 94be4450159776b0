import { createRequire } from 'node:module'

/** The part of the package `ioredis` that is used here. Its own types would become a dependency of ours. */
export interface RedisClient {
  /** Runs a script that the server knows by its hash, and sends its text when it does not. */
  evalsha(hash: string, keyCount: number, ...keysAndValues: (string | number)[]): Promise<unknown>
  eval(script: string, keyCount: number, ...keysAndValues: (string | number)[]): Promise<unknown>
  connect(): Promise<void>
  disconnect(): void
  on(event: 'error', listener: (error: Error) => void): void
}

interface RedisDriver {
  readonly Redis: new (url: string, options: object) => RedisClient
}

/**
 * Milliseconds after which the client gives up a command. `ReplacedCounters` goes on after a second, and ends the attempts
 * that Redis begins later. This limit applies to those late replies.
 */
const commandTimeout = 60_000

/** Whether the optional package `ioredis` is installed. */
export function hasRedisPackage(): boolean {
  try {
    createRequire(import.meta.url).resolve('ioredis')
    return true
  } catch {
    return false
  }
}

/** A bundler accepts that an optional package is missing only inside `try`. @throws Error when it is not installed. */
async function redisDriver(): Promise<RedisDriver> {
  try {
    const driver: unknown = await import('ioredis')
    return driver as RedisDriver
  } catch (error) {
    throw new Error('Redis needs the package ioredis, which cannot be loaded. Run: npm install ioredis', {
      cause: error,
    })
  }
}

/**
 * A client that connects by itself, and again after a loss. While it is not connected, commands fail at once.
 * @throws Error when the package is not installed.
 */
export async function redisClient(url: string): Promise<RedisClient> {
  const { Redis } = await redisDriver()
  const client = new Redis(url, {
    commandTimeout,
    connectTimeout: 2000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt: number) => Math.min(attempt * 100, 1000),
    lazyConnect: true,
    connectionName: 'as-rest-route',
  })
  // Without a listener, an `error` event would end the process. The commands that fail reject with the same error.
  client.on('error', () => undefined)
  return client
}
