import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { skipWithout, startWebServer, type WebServer } from './web-server.js'

const program = { name: 'Apache', path: '/usr/sbin/apache2', debianPackage: 'apache2' }
const modules = ['mpm_event', 'authz_core', 'dir', 'rewrite', 'headers', 'proxy', 'proxy_http', 'proxy_fcgi']

/** The value of a test's option `skip`. @throws Error with CI=true where Apache is missing. */
export const skipWithoutApache = (): string | false => skipWithout(program)

/**
 * Starts Apache before PHP-FPM of a site, beside its nginx.
 * @param siteFolder the folder of the site. @param directives of the `VirtualHost`.
 * @returns its address, and what ends it.
 */
export async function startApache(siteFolder: string, port: number, directives: string): Promise<WebServer> {
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
  const url = `http://127.0.0.1:${port}`
  const args = ['-f', join(folder, 'apache.conf'), '-DFOREGROUND']
  return { url, ...(await startWebServer(program, { folder, args, urls: [url] })) }
}
