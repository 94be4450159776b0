import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { signedIn } from '../endpoints/open-service.js'
import { EchoApi } from '../support/echo-api.js'
import { exchange } from '../support/raw-socket.js'
import { startService } from '../support/start-service.js'

const options = { direct: {}, node: { http: 'node' } } as const

for (const [reader, http] of Object.entries(options))
  describe(`headers with credentials, read by ${reader}`, async () => {
    const site = await startService([EchoApi], { environment: 'local', ...http })
    after(() => site.close())
    const user = { login: 'ed', email: 'ed@shop.example', password: 'secret', role: 'editor' }
    const { id } = await site.service.users.create(user)
    const { password } = await site.service.applicationPasswords.create(id, { name: 'test' })
    const cookie = await signedIn(site.url, 'ed')
    const nonceUrl = `${site.url}/wp-admin/admin-ajax.php?action=rest-nonce`
    const nonce = await (await fetch(nonceUrl, { headers: { Cookie: cookie } })).text()

    const me = async (...lines: string[]) => {
      const head = ['GET /wp-json/wp/v2/users/me HTTP/1.1', `Host: 127.0.0.1:${site.port}`, ...lines]
      const { status, text } = await exchange(site.port, `${head.join('\r\n')}\r\n\r\n`)
      const { code = null } = JSON.parse(text) as { code?: string }
      return [status, code]
    }

    const nonces: [values: string[], status: number, code: string | null][] = [
      [['bad', nonce], 200, null],
      [['', nonce], 200, null],
      [[nonce, nonce], 200, null],
      [[nonce, 'bad'], 403, 'rest_cookie_invalid_nonce'],
      [[nonce, ''], 403, 'rest_cookie_invalid_nonce'],
      [[`bad, ${nonce}`], 403, 'rest_cookie_invalid_nonce'],
    ]
    test('of several X-WP-Nonce headers the last counts', async () => {
      for (const [values, ...outcome] of nonces) {
        const lines = values.map((value, index) => `${index === 0 ? 'X-WP-Nonce' : 'x-wp-nonce'}: ${value}`)
        assert.deepEqual(await me(`Cookie: ${cookie}`, ...lines), outcome, values.join(' | '))
      }
    })

    const basic: [credentials: string, status: number, code: string | null][] = [
      [`ed:${password}`, 200, null],
      [`ed:${password}\0x`, 200, null],
      [`ed:\0${password}`, 401, 'rest_not_logged_in'],
      [`e\0d:${password}`, 401, 'invalid_username'],
      [`ed\0:${password}`, 401, 'invalid_username'],
      [`\0:${password}`, 401, 'invalid_username'],
      [`ed\0${password}`, 401, 'rest_not_logged_in'],
    ]
    test('a NUL ends the password of Basic credentials, and makes a name that of no user', async () => {
      for (const [credentials, ...outcome] of basic)
        assert.deepEqual(await me(`Authorization: Basic ${btoa(credentials)}`), outcome, JSON.stringify(credentials))
    })
  })
