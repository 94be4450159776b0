import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AsRestRoute, HasherBusyError, RestResponse, type RestRequest } from '../../src/index.js'
import { startService, type StartedService } from '../support/start-service.js'

class Api {
  @AsRestRoute({ namespace: 'own/v1', route: '/page', permission: 'public' })
  page(request: RestRequest) {
    return new RestResponse([], 200, { link: '<https://shop.example/up>; rel="up"' }).paginate(request, 50)
  }

  @AsRestRoute({ namespace: 'own/v1', route: '/spellings', permission: 'public' })
  spellings() {
    return new RestResponse({}, 200, { 'X-One': 'first', 'x-one': 'second' })
      .header('X-Two', 'a')
      .header('x-two', 'b', false)
      .header('x-TWO', 'c', false)
  }

  @AsRestRoute({ namespace: 'own/v1', route: '/cookies', permission: 'public', cache: 60 })
  cookies() {
    return new RestResponse({ set: true }, 200, { 'Set-Cookie': 'gone=1' })
      .header('set-cookie', 'a=1; Path=/')
      .header('Set-Cookie', 'b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT', false)
      .header('Set-Cookie', 'c=3\r\nX-Injected: yes', false)
      .addLink('self', '/')
  }

  @AsRestRoute({
    namespace: 'own/v1',
    route: '/cookie/(?P<name>\\w+)',
    method: 'POST',
    permission: 'public',
    allow_batch: true,
  })
  cookie(request: RestRequest<{ name: string }>) {
    return new RestResponse({}).header('Set-Cookie', `${request.get_param('name')}=1`)
  }

  @AsRestRoute({ namespace: 'own/v1', route: '/busy', permission: 'public' })
  busy(): RestResponse {
    throw new HasherBusyError('Too many passwords wait to be checked.')
  }
}

let site: StartedService
before(async () => {
  site = await startService([Api])
})
after(() => site.close())

const ask = (path: string) => fetch(`${site.rest}own/v1/${path}`)

test('a link of its own stays beside those of its pages, however it was spelled', async () => {
  const { headers } = await ask('page')
  assert.match(headers.get('link') ?? '', /<https:\/\/shop\.example\/up>; rel="up", <[^>]*page=2>; rel="next"/)
})

test('a header is the same one in every spelling of its name', async () => {
  const { headers } = await ask('spellings')
  assert.deepEqual([headers.get('x-one'), headers.get('x-two')], ['second', 'a, b, c'])
})

test('each cookie has a header of its own, and a response with cookies is not kept', async () => {
  const cookies = ['a=1; Path=/', 'b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT', 'c=3 X-Injected: yes']
  for (const query of ['', '', '?_fields=set', '?_envelope']) {
    const { headers } = await ask(`cookies${query}`)
    assert.deepEqual(headers.getSetCookie(), cookies, query)
    assert.deepEqual([headers.get('etag'), headers.get('x-injected')], [null, null])
  }
})

test('cookies of the responses in a batch are sent with it', async () => {
  const response = await fetch(`${site.rest}batch/v1`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ requests: [{ path: '/own/v1/cookie/a' }, { path: '/own/v1/cookie/b' }] }),
  })
  assert.deepEqual([response.status, response.headers.getSetCookie()], [207, ['a=1', 'b=1']])
})

test('a busy password hasher is a 503 with Retry-After', async () => {
  const response = await ask('busy')
  assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '1'])
  assert.equal(((await response.json()) as { code: string }).code, 'service_unavailable')
})
