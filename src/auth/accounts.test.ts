import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { StoredRoles } from './roles.js'
import { serialize } from '../php/serialize.js'
import type { ChangeToken, Storage, UserRow, UserRows } from '../database/storage.js'
import { Accounts, type Account } from './accounts.js'
import { ApplicationPasswordLogin } from './application-password-login.js'
import { ApplicationPasswords } from './application-passwords.js'
import { applicationPasswordsKey } from './stored-application-passwords.js'
import { Sessions, sessionsKey } from './sessions.js'
import { RateLimiter } from './rate-limiter.js'
import { applicationPasswordLimits } from './rate-limits.js'
import { onlyWithOwnToken, openTestStorage, sharedDatabase } from '../../test/support/test-database.js'
import { typescriptArguments } from '../../test/support/typescript.js'
import { until } from '../../test/support/until.js'

const folder = mkdtempSync(join(tmpdir(), 'accounts-'))
const url = await sharedDatabase(join(folder, 'users.db'))

/** The parts of one process. All processes share the database. */
async function openProcess() {
  const storage = await openTestStorage(url)
  const accounts = new Accounts(storage, await new StoredRoles(storage, 'wp_').ensure(), 'wp_')
  const passwords = new ApplicationPasswords(storage, Date.now)
  const noHasher = {
    hash: () => Promise.reject(new Error('unused')),
    verify: async () => false,
    needsRehash: () => false,
  }
  const rateLimiter = new RateLimiter(applicationPasswordLimits, Date.now)
  return {
    storage,
    accounts,
    passwords,
    sessions: new Sessions(storage, Date.now),
    login: new ApplicationPasswordLogin(accounts, passwords, noHasher, rateLimiter),
  }
}

