import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { chownAll } from './site-files.js'
import { serverUser } from '../servers/server-program.js'
import { until } from '../until.js'

const program = '/usr/sbin/apache2'
const modules = ['mpm_event', 'authz_core', 'dir', 'rewrite', 'headers', 'proxy', 'proxy_http', 'proxy_fcgi']

/** The value of a test's option `skip`. @throws Error with CI=true where Apache is missing. */
export function skipWithoutApache(): string | false {
  if (existsSync(program)) return false
  const reason = "there is no Apache here: install Debian's apache2"
  if (process.env['CI'] === 'true' && process.env['TEST_SERVERS'] !== 'none') throw new Error(reason)
  return reason
}

/**
 * Starts Apache before PHP-FPM of a site, beside its nginx.
 * @param siteFolder the folder of the site. @param directives of the `VirtualHost`.
 * @returns its address, and what ends it.
 */
export async function startApache(
  siteFolder: string,
  port: number,
  directives: string,
): Promise<{ readonly url: string; end(): Promise<void> }> {
  const socket = join(dirname(siteFolder), 'fpm.sock')
  const folder = join(dirname(siteFolder), 'apache')
  mkdirSync(folder)
  const text = `
ServerName 127.0.0.1
ServerRoot ${folder}
PidFile ${folder}/pid
ErrorLog ${folder}/error.log
Mutex pthread default
DefaultRuntimeDir ${folder}
Listen 127.0.0.1:${port}
${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
<VirtualHost *:${port}>
  DocumentRoot ${siteFolder}
  DirectoryIndex index.php
  <Directory />
    Require all granted
  </Directory>
  ${directives}
  FallbackResource /index.php
  <FilesMatch "\\.php$">
    SetHandler "proxy:unix:${socket}|fcgi://localhost"
  </FilesMatch>
</VirtualHost>
`
  writeFileSync(join(folder, 'apache.conf'), text)
  const user = serverUser({ name: 'Apache', users: ['www-data', 'nobody'] })
  if (user !== null) chownAll(folder, user)
  let output = ''
  const apache = spawn(program, ['-f', join(folder, 'apache.conf'), '-DFOREGROUND'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  })
  for (const stream of [apache.stdout, apache.stderr]) stream.on('data', (bytes) => (output += String(bytes)))
  const ended = once(apache, 'exit')
  const url = `http://127.0.0.1:${port}`
  await until(
    async () => {
      if (apache.exitCode !== null) throw new Error(`Apache ended: ${output}`)
      return answers(url)
    },
    () => `Apache does not answer: ${output}`,
  )
  return {
    url,
    async end() {
      apache.kill('SIGTERM')
      await ended
    },
  }
}

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/wp-json/`).then(
    () => true,
    () => false,
  )
