import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openSqlite } from '../database/sqlite/open-sqlite.js'
import { StoredRoles } from './roles.js'
import { serialize } from '../php/serialize.js'
import type { Storage, UserRow, UserRows } from '../database/storage.js'
import { Accounts, type Account } from './accounts.js'
import { ApplicationPasswordLogin } from './application-password-login.js'
import { ApplicationPasswords, applicationPasswordsKey } from './application-passwords.js'
import { Sessions, sessionsKey } from './sessions.js'
import { applicationPasswordLimits, RateLimiter } from './rate-limiter.js'

const folder = mkdtempSync(join(tmpdir(), 'accounts-'))
const url = `sqlite:${join(folder, 'users.db')}`

/** One of the processes that share the database. */
async function openProcess() {
  const storage = await openSqlite(url)
  const accounts = new Accounts(storage, await new StoredRoles(storage, 'wp_').ensure(), 'wp_')
  const passwords = new ApplicationPasswords(storage, Date.now)
  const noHasher = { hash: () => Promise.reject(new Error('unused')), verify: async () => false }
  const throttle = new RateLimiter(applicationPasswordLimits, Date.now)
  return {
    storage,
    accounts,
    passwords,
    sessions: new Sessions(storage, Date.now),
    login: new ApplicationPasswordLogin(accounts, passwords, noHasher, throttle),
  }
}

const here = await openProcess()
const there = await openProcess()
after(async () => {
  await Promise.all([here.storage.close(), there.storage.close()])
  rmSync(folder, { recursive: true })
})

const ada: Omit<UserRow, 'ID'> = {
  user_login: 'Ada',
  user_pass: 'hash',
  user_nicename: 'ada',
  user_email: 'ada@example.test',
  user_url: '',
  user_registered: '2026-01-01 00:00:00',
  user_activation_key: '',
  user_status: 0,
  display_name: 'Ada Lovelace',
}
const id = await here.storage.users.insert(ada)
await here.storage.users.meta.add(id, 'wp_capabilities', serialize({ author: true }))

async function account(): Promise<Account> {
  const found = await here.accounts.byLogin('ada')
  assert.ok(found)
  return found
}

/** The code with which a program is refused; null when it is let in. */
async function refusal(password: string): Promise<string | null> {
  const credentials = { username: 'ada', password }
  const login = await here.login.authenticate(credentials, { address: '192.0.2.1', unavailable: null })
  assert.ok(login)
  return 'problem' in login ? login.problem.code : null
}

test('an account is found by every spelling of its login, and by its address', async () => {
  for (const name of ['Ada', 'ada', ' ADA\n', '<b>ada</b>'])
    assert.equal((await here.accounts.byLogin(name))?.user.ID, id, name)
  for (const name of ['', ' ', 'ada lovelace', 'ada@example.test', 'a'.repeat(255)])
    assert.equal(await here.accounts.byLogin(name), null, name)
  assert.equal((await here.accounts.byEmail('ADA@example.test'))?.user.ID, id)
  assert.equal(await here.accounts.byEmail('ada'), null)
})

test("capabilities under a key of another case are nobody's, older or not", async () => {
  const { users } = here.storage
  const bob = await users.insert({ ...ada, user_login: 'bob', user_email: 'bob@example.test' })
  await users.meta.add(bob, 'WP_Capabilities', serialize({ administrator: true }))
  await users.meta.add(bob, 'wp_capabilities', serialize({ subscriber: true }))
  await users.meta.add(bob, 'wp_CAPABILITIES', serialize({ administrator: true }))
  const found = await here.accounts.byLogin('bob')
  assert.deepEqual([found?.caller.roles, found?.caller.capabilities.has('manage_options')], [['subscriber'], false])
})

test('a program gives the address as it stands, and a login in any spelling', async () => {
  for (const name of ['ada@example.test', 'ADA@example.test', ' <b>ada</b>'])
    assert.equal((await here.accounts.byLoginOrEmail(name))?.user.ID, id, name)
  for (const name of [' ada@example.test', 'ada@example.test%20', '<b>ada@example.test', 'áda@example.test'])
    assert.equal(await here.accounts.byLoginOrEmail(name), null, name)
})

