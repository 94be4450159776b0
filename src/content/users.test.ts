import assert from 'node:assert/strict'
import test, { mock } from 'node:test'
import { aUser } from '../../test/contracts/storage/rows.js'
import { serialize } from '../php/serialize.js'
import type { Storage } from '../database/storage.js'
import type { NewUser } from './user.js'
import { UserRejectedError } from './user-rejected-error.js'
import type { Users } from './users.js'
import { openShop, mia } from '../../test/support/shop-users.js'

test('create stores a user in the form of WordPress', async () => {
  const { users, storage } = await openShop()
  const { id, capabilities, ...user } = await users.create(mia)
  assert.deepEqual(user, {
    login: 'mia',
    displayName: 'Mia M.',
    email: 'mia@shop.example',
    roles: ['editor'],
    nicename: 'mia',
    registered: '2026-01-15 12:00:00',
  })
  assert.equal(capabilities.has('edit_others_posts'), true)
  const row = await storage.users.findWithMeta({ id })
  assert.equal(row?.user.user_pass, 'hash of secret')
  const meta = Object.fromEntries(row.meta.map(({ key, value }) => [key, value]))
  assert.equal(meta['wp_capabilities'], 'a:1:{s:6:"editor";b:1;}')
  assert.equal(meta['wp_user_level'], '7')
  assert.equal(meta['nickname'], 'mia')
  await storage.close()
})

test('a new user is a subscriber by default and has the login as display name; the role null is no role', async () => {
  const { users, storage } = await openShop()
  const user = await users.create({ login: 'ben', email: 'ben@shop.example', password: 'x', id: 70 })
  assert.deepEqual([user.id, user.displayName, user.roles], [70, 'ben', ['subscriber']])
  const guest = await users.create({ login: 'guest', email: 'guest@shop.example', password: 'x', role: null })
  assert.deepEqual([...guest.capabilities], ['exist'])
  assert.deepEqual(await storage.users.meta.read(guest.id, 'wp_capabilities'), ['a:0:{}'])
  await storage.close()
})