const first = await openProcess()
const second = await openProcess()
after(async () => {
  await Promise.all([first.storage.close(), second.storage.close()])
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
const id = await first.storage.users.insert(ada)
await first.storage.users.meta.add(id, 'wp_capabilities', serialize({ author: true }))

async function account(): Promise<Account> {
  const ada = await first.accounts.byLogin('ada')
  assert.ok(ada)
  return ada
}

/** The code of the error for an application password; null when the login succeeds. */
async function refusal(password: string): Promise<string | null> {
  const credentials = { username: 'ada', password }
  const login = await first.login.authenticate(credentials, { address: '192.0.2.1', unavailableReason: null })
  assert.ok(login)
  return 'problem' in login ? login.problem.code : null
}

test('an account is found by several spellings of the login name, and by the email address', async () => {
  for (const name of ['Ada', 'ada', ' ADA\n', '<b>ada</b>'])
    assert.equal((await first.accounts.byLogin(name))?.user.ID, id, name)
  for (const name of ['', ' ', 'ada lovelace', 'ada@example.test', 'a'.repeat(255)])
    assert.equal(await first.accounts.byLogin(name), null, name)
  assert.equal((await first.accounts.byEmail('ADA@example.test'))?.user.ID, id)
  assert.equal(await first.accounts.byEmail('ada'), null)
})

test('capabilities under a metadata key in another case are ignored', async () => {
  const { users } = first.storage
  const bob = await users.insert({ ...ada, user_login: 'bob', user_email: 'bob@example.test' })
  await users.meta.add(bob, 'WP_Capabilities', serialize({ administrator: true }))
  await users.meta.add(bob, 'wp_capabilities', serialize({ subscriber: true }))
  await users.meta.add(bob, 'wp_CAPABILITIES', serialize({ administrator: true }))
  const account = await first.accounts.byLogin('bob')
  assert.deepEqual([account?.caller.roles, account?.caller.capabilities.has('manage_options')], [['subscriber'], false])
})

test('the email address in Basic credentials must be exact, the login name may have several spellings', async () => {
  for (const name of ['ada@example.test', 'ADA@example.test', ' <b>ada</b>'])
    assert.equal((await first.accounts.byLoginOrEmail(name))?.user.ID, id, name)
  for (const name of [' ada@example.test', 'ada@example.test%20', '<b>ada@example.test', 'áda@example.test'])
    assert.equal(await first.accounts.byLoginOrEmail(name), null, name)
})

test('Unicode spaces are ignored at the end of a login name, not at its beginning, and 0 is no login name', async () => {
  assert.equal((await first.accounts.byLogin('ada\u00a0'))?.user.ID, id)
  assert.equal(await first.accounts.byLogin('\u00a0ada'), null)
  await first.storage.users.insert({ ...(await account()).user, ID: id + 10, user_login: '0' })
  assert.equal(await first.accounts.byLogin('0'), null)
})

test(
  'an account is the same object while the database is unchanged, and parsed again only when the user has changed',
  { skip: onlyWithOwnToken },
  async () => {
    const cached = await account()
    assert.equal(await first.accounts.byLogin('ada'), cached)
    await second.storage.options.write('anything', '1')
    const afterWrite = await first.accounts.byLogin('ada')
    assert.equal(afterWrite?.caller, cached.caller)
    assert.equal(await first.accounts.byLogin('ada'), afterWrite)
  },
)

test(
  'accounts are cached with a storage that returns a promise for its change token',
  { skip: onlyWithOwnToken },
  async () => {
    const asynchronous = Object.assign(Object.create(first.storage) as Storage, {
      changeToken: async () => first.storage.changeToken(),
    })
    const accounts = new Accounts(asynchronous, await new StoredRoles(asynchronous, 'wp_').ensure(), 'wp_')
    const cached = await accounts.byLogin('ada')
    assert.equal(await accounts.byLogin('ada'), cached)
    await second.storage.options.write('anything', '2')
    assert.notEqual(await accounts.byLogin('ada'), cached)
  },
)

test('a change while an account is being read is visible to the next request', async () => {
  const { users } = first.storage
  const changingUsers = Object.assign(Object.create(users) as UserRows, {
    async findWithMeta(...query: Parameters<UserRows['findWithMeta']>) {
      const row = await users.findWithMeta(...query)
      await second.storage.users.update(id, { display_name: `after ${row?.user.display_name}` })
      return row
    },
  })
  const storage = Object.assign(Object.create(first.storage) as Storage, { users: changingUsers })
  const accounts = new Accounts(storage, await new StoredRoles(storage, 'wp_').ensure(), 'wp_')
  assert.equal((await accounts.byLogin('ada'))?.caller.displayName, 'Ada Lovelace')
  assert.equal((await accounts.byLogin('ada'))?.caller.displayName, 'after Ada Lovelace')
})

test('an account stays cached while other kinds of rows are written', async () => {
  let reads = 0
  const { users } = first.storage
  const countingUsers = Object.assign(Object.create(users) as UserRows, {
    findWithMeta(...query: Parameters<UserRows['findWithMeta']>) {
      reads += 1
      return users.findWithMeta(...query)
    },
  })
  const storage = Object.assign(Object.create(first.storage) as Storage, { users: countingUsers })
  const accounts = new Accounts(storage, await new StoredRoles(storage, 'wp_').ensure(), 'wp_')
  const read = async (): Promise<number> => {
    assert.ok(await accounts.byLogin('ada'))
    return reads
  }
  await read()
  await second.storage.terms.insert({ name: 'Tea', slug: 'tea', taxonomy: 'category' })
  const before = await read()
  for (const slug of ['coffee', 'cocoa', 'milk']) {
    await second.storage.terms.insert({ name: slug, slug, taxonomy: 'category' })
    assert.equal(await read(), before)
  }
  await second.storage.users.update(id, { user_url: 'https://ada.example' })
  assert.equal(await read(), before + 1)
})

test('roles that were read for another account before the versions are not cached with these', async () => {
  const role = 'speaker'
  const rolesWith = (capability: string) =>
    serialize({ [role]: { name: 'Speaker', capabilities: { [capability]: true } } })
  const name = 'wp_user_roles'
  const before = await first.storage.options.read(name)
  let whileVersionsAreRead = async (): Promise<void> => undefined
  const storage = Object.assign(Object.create(first.storage) as Storage, {
    async versionsAt(token: ChangeToken) {
      await whileVersionsAreRead()
      return first.storage.versionsAt(token)
    },
  })
  const accounts = new Accounts(storage, await new StoredRoles(storage, 'wp_').ensure(), 'wp_')
  const mayOf = async (login: string, capability: string): Promise<boolean | undefined> =>
    (await accounts.byLogin(login))?.caller.capabilities.has(capability)
  const users = await Promise.all(
    ['first', 'second'].map((user_login) => first.storage.users.insert({ ...ada, user_login, user_email: user_login })),
  )
  for (const user of users) await first.storage.users.meta.add(user, 'wp_capabilities', serialize({ [role]: true }))
  await second.storage.options.write(name, rolesWith('whisper'))
  assert.equal(await mayOf('first', 'whisper'), true)
  await second.storage.terms.insert({ name: 'Rum', slug: 'rum', taxonomy: 'category' })
  // Reads the roles for this token.
  assert.equal(await mayOf('second', 'whisper'), true)
  whileVersionsAreRead = async () => {
    whileVersionsAreRead = async () => undefined
    await second.storage.options.write(name, rolesWith('shout'))
  }
  await mayOf('first', 'whisper')
  assert.equal(await mayOf('first', 'shout'), true)
  if (before !== null) await first.storage.options.write(name, before)
})

test('an email address is no login name, also after a lookup by login name or email address', async () => {
  for (const name of ['ada@example.test', 'ADA@Example.test'])
    assert.equal((await first.accounts.byLoginOrEmail(name))?.user.ID, id)
  assert.equal(await first.accounts.byLoginOrEmail(' ada@example.test'), null)
  assert.equal((await first.accounts.byLoginOrEmail('ada'))?.user.ID, id)
  assert.equal(await first.accounts.byLogin('ada@example.test'), null)
})

test('an unknown login name is found as soon as another process has created the user', async () => {
  assert.equal(await first.accounts.byLogin('grace'), null)
  const grace = await second.storage.users.insert({ ...ada, user_login: 'grace', user_email: 'grace@example.test' })
  assert.equal((await first.accounts.byLogin('grace'))?.user.ID, grace)
  await second.storage.users.delete(grace)
  assert.equal(await first.accounts.byLogin('grace'), null)
})

test('changes of a user by another process are visible to the next request', async () => {
  const { users } = second.storage
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

test('a session that another process starts or ends is visible to the next request', async () => {
  const expiration = Math.floor(Date.now() / 1000) + 60
  assert.equal((await account()).sessions.size, 0)
  const token = await second.sessions.create(id, { expiration, address: '', userAgent: '' })
  assert.equal((await account()).sessions.size, 1)
  await second.sessions.end(id, token)
  assert.equal((await account()).sessions.size, 0)
  await second.storage.users.meta.add(id, sessionsKey, 'damaged')
  assert.equal((await account()).sessions.size, 0)
})

test('an application password that another process revokes, replaces or damages is refused at the next request', async () => {
  const { password, item } = await second.passwords.create(id, { name: 'lost' })
  assert.deepEqual([await refusal(password), await refusal(password)], [null, null])
  await second.passwords.revoke(id, item.uuid)
  assert.equal(await refusal(password), 'incorrect_password')
  const replacement = await second.passwords.create(id, { name: 'replacement' })
  assert.deepEqual([await refusal(password), await refusal(replacement.password)], ['incorrect_password', null])
  await second.storage.users.meta.write(id, applicationPasswordsKey, 'a:1:{')
  assert.equal(await refusal(replacement.password), 'incorrect_password')
  await second.storage.users.meta.remove(id, applicationPasswordsKey)
  assert.equal(await refusal(replacement.password), 'incorrect_password')
})

test('an application password that a separate operating system process revokes is refused at the next request', async () => {
  const { password } = await first.passwords.create(id, { name: 'elsewhere' })
  assert.equal(await refusal(password), null)
  const module = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
  const code = `const { storeAdapterOf } = await import(${module('../app/stores.ts')})
    const { ApplicationPasswords } = await import(${module('./application-passwords.ts')})
    const storage = await storeAdapterOf(${JSON.stringify(url)}).open(${JSON.stringify(url)}, {})
    console.log(await new ApplicationPasswords(storage, Date.now).revokeAll(${id}))
    await storage.close()`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [...typescriptArguments, '--input-type=module', '--eval', code],
    {
      encoding: 'utf8',
    },
  )
  assert.deepEqual([stdout, stderr], ['1\n', ''])
  assert.equal(await refusal(password), 'incorrect_password')
})

test('a login name that is deleted and created again belongs to the new user at the next request', async () => {
  const { password } = await first.passwords.create(id, { name: 'old owner' })
  assert.equal(await refusal(password), null)
  await second.storage.users.delete(id)
  assert.equal(await refusal(password), 'invalid_username')
  const newUser = await second.storage.users.insert({ ...ada, user_login: 'ada' })
  assert.equal(await refusal(password), 'incorrect_password')
  assert.deepEqual([(await account()).user.ID, (await account()).caller.roles], [newUser, []])
})

test('concurrent uses of a password in two processes record one use and undo no other change', async () => {
  const userId = (await account()).user.ID
  const { password, item } = await first.passwords.create(userId, { name: 'program' })
  const others = Array.from({ length: 5 }, (_, index) => second.passwords.create(userId, { name: `other ${index}` }))
  const uses = Array.from({ length: 20 }, (_, index) =>
    (index % 2 === 0 ? first : second).login.authenticate(
      { username: 'ada', password },
      { address: '192.0.2.7', unavailableReason: null },
    ),
  )
  for (const login of await Promise.all(uses)) assert.ok(login !== null && 'account' in login)
  await Promise.all(others)
  // A request waits 100 ms at most for the record of its use.
  const used = async () => (await first.passwords.list(userId)).filter(({ last_ip }) => last_ip !== null)
  await until(async () => (await used()).length > 0)
  assert.equal((await first.passwords.list(userId)).length, 6)
  assert.deepEqual(
    (await used()).map(({ uuid, last_ip }) => [uuid, last_ip]),
    [[item.uuid, '192.0.2.7']],
  )
})
