import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AsRestRoute, currentUser, inject, RestResponse, Users, type RestRequest } from '../../src/index.js'
import { startService, type StartedService } from '../support/start-service.js'

type SignUp = { login: string; email: string; password: string }

class MembersApi {
  constructor(private readonly users = inject(Users)) {}

  @AsRestRoute({
    namespace: 'club/v1',
    route: '/members',
    method: 'POST',
    permission: 'public',
    args: {
      login: { type: 'string', required: true },
      email: { type: 'string', format: 'email', required: true },
      password: { type: 'string', minLength: 8, required: true },
    },
  })
  async join(request: RestRequest<SignUp>) {
    const { login, email, password } = request.get_params()
    const { id } = await this.users.create({ login, email, password, role: 'member' })
    return new RestResponse({ id }, 201)
  }

  @AsRestRoute({ namespace: 'club/v1', route: '/members', permission: 'isMember' })
  async list() {
    const members = await this.users.list({ role: 'member' })
    return new RestResponse(members.map(({ login }) => login))
  }

  isMember() {
    return currentUser().roles.includes('member')
  }
}

describe('a handler that takes Users', () => {
  let site: StartedService
  before(async () => {
    site = await startService([MembersApi], { roles: { member: { capabilities: ['read'] } } })
  })
  after(() => site.close())

  const joins = (login: string) =>
    fetch(`${site.rest}club/v1/members`, {
      method: 'POST',
      body: new URLSearchParams({ login, email: `${login}@club.example`, password: 'correct horse' }),
    })

  it('creates users with a declared role, and gives the reason of a refusal', async () => {
    const response = await joins('ann')
    assert.equal(response.status, 201)
    const { id } = (await response.json()) as { id: number }
    const again = await joins('ann')
    assert.equal(again.status, 400)
    assert.deepEqual(await again.json(), {
      code: 'existing_user_login',
      message: 'Sorry, that username already exists!',
      data: { status: 400 },
    })
    assert.deepEqual(site.log, [])

    const { password } = await site.service.applicationPasswords.create(id, { name: 'test' })
    const headers = { Authorization: `Basic ${btoa(`ann:${password}`)}` }
    const listed = await fetch(`${site.rest}club/v1/members`, { headers })
    assert.deepEqual([listed.status, await listed.json()], [200, ['ann']])
    assert.equal((await fetch(`${site.rest}club/v1/members`)).status, 401)
  })
})
