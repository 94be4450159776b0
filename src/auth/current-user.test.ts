import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import test from 'node:test'
import { anonymous, type Caller } from '../http/caller.js'
import { currentUser, currentUserCan, runAs, runAsAnonymous } from './current-user.js'

const editor: Caller = {
  ...anonymous,
  id: 2,
  login: 'editor',
  roles: ['editor'],
  capabilities: new Set(['exist', 'read', 'edit_posts', 'edit_post', 'manage_categories', 'promote_users']),
}

const checks: unknown[] = []
const context = {
  caller: editor,
  can: async (capability: string, target: number | string, metaKey?: string) => {
    checks.push([capability, target, ...(metaKey === undefined ? [] : [metaKey])])
    return true
  },
}

test('outside a request the caller is anonymous', async () => {
  assert.equal(currentUser(), anonymous)
  assert.equal(currentUserCan('exist'), true)
  assert.equal(currentUserCan('read'), false)
  assert.equal(await currentUserCan('read_post', 5), false)
  assert.equal(await currentUserCan('edit_user', 0), false)
  assert.equal(await currentUserCan('exist', 5), true)
})

test('the caller is the current user in all asynchronous work of the request', async () => {
  await runAs(context, async () => {
    await delay(1)
    assert.equal(currentUser(), editor)
    assert.equal(currentUserCan('edit_posts'), true)
    assert.equal(currentUserCan('manage_options'), false)
  })
  assert.equal(currentUser(), anonymous)
})

test('a check without an id is synchronous, and denies capabilities over one record', () => {
  runAs(context, () => {
    assert.equal(currentUserCan('add_users'), true, 'add_users means promote_users')
    assert.equal(currentUserCan('edit_categories'), true)
    for (const capability of ['edit_post', 'delete_page', 'publish_post', 'edit_post_meta', 'do_not_allow'])
      assert.equal(currentUserCan(capability), false, capability)
  })
})

test('a check with an id is passed on to the context', async () => {
  await runAs(context, async () => {
    assert.equal(await currentUserCan('edit_post', '5'), true)
    assert.equal(await currentUserCan('edit_post_meta', 5, '_wp_trash_meta_status'), true)
  })
  assert.deepEqual(checks, [
    ['edit_post', '5'],
    ['edit_post_meta', 5, '_wp_trash_meta_status'],
  ])
})

test('the current user is anonymous inside runAsAnonymous, and the caller again after it', async () => {
  await runAs(context, async () => {
    await runAsAnonymous(async () => {
      await delay(1)
      assert.equal(currentUser(), anonymous)
      assert.equal(await currentUserCan('edit_post', 5), false)
    })
    assert.equal(currentUser(), editor)
  })
  assert.equal(runAsAnonymous(currentUser), anonymous)
})
