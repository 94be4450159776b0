import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request as secureRequest } from 'node:https'
import { dirname, join } from 'node:path'
import { skipWithout, startWebServer } from './web-server.js'
import { nginxPath } from './wordpress-programs.js'

const openssl = { name: 'openssl', path: '/usr/bin/openssl', debianPackage: 'openssl' }
const program = { name: 'nginx', path: nginxPath() ?? '/usr/sbin/nginx', debianPackage: 'nginx' }

/** The value of a test's option `skip`. @throws Error with CI=true where nginx is missing, or openssl. */
export const skipWithoutNginx = (): string | false => skipWithout(program) || skipWithoutOpenssl()

/** The value of a test's option `skip`. @throws Error with CI=true where openssl is missing. */
export const skipWithoutOpenssl = (): string | false => skipWithout(openssl)

export interface TlsResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface TlsProxy {
  /** A request that knows the certificate. Redirects are not followed. */
  fetch(url: string, init?: { method?: string; headers?: Record<string, string>; body?: string }): Promise<TlsResponse>
  end(): Promise<void>
}

/**
 * Starts an nginx that ends TLS, with a certificate of its own for 127.0.0.1.
 * @param siteFolder the folder of a site; its files are beside it.
 * @param servers the directives of the `server` block, by port.
 */
export async function startTlsProxy(siteFolder: string, servers: Readonly<Record<number, string>>): Promise<TlsProxy> {
  const folder = join(dirname(siteFolder), 'tls')
  mkdirSync(folder)
  const { key, certificate } = makeCertificate(folder)
  const temporary = ['client_body', 'fastcgi', 'proxy', 'scgi', 'uwsgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  )
  const blocks = Object.entries(servers).map(
    ([port, directives]) => `server {
  listen 127.0.0.1:${port} ssl;
  ssl_certificate ${certificate};
  ssl_certificate_key ${key};
  ${directives}
}`,
  )
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 64; }
http {
access_log off;
${temporary.join('\n')}
${blocks.join('\n')}
}
`,
  )
  const proxyFetch: TlsProxy['fetch'] = (url, init) => fetchOver(url, readFileSync(certificate), init)
  const configuration = ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')]
  const nginx = await startWebServer(program, {
    folder,
    args: configuration,
    urls: Object.keys(servers).map((port) => `https://127.0.0.1:${port}`),
    fetch: proxyFetch,
  })
  return { fetch: proxyFetch, end: () => nginx.end() }
}

/** Makes a certificate for 127.0.0.1 with its key. @returns the paths of both. */
export function makeCertificate(folder: string): { readonly key: string; readonly certificate: string } {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const files = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', '-days', '2', ...files, ...names], { stdio: 'ignore' })
  return { key, certificate }
}

/** @param ca the certificate that is trusted. */
export async function fetchOver(
  url: string,
  ca: Buffer,
  { body, ...options }: Parameters<TlsProxy['fetch']>[1] = {},
): Promise<TlsResponse> {
  const request = secureRequest(url, { ca, ...options })
  request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const headers = new Headers()
  for (let at = 0; at < response.rawHeaders.length; at += 2)
    headers.append(response.rawHeaders[at] ?? '', response.rawHeaders[at + 1] ?? '')
  return { status: response.statusCode ?? 0, headers, text: String(Buffer.concat(chunks)) }
}
