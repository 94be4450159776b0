import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { serverUser } from '../servers/server-program.js'
import { until } from '../until.js'
import { chownAll } from './site-files.js'

/** A running program. */
interface StartedProgram {
  end(): Promise<void>
}

/** A web server before the PHP-FPM of a site. */
export interface WebServer extends StartedProgram {
  readonly url: string
}

/** A program of a Debian package: `Caddy`, `/usr/bin/caddy`, `caddy`. */
interface WebServerProgram {
  readonly name: string
  readonly path: string
  readonly debianPackage: string
}

/** The value of a test's option `skip`. @throws Error with CI=true where the program is missing. */
export function skipWithout({ name, path, debianPackage }: WebServerProgram): string | false {
  if (existsSync(path)) return false
  const reason = `there is no ${name} here: install Debian's ${debianPackage}`
  if (process.env['CI'] === 'true' && process.env['TEST_SERVERS'] !== 'none') throw new Error(reason)
  return reason
}

/** What a web server is started with. */
interface WebServerStart {
  /** Of its own, with its configuration. */
  readonly folder: string
  readonly args: readonly string[]
  /** Addresses without a trailing slash, which all answer when it has started. */
  readonly urls: readonly string[]
  /** Default: the global one, which knows no certificate of a test. */
  readonly fetch?: (url: string) => Promise<unknown>
}

/** @throws Error with what it printed, when it does not answer. */
export async function startWebServer(
  { name, path }: WebServerProgram,
  { folder, args, urls, fetch = globalThis.fetch }: WebServerStart,
): Promise<StartedProgram> {
  const user = serverUser({ name, users: ['www-data', 'nobody'] })
  if (user !== null) chownAll(folder, user)
  let output = ''
  const server = spawn(path, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: folder },
    ...user,
  })
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (bytes) => (output += String(bytes)))
  const ended = once(server, 'exit')
  await until(
    async () => {
      if (server.exitCode !== null) throw new Error(`${name} ended: ${output}`)
      return (await Promise.allSettled(urls.map((url) => fetch(`${url}/wp-json/`)))).every(isFulfilled)
    },
    () => `${name} does not answer: ${output}`,
  )
  return {
    async end() {
      server.kill('SIGTERM')
      await ended
    },
  }
}

const isFulfilled = ({ status }: PromiseSettledResult<unknown>): boolean => status === 'fulfilled'
