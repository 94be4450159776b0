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

test('the five roles have as many capabilities as WordPress gives them', () => {
  const sizes = [...defaultRoles].map(([name, { capabilities }]) => [name, capabilities.size])
  assert.deepEqual(sizes, [
    ['administrator', 61],
    ['editor', 34],
    ['author', 10],
    ['contributor', 5],
    ['subscriber', 2],
  ])
})

test('roles survive being stored', () => {
  assert.deepEqual(rolesIn(storedRoles(defaultRoles)), defaultRoles)
})

test('an option that is no map of roles is told from one without any', () => {
  for (const stored of [null, '', 'nonsense', 'a:1:{s:6:"editor";', 'b:1;']) assert.equal(rolesIn(stored), null)
  assert.equal(rolesIn('a:0:{}')?.size, 0)
})

test('an entry without a name is no role', () => {
  for (const entry of ['s:1:"x";', 'a:1:{s:12:"capabilities";a:1:{s:4:"read";b:1;}}', 'a:1:{s:4:"name";N;}'])
    assert.deepEqual(rolesIn(`a:1:{s:6:"editor";${entry}}`), new Map())
  const numbered = 'a:1:{s:6:"editor";a:1:{s:4:"name";i:5;}}'
  assert.deepEqual(rolesIn(numbered)?.get('editor'), { label: 'editor', capabilities: new Map() })
})

test('capabilities under a key in another case are not those of the user', () => {
  const { roles, capabilities } = callerOf(
    userWith(serialize({ administrator: true }), 'WP_Capabilities'),
    defaultRoles,
    'wp_',
  )
  assert.deepEqual([roles, [...capabilities]], [[], ['exist']])
})

test('a caller carries what the row says, and his roles', () => {
  const { id, login, displayName, email, roles } = callerOf(userWith(serialize({ author: true })), defaultRoles, 'wp_')
  assert.deepEqual(
    { id, login, displayName, email, roles },
    { id: 8, login: 'mia', displayName: 'Mia', email: 'mia@shop.example', roles: ['author'] },
  )
})

test('who has no readable capabilities merely exists', () => {
  for (const value of [null, '', 'broken', 'a:1:{s:13:"administrator";b:1;', 'i:1;', 's:13:"administrator";'])
    assert.deepEqual([...callerOf(userWith(value), defaultRoles, 'wp_').capabilities], ['exist'])
  const other = userWith(serialize({ administrator: true }), 'other_capabilities')
  assert.deepEqual([...callerOf(other, defaultRoles, 'wp_').capabilities], ['exist'])
  assert.ok(callerOf(other, defaultRoles, 'other_').capabilities.has('manage_options'))
})

const disagreeing: Roles = new Map([
  ['clerk', { label: 'Clerk', capabilities: new Map([['edit_posts', true]]) }],
  ['trainee', { label: 'Trainee', capabilities: new Map([['edit_posts', false]]) }],
])
const grants: [given: Record<string, unknown>, capability: string, held: boolean][] = [
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
for (const [given, capability, held] of grants)
  test(`${JSON.stringify(given)} ${held ? 'gives' : 'does not give'} ${capability}`, () => {
    assert.equal(callerOf(userWith(serialize(given)), disagreeing, 'wp_').capabilities.has(capability), held)
  })
