import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { AsRestRoute, currentUser, RestResponse, type RestRequest } from '../../src/index.js'
import { startService } from '../support/start-service.js'

class SenderApi {
  @AsRestRoute({ namespace: 'test/v1', route: '/sender', permission: 'public' })
  show(request: RestRequest) {
    return new RestResponse({ login: currentUser().login, address: request.address })
  }
}

const direct = await startService([SenderApi])
const proxied = await startService([SenderApi], { trusted_proxies: ['127.0.0.1'] })
after(() => Promise.all([direct.close(), proxied.close()]))

const { id } = await direct.service.users.create({ login: 'mia', email: 'mia@shop.example', password: 'right' })
const { password } = await direct.service.applicationPasswords.create(id, { name: 'test' })
const Authorization = `Basic ${Buffer.from(`mia:${password}`).toString('base64')}`

const sender = (headers: Record<string, string>) =>
  new Request('http://shop.example/wp-json/test/v1/sender', { headers })

test('a request without an address counts as a request of this machine', async () => {
  const response = await direct.service.fetch(sender({ Authorization }))
  assert.deepEqual(await response.json(), { login: 'mia', address: '127.0.0.1' })
})

const refused: [what: string, headers: Record<string, string>, address?: string][] = [
  ['the address of somebody else', {}, '192.0.2.1'],
  ['no address and a header that tells of a proxy', { 'X-Forwarded-For': '192.0.2.1' }],
]
for (const [what, headers, address] of refused)
  test(`with ${what}, an application password is not taken over plain HTTP`, async () => {
    const request = sender({ ...headers, Authorization })
    const response = await (address === undefined
      ? direct.service.fetch(request)
      : direct.service.fetch(request, { address }))
    assert.equal(response.status, 401)
    assert.equal(((await response.json()) as { code: string }).code, 'application_passwords_disabled')
  })

test('where this machine is a trusted proxy, a request without an address may say who it is from', async () => {
  const request = sender({ 'X-Forwarded-For': '203.0.113.9' })
  assert.equal(((await (await proxied.service.fetch(request)).json()) as { address: string }).address, '203.0.113.9')
})
