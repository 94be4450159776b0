import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fetchOver, makeCertificate, skipWithoutOpenssl, type TlsResponse } from './tls-proxy.js'
import { skipWithout, startWebServer, type WebServer } from './web-server.js'

const program = { name: 'Apache', path: '/usr/sbin/apache2', debianPackage: 'apache2' }
const modules = ['mpm_event', 'authz_core', 'dir', 'rewrite', 'headers', 'proxy', 'proxy_http', 'proxy_fcgi', 'ssl']

/** The value of a test's option `skip`. @throws Error with CI=true where Apache is missing, or openssl. */
export const skipWithoutApache = (): string | false => skipWithout(program) || skipWithoutOpenssl()

export interface Apache extends WebServer {
  /** A GET over TLS, on a port that has the same directives. */
  fetchOverTls(path: string, headers?: Record<string, string>): Promise<TlsResponse>
}

/**
 * Starts Apache before PHP-FPM of a site, beside its nginx.
 * @param siteFolder the folder of the site. @param ports that for plain HTTP and that for TLS.
 * @param directives of the `VirtualHost`.
 * @returns its address, and what ends it.
 */
export async function startApache(
  siteFolder: string,
  [port = 0, tlsPort = 0]: readonly number[],
  directives: string,
): Promise<Apache> {
  const socket = join(dirname(siteFolder), 'fpm.sock')
  const folder = join(dirname(siteFolder), 'apache')
  mkdirSync(folder)
  const { key, certificate } = makeCertificate(folder)
  const host = (ofPort: number, more: string) => `
Listen 127.0.0.1:${ofPort}
<VirtualHost *:${ofPort}>
  ${more}
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
  const text = `
ServerName 127.0.0.1
ServerRoot ${folder}
PidFile ${folder}/pid
ErrorLog ${folder}/error.log
Mutex pthread default
DefaultRuntimeDir ${folder}
${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
${host(port, '')}
${host(tlsPort, `SSLEngine on\nSSLCertificateFile ${certificate}\nSSLCertificateKeyFile ${key}`)}
`
  writeFileSync(join(folder, 'apache.conf'), text)
  const url = `http://127.0.0.1:${port}`
  const args = ['-f', join(folder, 'apache.conf'), '-DFOREGROUND']
  const ca = readFileSync(certificate)
  return {
    url,
    fetchOverTls: (path, headers = {}) => fetchOver(`https://127.0.0.1:${tlsPort}${path}`, ca, { headers }),
    ...(await startWebServer(program, { folder, args, urls: [url] })),
  }
}
