import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { AsRestRoute, currentUserCan, RestResponse, type RestRequest } from '../../src/index.js'
import { openService } from './open-service.js'

class KeysApi {
  @AsRestRoute({ namespace: 'test/v1', route: '/users/(?P<id>\\d+)/keys', permission: 'public' })
  async keys(request: RestRequest<{ id: string }>) {
    const id = request.get_param('id')
    return new RestResponse([
      await currentUserCan('edit_user_meta', id),
      await currentUserCan('edit_user_meta', id, 'nickname'),
      await currentUserCan('edit_user_meta', id, '_wp_trash_meta_status'),
    ])
  }
}

const site = await openService([KeysApi])
after(() => site.close())

test('a user who may edit another user may edit the metadata of that user, except those of the site', async () => {
  const mia = await site.join('mia', 'editor')
  assert.deepEqual((await site.call('GET', `/test/v1/users/${mia.id}/keys`, { as: mia.headers })).body, [
    true,
    true,
    false,
  ])
})