test('spaces of other kinds are nothing at the end of a login, and something before it; 0 is no login', async () => {
  assert.equal((await here.accounts.byLogin('ada\u00a0'))?.user.ID, id)
  assert.equal(await here.accounts.byLogin('\u00a0ada'), null)
  await here.storage.users.insert({ ...(await account()).user, ID: id + 10, user_login: '0' })
  assert.equal(await here.accounts.byLogin('0'), null)
})

test('an account is at hand while nobody writes, and parsed again only when it has changed itself', async () => {
  const first = await account()
  assert.equal(here.accounts.byLogin('ada'), first)
  await there.storage.options.write('anything', '1')
  const second = here.accounts.byLogin('ada')
  assert.ok(second instanceof Promise)
  assert.equal((await second)?.caller, first.caller)
  assert.equal(here.accounts.byLogin('ada'), await second)
})

test('a database that says only later whether it has changed is waited for', async () => {
  const slow = Object.assign(Object.create(here.storage) as Storage, { token: async () => here.storage.changeToken() })
  const accounts = new Accounts(slow, await new StoredRoles(slow, 'wp_').ensure(), 'wp_')
  const first = await accounts.byLogin('ada')
  assert.equal(await accounts.byLogin('ada'), first)
  await there.storage.options.write('anything', '2')
  assert.notEqual(await accounts.byLogin('ada'), first)
})

test('a change that comes while an account is being read counts at the next request', async () => {
  const { users } = here.storage
  const overtaken = Object.assign(Object.create(users) as UserRows, {
    async findWithMeta(...question: Parameters<UserRows['findWithMeta']>) {
      const found = await users.findWithMeta(...question)
      await there.storage.users.update(id, { display_name: `after ${found?.user.display_name}` })
      return found
    },
  })
  const storage = Object.assign(Object.create(here.storage) as Storage, { users: overtaken })
  const accounts = new Accounts(storage, await new StoredRoles(storage, 'wp_').ensure(), 'wp_')
  assert.equal((await accounts.byLogin('ada'))?.caller.displayName, 'Ada Lovelace')
  assert.equal((await accounts.byLogin('ada'))?.caller.displayName, 'after Ada Lovelace')
})

test('an address is no login, also when it has just been taken for one', async () => {
  for (const name of ['ada@example.test', 'ADA@Example.test'])
    assert.equal((await here.accounts.byLoginOrEmail(name))?.user.ID, id)
  assert.equal(await here.accounts.byLoginOrEmail(' ada@example.test'), null)
  assert.equal((await here.accounts.byLoginOrEmail('ada'))?.user.ID, id)
  assert.equal(await here.accounts.byLogin('ada@example.test'), null)
})

test('who was nobody a moment ago is found as soon as he is somebody', async () => {
  assert.equal(await here.accounts.byLogin('grace'), null)
  const grace = await there.storage.users.insert({ ...ada, user_login: 'grace', user_email: 'grace@example.test' })
  assert.equal((await here.accounts.byLogin('grace'))?.user.ID, grace)
  await there.storage.users.delete(grace)
  assert.equal(await here.accounts.byLogin('grace'), null)
})

test('what another process changes of a user counts at the next request', async () => {
  const { users } = there.storage
  assert.deepEqual((await account()).caller.roles, ['author'])
  await users.meta.write(id, 'WP_Capabilities', serialize({ subscriber: true, edit_posts: false }))
  assert.deepEqual((await account()).caller.roles, ['subscriber'])
  await users.meta.write(id, 'wp_capabilities', serialize({ editor: true }))
  assert.equal((await account()).caller.capabilities.has('edit_others_posts'), true)
  await users.update(id, { user_pass: 'another' })
  assert.equal((await account()).user.user_pass, 'another')
  await users.update(id, { display_name: 'Countess' })
  assert.equal((await account()).caller.displayName, 'Countess')
  await users.update(id, { user_email: 'lovelace@example.test' })
  assert.equal((await account()).caller.email, 'lovelace@example.test')
  await users.meta.remove(id, 'wp_capabilities')
  assert.deepEqual([(await account()).caller.roles, (await account()).caller.capabilities.has('read')], [[], false])
})

