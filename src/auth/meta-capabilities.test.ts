import assert from 'node:assert/strict'
import test from 'node:test'
import { RecordTypes } from '../content/record-types.js'
import { anonymous, type Caller } from '../http/caller.js'
import type { CapabilityLookup, PostFacts } from './capability-lookup.js'
import { defaultRoles } from './default-roles.js'
import { callerCan, requiredCapabilities, userCan } from './meta-capabilities.js'

function callerWith(role: string, id: number): Caller {
  const capabilities = [...(defaultRoles.get(role)?.capabilities.keys() ?? [])]
  return { ...anonymous, id, login: role, roles: [role], capabilities: new Set(['exist', ...capabilities]) }
}

const administrator = callerWith('administrator', 2)
const author = callerWith('author', 4)

const page: PostFacts = { ID: 50, post_type: 'page', post_status: 'pending', post_author: 9, post_parent: 0 }
const records: readonly PostFacts[] = [page, { ...page, ID: 51 }, { ...page, ID: 52, post_type: 'story' }]

/** The record 50 is the privacy policy page. */
const lookup: CapabilityLookup = {
  types: new RecordTypes({ story: { capability_type: 'user', map_meta_cap: true } }),
  post: async (id) => records.find(({ ID }) => ID === id) ?? null,
  statusBeforeTrash: async () => '',
  specialPages: async () => ({ frontPage: 0, postsPage: 0, privacyPage: 50 }),
  userExists: async (id) => id < 10,
}

const needs: readonly (readonly [capability: string, target: unknown, needed: readonly string[]])[] = [
  ['update_https', undefined, ['manage_options', 'update_core']],
  ['delete_site', undefined, ['do_not_allow']],
  // A record type with the stem `user` does not change the capabilities over users.
  ['edit_user', 4, []],
  ['edit_user', 2, ['edit_users']],
  ['delete_user', 52, ['delete_users']],
  ['read_user', 52, ['edit_others_users']],
  ['edit_post', 52, ['edit_others_users']],
  // Reading a page that is not published needs the capabilities for editing it.
  ['edit_post', 50, ['edit_others_pages', 'manage_options']],
  ['read_post', 50, ['edit_others_pages', 'manage_options']],
  ['read_post', 51, ['edit_others_pages']],
]
for (const [capability, target, needed] of needs)
  test(`${capability} ${String(target ?? '')} needs ${needed.join(' and ') || 'nothing'}`, async () => {
    assert.deepEqual(await requiredCapabilities(capability, author, target, lookup), needed)
  })

const keys: readonly (readonly [key: string, isWritable: boolean])[] = [
  ['price', true],
  ['_price', false],
  ['\u0000_price', false],
  ['é_price', true],
  ['😀_price', true],
  ['א_price', false],
]
for (const [key, isWritable] of keys)
  test(`the metadata key ${JSON.stringify(key)} is ${isWritable ? 'writable' : 'protected'}`, async () => {
    assert.equal(await userCan(administrator, 'edit_post_meta', 51, lookup, key), isWritable)
  })

test('a number as capability is a level', async () => {
  for (const level of ['0', '1', '2']) assert.ok(callerCan(author, level))
  assert.ok(await userCan(author, '2', undefined, lookup))
  for (const level of ['3', '02', '2.0', '-1', '']) assert.ok(!callerCan(author, level))
})
