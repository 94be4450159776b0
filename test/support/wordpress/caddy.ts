import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { skipWithout, startWebServer, type WebServer } from './web-server.js'

const program = { name: 'Caddy', path: '/usr/bin/caddy', debianPackage: 'caddy' }

/** The value of a test's option `skip`. @throws Error with CI=true where Caddy is missing. */
export const skipWithoutCaddy = (): string | false => skipWithout(program)

/**
 * Starts Caddy before PHP-FPM of a site, beside its nginx.
 * @param siteFolder the folder of the site. @param directives of the site's block, before `php_fastcgi`.
 * @returns its address, and what ends it.
 */
export async function startCaddy(siteFolder: string, port: number, directives: string): Promise<WebServer> {
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
  return { url, ...(await startCaddyfile(folder, [url])) }
}

/** Starts Caddy with the `Caddyfile` of a folder. @param urls that answer when it is ready. */
export function startCaddyfile(folder: string, urls: readonly string[]): Promise<Omit<WebServer, 'url'>> {
  const args = ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
  return startWebServer(program, { folder, args, urls })
}
