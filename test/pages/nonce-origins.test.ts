import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AsRestRoute, currentUser, RestResponse } from '../../src/index.js'
import { startService } from '../support/start-service.js'

class Me {
  @AsRestRoute({ namespace: 'app/v1', route: '/me', method: 'POST', permission: 'public' })
  me() {
    return new RestResponse(currentUser().login)
  }
}

const friend = 'https://app.shop.example'

for (const [cors, origin, isLetIn] of [
  [[friend], friend, true],
  [[friend], 'https://app.shop.example.evil.example', false],
  [[friend, 'null'], 'null', false],
  ['any', friend, false],
] as const)
  test(`with cors ${JSON.stringify(cors)} a page of ${origin} may ${isLetIn ? 'fetch a nonce and use it' : 'not read the nonce'}`, async (context) => {
    const { url, rest, service, close } = await startService([Me], { cors })
    context.after(close)
    await service.users.create({ login: 'mia', email: 'mia@shop.example', password: 'a long password' })
    const login = await fetch(`${url}/wp-login.php`, {
      method: 'POST',
      body: new URLSearchParams({ log: 'mia', pwd: 'a long password' }),
      redirect: 'manual',
    })
    const Cookie = login.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const headers = { Cookie, Origin: origin }
    const response = await fetch(`${url}/wp-admin/admin-ajax.php?action=rest-nonce`, { headers })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('access-control-allow-origin'), isLetIn ? origin : null)
    assert.equal(response.headers.get('access-control-allow-credentials'), isLetIn ? 'true' : null)
    assert.equal(response.headers.get('vary'), cors === 'any' ? null : 'Origin')
    const nonce = await response.text()
    const me = await fetch(`${rest}app/v1/me`, { method: 'POST', headers: { ...headers, 'X-WP-Nonce': nonce } })
    assert.equal(await me.json(), 'mia')
  })
