import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { currentUser, endpoint } from 'as-rest-route'
import { freePorts } from '../support/servers/free-ports.js'
import { startService } from '../support/start-service.js'
import { skipWithoutCaddy, startCaddyfile } from '../support/wordpress/caddy.js'

const me = endpoint({ namespace: 'own/v1', route: '/me', permission: 'public' }, () => ({ login: currentUser().login }))

const page = readFileSync(new URL('../../docs/deploying.md', import.meta.url), 'utf8')
const [, caddyfile = ''] = /```caddyfile\n([^]*?)```/.exec(page) ?? []

/** Asks with a certificate of the authority that Caddy has made for itself. */
const ask = (url: string, headers: Record<string, string>) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    get(url, { headers, rejectUnauthorized: false }, async (response) => {
      const chunks = await response.toArray()
      resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() })
    }).on('error', reject)
  })

it('the Caddyfile of docs/deploying.md hands scheme and address on', { skip: skipWithoutCaddy() }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'as-rest-route-caddy-'))
  const service = await startService([me], { trusted_proxies: ['127.0.0.1'], environment: 'production' })
  const [port = 0, readyPort = 0] = await freePorts(2)
  const site = `https://127.0.0.1:${port}`
  const text = caddyfile
    .replace('api.example.com {', `${site} {\n    tls internal`)
    .replace('127.0.0.1:8080', `127.0.0.1:${service.port}`)
  assert.ok(text.includes(site) && text.includes(String(service.port)))
  const ready = `http://127.0.0.1:${readyPort}`
  const options = `admin off\n  auto_https disable_redirects\n  skip_install_trust\n  storage file_system ${folder}`
  writeFileSync(join(folder, 'Caddyfile'), `{\n  ${options}\n}\n${text}\n${ready} {\n  respond 200\n}\n`)
  const caddy = await startCaddyfile(folder, [ready])
  try {
    const { id } = await service.service.users.create({
      login: 'ed',
      email: 'ed@shop.example',
      password: 'password of ed',
      role: 'editor',
    })
    const { password, item } = await service.service.applicationPasswords.create(id, { name: 'program' })
    const authorization = `Basic ${btoa(`ed:${password}`)}`
    const answer = await ask(`${site}/wp-json/own/v1/me`, { authorization, 'x-forwarded-for': '192.0.2.9' })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(JSON.parse(answer.text), { login: 'ed' })
    // The address of the client, and not the one that the client has sent.
    const used = (await service.service.applicationPasswords.list(id)).find(({ uuid }) => uuid === item.uuid)
    assert.equal(used?.last_ip, '127.0.0.1')
  } finally {
    await caddy.end()
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