test('a session that another process starts or ends counts at the next request', async () => {
  const expiration = Math.floor(Date.now() / 1000) + 60
  assert.equal((await account()).sessions.size, 0)
  const token = await there.sessions.create(id, { expiration, address: '', userAgent: '' })
  assert.equal((await account()).sessions.size, 1)
  await there.sessions.end(id, token)
  assert.equal((await account()).sessions.size, 0)
  await there.storage.users.meta.add(id, sessionsKey, 'damaged')
  assert.equal((await account()).sessions.size, 0)
})

test('a password that another process revokes, renews or damages lets nobody in at the next request', async () => {
  const { password, item } = await there.passwords.create(id, { name: 'lost' })
  assert.deepEqual([await refusal(password), await refusal(password)], [null, null])
  await there.passwords.revoke(id, item.uuid)
  assert.equal(await refusal(password), 'incorrect_password')
  const renewed = await there.passwords.create(id, { name: 'renewed' })
  assert.deepEqual([await refusal(password), await refusal(renewed.password)], ['incorrect_password', null])
  await there.storage.users.meta.write(id, applicationPasswordsKey, 'a:1:{')
  assert.equal(await refusal(renewed.password), 'incorrect_password')
  await there.storage.users.meta.remove(id, applicationPasswordsKey)
  assert.equal(await refusal(renewed.password), 'incorrect_password')
})

test('a password that a real other process revokes lets nobody in any more', async () => {
  const { password } = await here.passwords.create(id, { name: 'elsewhere' })
  assert.equal(await refusal(password), null)
  const module = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
  const code = `const { openSqlite } = await import(${module('../database/sqlite/open-sqlite.ts')})
    const { ApplicationPasswords } = await import(${module('./application-passwords.ts')})
    const storage = await openSqlite(${JSON.stringify(url)})
    console.log(await new ApplicationPasswords(storage, Date.now).revokeAll(${id}))
    await storage.close()`
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', code], {
    encoding: 'utf8',
  })
  assert.deepEqual([stdout, stderr], ['1\n', ''])
  assert.equal(await refusal(password), 'incorrect_password')
})

test('a login that changes hands belongs to its new user at once', async () => {
  const { password } = await here.passwords.create(id, { name: 'old owner' })
  assert.equal(await refusal(password), null)
  await there.storage.users.delete(id)
  assert.equal(await refusal(password), 'invalid_username')
  const heir = await there.storage.users.insert({ ...ada, user_login: 'ada' })
  assert.equal(await refusal(password), 'incorrect_password')
  assert.deepEqual([(await account()).user.ID, (await account()).caller.roles], [heir, []])
})

test('many uses of a password at once, by two processes, note it once and undo no change beside them', async () => {
  const heir = (await account()).user.ID
  const { password, item } = await here.passwords.create(heir, { name: 'program' })
  const others = Array.from({ length: 5 }, (_, index) => there.passwords.create(heir, { name: `beside ${index}` }))
  const uses = Array.from({ length: 20 }, (_, index) =>
    (index % 2 === 0 ? here : there).login.authenticate(
      { username: 'ada', password },
      { address: '192.0.2.7', unavailable: null },
    ),
  )
  for (const login of await Promise.all(uses)) assert.ok(login !== null && 'account' in login)
  await Promise.all(others)
  const list = await here.passwords.list(heir)
  assert.equal(list.length, 6)
  assert.deepEqual(
    list.filter(({ last_ip }) => last_ip !== null).map(({ uuid, last_ip }) => [uuid, last_ip]),
    [[item.uuid, '192.0.2.7']],
  )
})
