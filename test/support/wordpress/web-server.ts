import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { serverUser } from '../servers/server-program.js'
import { until } from '../until.js'
import { chownAll } from './site-files.js'

/** A web server before the PHP-FPM of a site. */
export interface WebServer {
  readonly url: string
  end(): Promise<void>
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

/** @param folder of its own, with its configuration. @throws Error with what it printed, when it does not answer. */
export async function startWebServer(
  { name, path }: WebServerProgram,
  { folder, url, args }: { readonly folder: string; readonly url: string; readonly args: readonly string[] },
): Promise<WebServer> {
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
      return answers(url)
    },
    () => `${name} does not answer: ${output}`,
  )
  return {
    url,
    async end() {
      server.kill('SIGTERM')
      await ended
    },
  }
}

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/wp-json/`).then(
    () => true,
    () => false,
  )
