import assert from 'node:assert/strict'
import test from 'node:test'
import { serialize } from '../php/serialize.js'
import type { UserWithMeta } from '../database/storage.js'
import { callerOf } from './capabilities.js'
import { defaultRoles } from './default-roles.js'
import type { Roles } from './role.js'
import { rolesIn, storedRoles } from './roles.js'

const userWith = (value: string | null, key = 'wp_capabilities'): UserWithMeta => ({
  user: {
    ID: 8,
    user_login: 'mia',
    user_pass: '',
    user_nicename: 'mia',
    user_email: 'mia@shop.example',
    user_url: '',
    user_registered: '2026-01-15 12:00:00',
    user_activation_key: '',
    user_status: 0,
    display_name: 'Mia',
  },
  meta: [{ key, value }],
})

test('each default role has as many capabilities as in WordPress', () => {
  const sizes = [...defaultRoles].map(([name, { capabilities }]) => [name, capabilities.size])
  assert.deepEqual(sizes, [
    ['administrator', 61],
    ['editor', 34],
    ['author', 10],
    ['contributor', 5],
    ['subscriber', 2],
  ])
})

test('stored roles are read unchanged', () => {
  assert.deepEqual(rolesIn(storedRoles(defaultRoles)), defaultRoles)
})

test('an option that holds no map of roles gives null, and an empty map gives no roles', () => {
  for (const text of [null, '', 'nonsense', 'a:1:{s:6:"editor";', 'b:1;']) assert.equal(rolesIn(text), null)
  assert.equal(rolesIn('a:0:{}')?.size, 0)
})

test('an entry without a name is not a role', () => {
  for (const entry of ['s:1:"x";', 'a:1:{s:12:"capabilities";a:1:{s:4:"read";b:1;}}', 'a:1:{s:4:"name";N;}'])
    assert.deepEqual(rolesIn(`a:1:{s:6:"editor";${entry}}`), new Map())
  const numbered = 'a:1:{s:6:"editor";a:1:{s:4:"name";i:5;}}'
  assert.deepEqual(rolesIn(numbered)?.get('editor'), { label: 'editor', capabilities: new Map() })
})

test('metadata with a key in another case gives no roles and capabilities', () => {
  const { roles, capabilities } = callerOf(
    userWith(serialize({ administrator: true }), 'WP_Capabilities'),
    defaultRoles,
    'wp_',
  )
  assert.deepEqual([roles, [...capabilities]], [[], ['exist']])
})

test('a caller has the names, the email address and the roles of the user', () => {
  const { id, login, displayName, email, roles } = callerOf(userWith(serialize({ author: true })), defaultRoles, 'wp_')
  assert.deepEqual(
    { id, login, displayName, email, roles },
    { id: 8, login: 'mia', displayName: 'Mia', email: 'mia@shop.example', roles: ['author'] },
  )
})

test('a user without readable capabilities has only the capability exist', () => {
  for (const value of [null, '', 'broken', 'a:1:{s:13:"administrator";b:1;', 'i:1;', 's:13:"administrator";'])
    assert.deepEqual([...callerOf(userWith(value), defaultRoles, 'wp_').capabilities], ['exist'])
  const other = userWith(serialize({ administrator: true }), 'other_capabilities')
  assert.deepEqual([...callerOf(other, defaultRoles, 'wp_').capabilities], ['exist'])
  assert.ok(callerOf(other, defaultRoles, 'other_').capabilities.has('manage_options'))
})

const conflictingRoles: Roles = new Map([
  ['clerk', { label: 'Clerk', capabilities: new Map([['edit_posts', true]]) }],
  ['trainee', { label: 'Trainee', capabilities: new Map([['edit_posts', false]]) }],
])
const cases: [grants: Record<string, unknown>, capability: string, isGranted: boolean][] = [
  [{ clerk: true, trainee: true }, 'edit_posts', false],
  [{ trainee: true, clerk: true }, 'edit_posts', true],
  [{ clerk: true, edit_posts: false }, 'edit_posts', false],
  [{ trainee: true, edit_posts: true }, 'edit_posts', true],
  [{ edit_posts: '1' }, 'edit_posts', true],
  [{ edit_posts: '0' }, 'edit_posts', false],
  [{ edit_posts: 0 }, 'edit_posts', false],
  [{ clerk: true }, 'clerk', true],
  [{ clerk: false }, 'clerk', false],
  [{ exist: false }, 'exist', true],
  [{ do_not_allow: true }, 'do_not_allow', false],
  [{ activate_plugins: true }, 'resume_plugins', true],
  [{ ['__proto__']: true }, 'constructor', false],
]
for (const [grants, capability, isGranted] of cases)
  test(`the metadata ${JSON.stringify(grants)} ${isGranted ? 'gives' : 'does not give'} ${capability}`, () => {
    assert.equal(callerOf(userWith(serialize(grants)), conflictingRoles, 'wp_').capabilities.has(capability), isGranted)
  })
