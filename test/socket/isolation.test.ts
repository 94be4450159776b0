import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { currentUser, currentUserCan } from '../../src/auth/current-user.js'
import type { RestRequest } from '../../src/http/rest-request.js'
import { RestResponse } from '../../src/http/rest-response.js'
import { AsRestRoute } from '../../src/routing/as-rest-route.js'
import { startService, type StartedService } from '../support/start-service.js'

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
let anonymousCall: () => Promise<string> = async () => ''

class Who {
  @AsRestRoute({ namespace: 'who/v1', route: '/slow', permission: 'public' })
  async slow(request: RestRequest) {
    const seen = [currentUser().login]
    for (let step = 0; step < 3; step += 1) {
      await pause(Math.random() * 10)
      seen.push(currentUser().login)
    }
    await currentUserCan('edit_post', 1)
    seen.push(currentUser().login, request.user.login)
    return new RestResponse(seen)
  }

  /** Asks the service itself, as nobody, in the middle of somebody's request. */
  @AsRestRoute({ namespace: 'who/v1', route: '/nested', permission: 'public' })
  async nested() {
    const before = currentUser().login
    const inside = await anonymousCall()
    return new RestResponse([before, inside, currentUser().login])
  }

  @AsRestRoute({ namespace: 'who/v1', route: '/batched', method: 'POST', permission: 'may', allow_batch: true })
  async batched() {
    await pause(5)
    return new RestResponse(currentUser().login)
  }

  async may() {
    await pause(5)
    return currentUserCan('read')
  }
}

let site: StartedService
const logins = ['mia', 'ben', 'eve', 'kim', '']
const headers = new Map<string, Record<string, string>>([['', {}]])
before(async () => {
  site = await startService([Who])
  for (const login of logins.filter((name) => name !== '')) {
    const { id } = await site.service.users.create({ login, email: `${login}@shop.example`, password: 'right' })
    const { password } = await site.service.applicationPasswords.create(id, { name: 'test' })
    headers.set(login, { Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` })
  }
  anonymousCall = async () => {
    const response = await site.service.fetch(new Request(`${site.rest}who/v1/slow`))
    return ((await response.json()) as string[]).join('')
  }
})
after(() => site.close())

test('two hundred requests at once never see each other’s caller', async () => {
  await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const login = logins[index % logins.length] ?? ''
      const response = await fetch(`${site.rest}who/v1/slow`, { headers: headers.get(login) ?? {} })
      assert.deepEqual(await response.json(), [login, login, login, login, login, login])
    }),
  )
})

test('an anonymous request inside another one is anonymous, and the outer one goes on', async () => {
  const response = await fetch(`${site.rest}who/v1/nested`, { headers: headers.get('mia') ?? {} })
  assert.deepEqual(await response.json(), ['mia', '', 'mia'])
})

test('the requests of a batch have the caller of the batch', async () => {
  const requests = [{ path: '/who/v1/batched' }, { path: '/who/v1/batched' }]
  const send = async (login: string) => {
    const response = await fetch(`${site.rest}batch/v1`, {
      method: 'POST',
      headers: { ...headers.get(login), 'Content-Type': 'application/json' },
      body: JSON.stringify({ requests }),
    })
    const { responses } = (await response.json()) as { responses: { status: number; body: unknown }[] }
    return responses.map(({ status, body }) => (status === 200 ? body : status))
  }
  const responses = await Promise.all(logins.map(send))
  assert.deepEqual(responses, [
    ['mia', 'mia'],
    ['ben', 'ben'],
    ['eve', 'eve'],
    ['kim', 'kim'],
    [401, 401],
  ])
})

test('two services in one process share no state', async () => {
  const other = await startService([Who], { rest_prefix: 'api' })
  const response = await fetch(`${other.rest}who/v1/slow`, { headers: headers.get('mia') ?? {} })
  assert.equal(response.status, 200)
  assert.deepEqual(new Set((await response.json()) as string[]), new Set(['']))
  assert.equal((await fetch(`${other.url}/wp-json/who/v1/slow`)).status, 404)
  assert.equal((await other.service.users.list()).length, 0)
  await other.close()
  assert.equal((await fetch(`${site.rest}who/v1/slow`)).status, 200)
})
