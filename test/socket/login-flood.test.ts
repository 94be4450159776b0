import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AsRestRoute, currentUser, inject, RestResponse, Users, type RestRequest } from '../../src/index.js'
import { startService, type StartedService } from '../support/start-service.js'

class Profile {
  constructor(private readonly users = inject(Users)) {}

  @AsRestRoute({ namespace: 'own/v1', route: '/password', method: 'POST', permission: 'isUser' })
  async change(request: RestRequest) {
    await this.users.update(currentUser().id, { password: String(request.get_param('password')) })
    return new RestResponse({ changed: true })
  }

  isUser() {
    return currentUser().id > 0
  }
}

let site: StartedService
let applicationPassword = ''
before(async () => {
  site = await startService([Profile], { trusted_proxies: ['127.0.0.1'] })
  for (const login of ['mia', 'ben', 'eve']) {
    const { id } = await site.service.users.create({ login, email: `${login}@shop.example`, password: 'right' })
    if (login === 'eve')
      applicationPassword = (await site.service.applicationPasswords.create(id, { name: 'test' })).password
  }
})
after(() => site.close())

const from = (address: string) => ({ 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' })

/** @returns the status of the response: 302 after a successful login. */
async function signIn(login: string, password: string, address: string): Promise<number> {
  const body = new URLSearchParams({ log: login, pwd: password })
  const response = await fetch(`${site.url}/wp-login.php`, {
    method: 'POST',
    body,
    headers: from(address),
    redirect: 'manual',
  })
  await response.text()
  return response.status
}

/** Logins that fill the queue of password hashes, which has 64 places for strangers. */
const flood = (length: number, addressOf: (index: number) => string) =>
  Array.from({ length }, (_, index) => signIn(`unknown${index}`, 'wrong', addressOf(index)))

test('a flood of logins from one address does not stop logins from other addresses', async () => {
  const flooding = flood(90, () => '192.0.2.1')
  const logins = Array.from({ length: 10 }, (_, index) =>
    signIn(index % 2 === 0 ? 'mia' : 'ben', 'right', `198.51.100.${index}`),
  )
  assert.deepEqual(await Promise.all(logins), Array(10).fill(302))
  for (const status of await Promise.all(flooding)) assert.ok(status === 200 || status === 503, `status ${status}`)
})

test('a flood from many addresses stops neither a user from a trusted network nor the change of a password', async () => {
  assert.equal(await signIn('mia', 'right', '203.0.113.5'), 302)
  const flooding = flood(200, (index) => `10.0.0.${index}`)
  const login = signIn('mia', 'right', '203.0.113.5')
  const change = fetch(`${site.rest}own/v1/password`, {
    method: 'POST',
    body: new URLSearchParams({ password: 'new' }),
    headers: {
      ...from('203.0.113.6'),
      Authorization: `Basic ${Buffer.from(`eve:${applicationPassword}`).toString('base64')}`,
    },
  })
  assert.equal(await login, 302)
  assert.deepEqual(await (await change).json(), { changed: true })
  assert.ok((await Promise.all(flooding)).includes(503))
})