const refusals: [change: Partial<NewUser>, code: string, message: RegExp][] = [
  [{ login: '' }, 'empty_user_login', /empty login name/],
  [{ login: '  ' }, 'empty_user_login', /empty login name/],
  [{ login: 'mïa' }, 'invalid_username', /illegal characters/],
  [{ login: '<b>mia</b>' }, 'invalid_username', /illegal characters/],
  [{ login: 'mia;' }, 'invalid_username', /illegal characters/],
  [{ login: ' mia2' }, 'invalid_username', /illegal characters/],
  [{ login: 'm'.repeat(61) }, 'user_login_too_long', /longer than 60/],
  [{ login: 'm'.repeat(1_000_000) }, 'user_login_too_long', /longer than 60/],
  [{ login: 'mia' }, 'existing_user_login', /username already exists/],
  [{ login: 'MIA' }, 'existing_user_login', /username already exists/],
  [{ email: '' }, 'invalid_email', /not correct/],
  [{ email: 'mia' }, 'invalid_email', /not correct/],
  [{ email: `${'m'.repeat(100)}@shop.example` }, 'user_email_too_long', /longer than 100/],
  [{ email: 'Mia@Shop.example' }, 'existing_user_email', /already used/],
  [{ password: '' }, 'empty_password', /enter a password/],
  [{ password: ' \n' }, 'empty_password', /enter a password/],
  [{ password: 'ü'.repeat(2049) }, 'password_too_long', /4096 bytes/],
  [{ role: 'boss' }, 'invalid_role', /Role doesn't exist: boss/],
  [{ role: '__proto__' }, 'invalid_role', /__proto__/],
  [{ displayName: 'M'.repeat(251) }, 'display_name_too_long', /250/],
  [{ id: 1 }, 'existing_user_id', /ID 1!/],
]

test('create refuses what WordPress refuses, with its codes and messages', async () => {
  const { users, storage } = await openShop()
  await users.create({ ...mia, id: 1 })
  const other: NewUser = { login: 'new', email: 'new@shop.example', password: 'secret' }
  for (const [change, code, message] of refusals)
    await assert.rejects(users.create({ ...other, ...change }), (error) => {
      assert.ok(error instanceof UserRejectedError, `${JSON.stringify(change).slice(0, 60)}: ${String(error)}`)
      assert.equal(error.code, code)
      assert.match(error.message, message)
      return true
    })
  assert.equal(await users.count(), 1)
  await storage.close()
})

test('of three concurrent creates with the same login, one succeeds', async () => {
  const { users, storage } = await openShop()
  const attempts = [1, 2, 3].map((number) => users.create({ ...mia, email: `mia${number}@shop.example` }))
  const outcomes = await Promise.allSettled(attempts)
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected'])
  assert.equal(await users.count(), 1)
  await storage.close()
})

test('users whose logins give the same slug get different nicenames', async () => {
  const { users, storage } = await openShop()
  const nicenames: string[] = []
  for (const [index, login] of [
    'a b',
    'a.b',
    'a-b',
    'a-b-2',
    '@',
    `${'x'.repeat(55)}1`,
    `${'x'.repeat(55)}2`,
  ].entries())
    nicenames.push((await users.create({ login, email: `user${index}@shop.example`, password: 'x' })).nicename)
  assert.equal(new Set(nicenames).size, nicenames.length)
  assert.deepEqual(nicenames.slice(0, 3), ['a-b', 'a-b-2', 'a-b-3'])
  assert.ok(nicenames.every((nicename) => nicename !== '' && nicename.length <= 50))
  await storage.close()
})

test('a nicename that is in use is detected among 202 users whose nicenames begin with it', async () => {
  const { users, storage } = await openShop()
  for (let number = 1; number <= 201; number += 1)
    await storage.users.insert(aUser({ user_login: `mia${number}`, user_nicename: `mia-${number}` }))
  await storage.users.insert(aUser({ user_login: 'last', user_nicename: 'mia' }))
  assert.equal((await users.create(mia)).nicename, 'mia-202')
  await storage.close()
})

test('a login that is part of every email address does not list the users', async () => {
  const { users, storage } = await openShop()
  await storage.transaction(async (inside) => {
    for (let number = 1; number <= 500; number += 1)
      await inside.users.insert(aUser({ user_login: `user${number}`, user_email: `user${number}@shop.example` }))
  })
  const lists = mock.method(Object.getPrototypeOf(storage.users) as Storage['users'], 'list')
  assert.equal((await users.create({ ...mia, login: 'example' })).nicename, 'example')
  assert.equal(lists.mock.callCount(), 0)
  lists.mock.restore()
  await storage.close()
})

test('find accepts an id, a login or an email address, and ignores case', async () => {
  const { users, storage } = await openShop()
  const { id } = await users.create(mia)
  for (const key of [id, String(id), 'mia', 'MIA', 'mia@shop.example', 'Mia@Shop.Example'])
    assert.equal((await users.find(key))?.id, id, String(key))
  for (const key of [0, -1, id + 1, '', 'mi', 'mia@', '99999999999999999999', "mia' OR 1=1"])
    assert.equal(await users.find(key), null, String(key))
  await storage.close()
})

test('a string of digits is the id of a user, or a login when no user has that id', async () => {
  const { users, storage } = await openShop()
  const idOf: Record<string, number> = {}
  for (const login of ['mia', '2026', '0001', '1'])
    idOf[login] = (await users.create({ login, email: `u${login}@shop.example`, password: 'x' })).id
  for (const [key, login] of [
    ['1', 'mia'],
    ['2026', '2026'],
    ['0001', '0001'],
    ['00001', null],
    ['2', '2026'],
  ] as const)
    assert.equal((await users.find(key))?.login ?? null, login, key)
  assert.equal(await users.find(2026), null, 'a number is an id and nothing else')
  assert.equal((await users.find(idOf['1'] ?? 0))?.login, '1')
  await storage.close()
})

test('list sorts by id, filters by role and search, and returns pages', async () => {
  const { users, storage } = await openShop()
  for (let number = 1; number <= 7; number += 1)
    await users.create({
      login: `user${number}`,
      email: `user${number}@shop.example`,
      password: 'x',
      role: number % 2 === 0 ? 'editor' : 'author',
    })
  const logins = async (query: Parameters<Users['list']>[0]) => (await users.list(query)).map(({ login }) => login)
  assert.deepEqual(await logins({ per_page: 3, page: 3 }), ['user7'])
  assert.deepEqual(await logins({ role: 'editor' }), ['user2', 'user4', 'user6'])
  assert.deepEqual(await logins({ role: 'editor', per_page: 2, page: 2 }), ['user6'])
  assert.deepEqual(await logins({ role: 'author', search: 'user3' }), ['user3'])
  assert.deepEqual(await logins({ role: 'boss' }), [])
  assert.equal(await users.count({ role: 'author' }), 4)
  assert.equal(await users.count({ role: 'author', search: 'user3' }), 1)
  assert.deepEqual(
    [await users.count(), await users.count({ role: 'boss' }), await users.count({ search: '%' })],
    [7, 0, 0],
  )
  await storage.close()
})

test('an invalid page number is page 1, and an invalid page size is the default', async () => {
  const { users, storage } = await openShop()
  for (const login of ['ada', 'ben', 'cem'])
    await users.create({ login, email: `${login}@shop.example`, password: 'x', role: 'author' })
  const logins = async (query: Parameters<Users['list']>[0]) => (await users.list(query)).map(({ login }) => login)
  for (const filter of [{}, { role: 'author' }]) {
    for (const size of [0, -1, 0.5, Number.NaN, 5000])
      assert.deepEqual(await logins({ ...filter, per_page: size }), ['ada', 'ben', 'cem'])
    assert.deepEqual(await logins({ ...filter, per_page: 2.5 }), ['ada', 'ben'])
    assert.deepEqual(await logins({ ...filter, per_page: 2, page: 2.5 }), ['cem'])
    for (const page of [0, -3, Number.NaN]) assert.deepEqual(await logins({ ...filter, per_page: 1, page }), ['ada'])
  }
  await storage.close()
})

test('a page has at most a thousand users', async () => {
  const { users, storage } = await openShop()
  await storage.transaction(async (inside) => {
    for (let number = 1; number <= 1002; number += 1)
      await inside.users.insert({
        ...aUser({ user_login: `user${number}`, user_email: `user${number}@shop.example` }),
      })
  })
  assert.equal((await users.list({ per_page: 5000 })).length, 1000)
  assert.deepEqual((await users.list({ per_page: 5000, page: 2 })).length, 2)
  assert.equal(await users.count(), 1002)
  await storage.close()
})

test('a role with a number as name is found, and a role whose name is part of another role is not', async () => {
  const { users, storage } = await openShop()
  const { id } = await users.create({ ...mia, role: null })
  await storage.options.write(
    'wp_user_roles',
    serialize({ 7: { name: 'Seven', capabilities: {} }, edit: { name: 'E', capabilities: {} } }),
  )
  await storage.users.meta.write(id, 'wp_capabilities', 'a:2:{i:7;b:1;s:6:"editor";b:1;}')
  assert.deepEqual(
    (await users.list({ role: '7' })).map((user) => [user.login, user.roles]),
    [['mia', ['7']]],
  )
  assert.deepEqual([await users.count({ role: '7' }), await users.count({ role: 'edit' })], [1, 0])
  await storage.close()
})

test('a new user with the id of a deleted user does not get the metadata of that user', async () => {
  const { users, storage } = await openShop()
  await storage.users.meta.add(70, '_application_passwords', 'of a deleted user')
  await storage.users.meta.add(70, 'wp_capabilities', serialize({ administrator: true }))
  const { roles } = await users.create({ ...mia, id: 70 })
  assert.deepEqual(roles, ['editor'])
  assert.deepEqual(await storage.users.meta.read(70, '_application_passwords'), [])
  await storage.close()
})

test('invalid ids and display names that are not valid text are refused', async () => {
  const { users, storage } = await openShop()
  for (const id of [-7, 0, 1.5, Number.NaN, 2 ** 52 + 1, 2 ** 53])
    await assert.rejects(users.create({ ...mia, id }), { name: 'UserRejectedError', code: 'invalid_user_id' })
  await assert.rejects(users.create({ ...mia, displayName: 'A\udcffB' }), { code: 'invalid_display_name' })
  const { id } = await users.create(mia)
  await assert.rejects(users.update(id, { displayName: 'A\udcffB' }), { code: 'invalid_display_name' })
  assert.equal((await users.find(id))?.displayName, 'Mia M.')
  await storage.close()
})

test('users created after the greatest assignable id get the next ids', async () => {
  const { users, storage } = await openShop()
  await users.create({ ...mia, id: 2 ** 52 })
  const newUsers = ['ann', 'bea'].map((login) => ({ login, email: `${login}@shop.example`, password: 'x' }))
  for (const user of newUsers) assert.equal((await users.create(user)).login, user.login)
  assert.deepEqual(
    (await users.list()).map(({ id }) => id),
    [2 ** 52, 2 ** 52 + 1, 2 ** 52 + 2],
  )
  await storage.close()
})

test('all users of a role are listed and counted among 410 users', async () => {
  const { users, storage } = await openShop()
  for (let number = 1; number <= 410; number += 1) {
    const id = await storage.users.insert(aUser({ user_login: `user${number}`, user_email: `${number}@shop.example` }))
    await storage.users.meta.add(id, 'wp_capabilities', `a:1:{s:6:"${number % 2 === 0 ? 'editor' : 'author'}";b:1;}`)
  }
  assert.equal(await users.count(), 410)
  assert.equal(await users.count({ role: 'editor' }), 205)
  const last = await users.list({ role: 'editor', per_page: 100, page: 3 })
  assert.deepEqual(
    last.map(({ login }) => login),
    ['user402', 'user404', 'user406', 'user408', 'user410'],
  )
  await storage.close()
})

test('a query for users with a value of a wrong type is refused', async () => {
  const { users, storage } = await openShop()
  const calls: [run: () => Promise<unknown>, message: RegExp][] = [
    [() => users.find(true as never), /must be a number or a string; it is a boolean/],
    [() => users.find(null as never), /must be a number or a string; it is null/],
    [() => users.list({ role: true as never }), /'role'.*must be a string; it is a boolean/],
    [() => users.list({ search: 5 as never }), /'search'.*must be a string; it is a number/],
    [() => users.count({ search: ['mia'] as never }), /'search'.*must be a string; it is a list/],
    [() => users.list({ page: '2' as never }), /'page'.*must be a number; it is a string/],
    [() => users.list({ per_page: true as never }), /'per_page'.*must be a number; it is a boolean/],
    [() => users.update('1' as never, {}), /id of a user must be a number; it is a string/],
    [() => users.delete(true as never), /id of a user must be a number; it is a boolean/],
  ]
  for (const [run, message] of calls) await assert.rejects(run, { name: 'TypeError', message })
  await storage.close()
})
