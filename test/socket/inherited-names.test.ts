import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AsRestRoute } from '../../src/routing/as-rest-route.js'
import type { RestRequest } from '../../src/http/rest-request.js'
import { RestResponse } from '../../src/http/rest-response.js'
import { startService, type StartedService } from '../support/start-service.js'

/** What every object inherits, as names of arguments and of groups of the path. */
class OddNames {
  @AsRestRoute({
    namespace: 'odd/v1',
    route: '/args',
    permission: 'public',
    args: { constructor: { type: 'integer', default: 7 }, toString: { type: 'string', required: true } },
  })
  args(request: RestRequest) {
    return new RestResponse({ constructor: request.get_param('constructor'), toString: request.get_param('toString') })
  }

  @AsRestRoute({ namespace: 'odd/v1', route: '/path/(?P<constructor>\\d+)/(?P<__proto__>\\w+)', permission: 'public' })
  path(request: RestRequest) {
    return new RestResponse([
      request.get_param('constructor'),
      request.get_param('__proto__'),
      request.has_param('valueOf'),
    ])
  }

  @AsRestRoute({ namespace: 'odd/v1', route: '/absent', permission: 'public' })
  absent(request: RestRequest) {
    return new RestResponse([
      request.get_param('__proto__'),
      request.get_param('constructor'),
      request.has_param('toString'),
      request.get_header('constructor'),
      Object.getPrototypeOf(request.get_params()) as unknown,
    ])
  }
}

let site: StartedService
before(async () => {
  site = await startService([OddNames])
})
after(() => site.close())

const responses: [target: string, status: number, body: string][] = [
  ['odd/v1/args?toString=x', 200, '{"constructor":7,"toString":"x"}'],
  ['odd/v1/args?toString=x&constructor=9', 200, '{"constructor":9,"toString":"x"}'],
  ['odd/v1/path/5/word', 200, '["5","word",false]'],
  ['odd/v1/absent', 200, '[null,null,false,null,null]'],
]

for (const [target, status, body] of responses)
  test(`GET ${target} answers ${body}`, async () => {
    const response = await fetch(`${site.rest}${target}`)
    assert.deepEqual([response.status, await response.text()], [status, body])
  })

test('a required argument is not there because objects inherit its name', async () => {
  const response = await fetch(`${site.rest}odd/v1/args`)
  const { code, data } = (await response.json()) as { code: string; data: { params: string[] } }
  assert.deepEqual([response.status, code, data.params], [400, 'rest_missing_callback_param', ['toString']])
})

test('an argument with an inherited name is validated', async () => {
  const response = await fetch(`${site.rest}odd/v1/args?toString=x&constructor=many`)
  const { data } = (await response.json()) as { data: { params: Record<string, string> } }
  assert.equal(response.status, 400)
  assert.deepEqual(Object.keys(data.params), ['constructor'])
})
