import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AsRestRoute, type RestRequest } from '../../src/index.js'
import { until } from '../support/until.js'
import { ways } from '../support/three-ways.js'

const route = '/notes/(?P<id>\\d+)'
const namespace = 'notes/v1'
const id = { type: 'integer' as const, required: true as const }

let deferred: string[] = []
let signals = new Set<AbortSignal>()

/** The methods of a route have arguments of their own, so that a callback that runs for `Allow` validates them by itself. */
class Notes {
  @AsRestRoute({ namespace, route, permission: 'public', args: { id } })
  read(request: RestRequest) {
    signals.add(request.signal)
    return 'read'
  }

  @AsRestRoute({ namespace, route, method: 'PUT', permission: 'mayEdit', args: { id, title: { type: 'string' } } })
  edit() {
    return 'edited'
  }

  async mayEdit(request: RestRequest) {
    signals.add(request.signal)
    request.defer(() => void deferred.push(request.method))
    return !(await request.requiresPassword(Number(request.get_param('id'))))
  }
}

for (const way of ways)
  test(`${way.name}: a response to a visitor with a password is private, also when only the callback of another method, run for \`Allow\`, has asked for it`, async (context) => {
    const { site, send } = await way.open(context, [Notes], { environment: 'local' })
    const guarded = await site.service.records.insert({
      type: 'post',
      status: 'publish',
      title: 'Guarded',
      password: 'open sesame',
    })
    const open = await site.service.records.insert({ type: 'post', status: 'publish', title: 'Open' })
    const body = new URLSearchParams({ post_password: 'open sesame' })
    const entered = await fetch(`${site.url}/wp-login.php?action=postpass`, {
      method: 'POST',
      body,
      redirect: 'manual',
    })
    const Cookie = entered.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
    const allowed = async (method: string, path: string, headers: Record<string, string> = {}) => {
      const response = await send(`/${namespace}/notes/${path}`, { method, headers })
      const isPrivate = /no-store, private/.test(response.headers.get('cache-control') ?? '')
      return [response.status, response.headers.get('allow'), isPrivate ? 'private' : 'public']
    }
    assert.deepEqual(
      {
        guest: await allowed('GET', `${guarded.id}`, { Cookie }),
        nobody: await allowed('GET', `${guarded.id}`),
        refused: await allowed('PUT', `${guarded.id}?title[]=1`, { Cookie }),
        options: await allowed('OPTIONS', `${guarded.id}`, { Cookie }),
        open: await allowed('GET', `${open.id}`),
      },
      {
        guest: [200, 'GET, PUT', 'private'],
        nobody: [200, 'GET', 'private'],
        refused: [400, 'GET, PUT', 'private'],
        options: [200, 'GET, PUT', 'private'],
        open: [200, 'GET, PUT', 'public'],
      },
    )
  })

for (const way of ways)
  test(`${way.name}: what a callback defers runs, and its signal is that of the request`, async (context) => {
    const { site, send } = await way.open(context, [Notes], { environment: 'local' })
    const { id: note } = await site.service.records.insert({ type: 'post', status: 'publish', title: 'Open' })
    deferred = []
    signals = new Set()
    assert.equal((await send(`/${namespace}/notes/${note}`)).status, 200)
    await until(() => deferred.length > 0)
    assert.deepEqual(deferred, ['GET'])
    assert.equal(signals.size, 1)
  })
