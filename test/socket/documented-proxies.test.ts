import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { currentUser, endpoint } from 'as-rest-route'
import { freePorts } from '../support/servers/free-ports.js'
import { startService } from '../support/start-service.js'
import { skipWithoutCaddy, startCaddyfile } from '../support/wordpress/caddy.js'
import { skipWithoutNginx, startTlsProxy } from '../support/wordpress/tls-proxy.js'

const me = endpoint({ namespace: 'own/v1', route: '/me', permission: 'public' }, () => ({ login: currentUser().login }))

const page = readFileSync(new URL('../../docs/deploying.md', import.meta.url), 'utf8')

/** The configuration of the page in this language, with another upstream. */
function documented(language: string, servicePort: number): string {
  const [, text = ''] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page) ?? []
  assert.ok(text.includes('127.0.0.1:8080'), language)
  return text.replace('127.0.0.1:8080', `127.0.0.1:${servicePort}`)
}

/** Starts a proxy with the documented configuration, for `https://127.0.0.1:<the first port>`. */
type Start = (folder: string, servicePort: number, ports: readonly number[]) => Promise<{ end(): Promise<void> }>

const startNginx: Start = (folder, servicePort, [port = 0]) => {
  // Port and certificate are those of the test.
  const [, block = ''] = /^server \{\n([^]*)^\}/m.exec(documented('nginx', servicePort)) ?? []
  const directives = block.replaceAll(/^ +(?:listen|ssl_certificate|ssl_certificate_key) .*\n/gm, '')
  assert.match(directives, /server_name[^]*client_max_body_size[^]*location/)
  return startTlsProxy(join(folder, 'site'), { [port]: directives })
}

const startCaddy: Start = async (folder, servicePort, [port, readyPort]) => {
  const site = `https://127.0.0.1:${port}`
  const text = documented('caddyfile', servicePort).replace('api.example.com {', `${site} {\n    tls internal`)
  assert.ok(text.includes(site))
  const ready = `http://127.0.0.1:${readyPort}`
  const options = `admin off\n  auto_https disable_redirects\n  skip_install_trust\n  storage file_system ${folder}`
  writeFileSync(join(folder, 'Caddyfile'), `{\n  ${options}\n}\n${text}\n${ready} {\n  respond 200\n}\n`)
  return startCaddyfile(folder, [ready])
}

/** Sends a request from 127.0.0.2, and accepts the certificate that a proxy has made for itself. */
const ask = (url: string, headers: Record<string, string>) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    get(url, { headers, rejectUnauthorized: false, localAddress: '127.0.0.2' }, async (response) => {
      const chunks = await response.toArray()
      resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() })
    }).on('error', reject)
  })

const proxies = [
  ['nginx', skipWithoutNginx(), startNginx],
  ['Caddy', skipWithoutCaddy(), startCaddy],
] as const

for (const [name, skip, start] of proxies)
  it(`the configuration for ${name} in docs/deploying.md passes on scheme and address`, { skip }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'as-rest-route-proxy-'))
    // The proxy runs as another user.
    chmodSync(folder, 0o755)
    const service = await startService([me], { trusted_proxies: ['127.0.0.1'], environment: 'production' })
    const ports = await freePorts(2)
    let proxy: Awaited<ReturnType<Start>> | null = null
    try {
      proxy = await start(folder, service.port, ports)
      const { id } = await service.service.users.create({
        login: 'ed',
        email: 'ed@shop.example',
        password: 'password of ed',
        role: 'editor',
      })
      const { password, item } = await service.service.applicationPasswords.create(id, { name: 'program' })
      const authorization = `Basic ${btoa(`ed:${password}`)}`
      const response = await ask(`https://127.0.0.1:${ports[0]}/wp-json/own/v1/me`, {
        authorization,
        'x-forwarded-for': '192.0.2.9',
      })
      // Without the scheme an application password is refused.
      assert.equal(response.status, 200, response.text)
      assert.deepEqual(JSON.parse(response.text), { login: 'ed' })
      // The address of the client, and not the one that the client has sent.
      const used = (await service.service.applicationPasswords.list(id)).find(({ uuid }) => uuid === item.uuid)
      assert.equal(used?.last_ip, '127.0.0.2')
    } finally {
      await proxy?.end()
      await service.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
