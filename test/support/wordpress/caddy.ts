import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { serverUser } from '../servers/server-program.js'
import { chownAll } from './site-files.js'
import { until } from '../until.js'

const program = '/usr/bin/caddy'

/** The value of a test's option `skip`. @throws Error with CI=true where Caddy is missing. */
export function skipWithoutCaddy(): string | false {
  if (existsSync(program)) return false
  const reason = "there is no Caddy here: install Debian's caddy"
  if (process.env['CI'] === 'true' && process.env['TEST_SERVERS'] !== 'none') throw new Error(reason)
  return reason
}

/**
 * Starts Caddy before PHP-FPM of a site, beside its nginx.
 * @param siteFolder the folder of the site. @param directives of the site's block, before `php_fastcgi`.
 * @returns its address, and what ends it.
 */
export async function startCaddy(
  siteFolder: string,
  port: number,
  directives: string,
): Promise<{ readonly url: string; end(): Promise<void> }> {
  const folder = join(dirname(siteFolder), 'caddy')
  mkdirSync(folder)
  const url = `http://127.0.0.1:${port}`
  const text = `{
  admin off
  auto_https off
  storage file_system ${folder}
}
${url} {
  bind 127.0.0.1
  root * ${siteFolder}
  ${directives}
  php_fastcgi unix/${join(dirname(siteFolder), 'fpm.sock')}
  file_server
}
`
  writeFileSync(join(folder, 'Caddyfile'), text)
  const user = serverUser({ name: 'Caddy', users: ['www-data', 'nobody'] })
  if (user !== null) chownAll(folder, user)
  let output = ''
  const caddy = spawn(program, ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { HOME: folder },
    ...user,
  })
  for (const stream of [caddy.stdout, caddy.stderr]) stream.on('data', (bytes) => (output += String(bytes)))
  const ended = once(caddy, 'exit')
  await until(
    async () => {
      if (caddy.exitCode !== null) throw new Error(`Caddy ended: ${output}`)
      return answers(url)
    },
    () => `Caddy does not answer: ${output}`,
  )
  return {
    url,
    async end() {
      caddy.kill('SIGTERM')
      await ended
    },
  }
}

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/wp-json/`).then(
    () => true,
    () => false,
  )
