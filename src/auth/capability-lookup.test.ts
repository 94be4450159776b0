import assert from 'node:assert/strict'
import test from 'node:test'
import { aPost } from '../../test/contracts/storage/rows.js'
import { RecordTypes } from '../content/record-types.js'
import type { PostRow } from '../database/storage.js'
import { anonymous, type Caller } from '../http/caller.js'
import { storedLookup } from './capability-lookup.js'
import { currentUserCan, runAs } from './current-user.js'
import { defaultRoles } from './default-roles.js'
import { userCan } from './meta-capabilities.js'
import { StoredRoles } from './roles.js'
import { openTestStorage } from '../../test/support/test-database.js'

function callerWith(role: string, id: number): Caller {
  const capabilities = [...(defaultRoles.get(role)?.capabilities.keys() ?? [])]
  return { ...anonymous, id, login: role, roles: [role], capabilities: new Set(['exist', ...capabilities]) }
}

const author = callerWith('author', 4)
const editor = callerWith('editor', 3)

const record = (fields: Partial<PostRow>) => aPost({ ID: 1, post_author: author.id, ...fields })

const checks: [caller: Caller, capability: string, id: number | string, allowed: boolean][] = [
  [author, 'edit_post', 1, true],
  [author, 'edit_post', '1', true],
  [author, 'edit_post', 2, false],
  [editor, 'edit_post', 2, true],
  [author, 'delete_post', 3, true],
  [editor, 'edit_post', 9999, false],
  [editor, 'delete_post', 4, false],
  [editor, 'edit_post', 4, true],
  [editor, 'edit_post', 5, false],
  [author, 'read_post', 6, true],
  [editor, 'read_post', 6, true],
  [author, 'read_post', 7, false],
  [author, 'edit_user', 4, true],
  [author, 'edit_user', 3, false],
  [author, 'edit_post_meta', 1, true],
  [author, 'publish_posts', 1, true],
]

test('capability checks read records, metadata and options from the database', async () => {
  const storage = await openTestStorage()
  await storage.posts.insert(record({ ID: 1 }))
  await storage.posts.insert(record({ ID: 2, post_author: editor.id + 90 }))
  await storage.posts.insert(record({ ID: 3, post_status: 'trash' }))
  await storage.posts.meta.add(3, '_wp_trash_meta_status', 'publish')
  await storage.posts.insert(record({ ID: 4, post_type: 'page' }))
  await storage.posts.insert(record({ ID: 5, post_type: 'page' }))
  await storage.posts.insert(record({ ID: 6, post_status: 'private' }))
  await storage.posts.insert(record({ ID: 7, post_status: 'private', post_author: editor.id }))
  await storage.options.write('page_on_front', '4')
  await storage.options.write('wp_page_for_privacy_policy', '5')
  const lookup = storedLookup(storage, new RecordTypes({ product: {} }))
  for (const [caller, capability, id, allowed] of checks) {
    const can = (name: string, target: number | string) => userCan(caller, name, target, lookup)
    const isAllowed = await runAs({ caller, can }, () => currentUserCan(capability, id))
    assert.equal(isAllowed, allowed, `${caller.login} ${capability} ${id}`)
  }
  await storage.close()
})

test('a new database gets the five default roles, and stored roles stay as they are', async () => {
  const storage = await openTestStorage()
  assert.deepEqual(await (await new StoredRoles(storage, 'wp_').ensure()).current(), defaultRoles)
  const clerk = 'a:1:{s:5:"clerk";a:2:{s:4:"name";s:5:"Clerk";s:12:"capabilities";a:1:{s:4:"read";b:1;}}}'
  await storage.options.write('wp_user_roles', clerk)
  assert.deepEqual(
    await (await new StoredRoles(storage, 'wp_').ensure()).current(),
    new Map([['clerk', { label: 'Clerk', capabilities: new Map([['read', true]]) }]]),
  )
  assert.equal(await storage.options.read('wp_user_roles'), clerk)
  await storage.close()
})
