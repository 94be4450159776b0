import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { failuresIn } from '../../conformance/replay/failures.js'
import { openSite, recordedSite, requestWith, type Site } from '../../test/authentication-site.js'
import { HasherBusyError, type PasswordHasher } from './password-hash.js'
import { PasswordLogin } from './password-login.js'
import type { SignInRequest } from './sign-in.js'
import { RateLimiter } from './rate-limiter.js'
import { signInLimits } from './rate-limits.js'

const sites: Site[] = []
after(() => Promise.all(sites.map((site) => site.close())))
async function newSite() {
  const site = await openSite()
  sites.push(site)
  return site
}

const form = (fields: Partial<SignInRequest> = {}): SignInRequest => ({
  username: 'user_wp',
  password: 'correct horse',
  remembered: false,
  address: '192.0.2.1',
  userAgent: 'Browser/1',
  secure: false,
  ...fields,
})

/** Logs in. @returns the login name of the user, or the codes of the refusal. */
async function outcome(site: Site, fields: Partial<SignInRequest> = {}) {
  const result = await site.signIn.signIn(form(fields))
  return 'problems' in result ? result.problems.map(({ code }) => code).join(' ') : result.user.user_login
}

/** The cookies that a browser sends after it has received these `Set-Cookie` lines. */
const cookiesOf = (lines: readonly string[]) =>
  Object.fromEntries(
    lines.map((line) => {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split('=')
      return [name, decodeURIComponent(value)]
    }),
  )

test('the logins of WordPress in auth-login are reproduced', async () =>
  assert.deepEqual(await failuresIn('auth-login'), []))

test('the cookies of a login identify the user until the logout', async () => {
  const site = await newSite()
  const result = await site.signIn.signIn(form())
  assert.ok('cookies' in result)
  const request = requestWith({ cookies: cookiesOf(result.cookies), secure: false })
  const signedIn = await site.authenticator.signedIn(request)
  assert.equal(signedIn?.account.user.ID, 2)
  assert.equal(signedIn?.sessionToken, result.sessionToken)
  const lines = await site.signIn.signOut(2, result.sessionToken)
  assert.ok(lines.every((line) => line.includes('Max-Age=0')))
  assert.equal(await site.authenticator.signedIn(request), null)
})

test('a login lasts two days, a remembered one two weeks', async () => {
  const site = await newSite()
  for (const [remembered, days] of [
    [false, 2],
    [true, 14],
  ] as const) {
    const result = await site.signIn.signIn(form({ remembered }))
    assert.ok('cookies' in result)
    const request = requestWith({ cookies: cookiesOf(result.cookies), secure: false })
    site.time.now = recordedSite.now + days * 86_400
    assert.notEqual(await site.authenticator.signedIn(request), null)
    site.time.now += 1
    assert.equal(await site.authenticator.signedIn(request), null)
    site.time.now = recordedSite.now
  }
})

test('a login replaces a hash of an older kind, and its cookies are signed with the new hash', async () => {
  const site = await newSite()
  for (const username of ['user_bcrypt', 'user_phpass', 'user_md5']) {
    const results = await Promise.all([site.signIn.signIn(form({ username })), site.signIn.signIn(form({ username }))])
    for (const result of results) {
      assert.ok('cookies' in result)
      assert.match(result.user.user_pass, /^\$wp\$2y\$10\$/)
      assert.equal((await site.storage.users.find({ login: username }))?.user_pass, result.user.user_pass)
      const request = requestWith({ cookies: cookiesOf(result.cookies), secure: false })
      assert.equal((await site.authenticator.signedIn(request))?.account.user.user_login, username)
    }
  }
})

test('a login does not replace a hash with a higher cost than new hashes', async () => {
  const site = await newSite()
  const user_pass = '$wp$2y$11$KBCwKxOzLha2MUDgW0PjXeFCiTmh9mpqEFuxJXZX18jW9HB2ju2FO'
  await site.storage.users.update(2, { user_pass })
  assert.equal(await outcome(site), 'user_wp')
  assert.equal((await site.storage.users.find({ id: 2 }))?.user_pass, user_pass)
})

test('a login that replaces the hash also removes the key for a lost password', async () => {
  const site = await newSite()
  const login = 'user_md5'
  const id = (await site.storage.users.find({ login }))?.ID ?? 0
  await site.storage.users.update(id, { user_activation_key: '1795226146:$generic$key' })
  assert.equal(await outcome(site, { username: login }), login)
  assert.equal((await site.storage.users.find({ id }))?.user_activation_key, '')
})

test('a login uses the hash that another process has stored meanwhile', async () => {
  const site = await newSite()
  const { accounts, hasher, storage } = site
  const before = await storage.users.find({ login: 'user_md5' })
  assert.ok(before)
  const slowHasher: PasswordHasher = {
    needsRehash: (hash) => hasher.needsRehash(hash),
    verify: (password, hash) => hasher.verify(password, hash),
    // The other process replaces the hash between the verification of the old hash and its replacement here.
    async hash(password) {
      await storage.users.update(before.ID, { user_pass: await hasher.hash(password) })
      return hasher.hash(password)
    },
  }
  const rateLimiter = new RateLimiter(signInLimits, site.clock)
  const login = new PasswordLogin({ accounts, storage, rateLimiter, siteUrl: recordedSite.siteurl, hasher: slowHasher })
  const user = await login.authenticate('user_md5', form().password, '192.0.2.1')
  assert.ok('user_pass' in user)
  assert.notEqual(user.user_pass, before.user_pass)
  assert.equal(user.user_pass, (await storage.users.find({ login: 'user_md5' }))?.user_pass)
})

test('user names in messages are escaped', async () => {
  const site = await newSite()
  for (const username of ['<script>alert(1)</script>', '< b', 'a"b\'c', '<img src=x onerror=y>', 'a<b>c</b>']) {
    const result = await site.signIn.signIn(form({ username, address: username }))
    assert.ok('problems' in result)
    const text = result.problems.map(({ message }) => message.replaceAll(/<\/?strong>/g, '')).join('')
    assert.doesNotMatch(text, /[<>"]/)
  }
})

test('empty fields are reported, both in one response', async () => {
  const site = await newSite()
  assert.equal(await outcome(site, { username: '', password: '' }), 'empty_username empty_password')
  assert.equal(await outcome(site, { username: ' ', password: ' \n' }), 'empty_username empty_password')
  assert.equal(await outcome(site, { username: '0', password: '0' }), 'empty_username empty_password')
})

test('after ten wrong passwords a network has to wait, and the user can log in from another network', async () => {
  const site = await newSite()
  for (let count = 0; count < 10; count += 1)
    assert.equal(await outcome(site, { password: 'wrong' }), 'incorrect_password')
  for (const password of ['wrong', 'correct horse']) {
    const result = await site.signIn.signIn(form({ password }))
    assert.ok('problems' in result)
    assert.deepEqual({ status: result.status, retryAfter: result.retryAfter }, { status: 429, retryAfter: 30 })
    assert.match(result.problems[0]?.message ?? '', /Try again in 30 seconds/)
  }
  assert.equal(await outcome(site, { username: 'wp@example.test' }), 'too_many_attempts')
  assert.equal(await outcome(site, { address: '198.51.100.1' }), 'user_wp')
  site.time.now += 30
  assert.equal(await outcome(site), 'user_wp')
})

test('concurrent attempts are limited too', async () => {
  const site = await newSite()
  const results = await Promise.all(Array.from({ length: 40 }, () => outcome(site, { password: 'wrong' })))
  assert.equal(results.filter((code) => code === 'incorrect_password').length, 10)
})

test('attempts with an email address that is also the login name of another user count for both users', async () => {
  const site = await newSite()
  const shared = { username: 'user_bcrypt@example.test' }
  await site.storage.users.update(2, { user_email: shared.username })
  await site.storage.users.update(3, { user_login: shared.username, user_pass: '*' })
  assert.equal(await outcome(site, shared), 'user_wp')
  for (let count = 0; count < 9; count += 1) {
    assert.equal(await outcome(site, { ...shared, password: 'wrong' }), 'incorrect_password')
    if (count === 4) assert.equal(await outcome(site, { username: 'user_wp' }), 'user_wp')
  }
  assert.equal(await outcome(site, shared), 'too_many_attempts')
})

test('an unknown name costs one slow hash, as a wrong password does', async () => {
  const site = await newSite()
  const { accounts, hasher, storage } = site
  const costs: string[] = []
  const recordingHasher: PasswordHasher = {
    needsRehash: (hash) => hasher.needsRehash(hash),
    hash: (password) => hasher.hash(password),
    verify(password, hash) {
      costs.push(hash.slice(0, 10))
      return hasher.verify(password, hash)
    },
  }
  const rateLimiter = new RateLimiter(signInLimits, site.clock)
  const siteUrl = recordedSite.siteurl
  const login = new PasswordLogin({ accounts, storage, rateLimiter, siteUrl, hasher: recordingHasher })
  for (const username of ['user_wp', 'nobody', 'no@body.test', 'user_wp', 'wp@example.test'])
    assert.ok('problems' in (await login.authenticate(username, 'wrong', '192.0.2.1')))
  assert.deepEqual(costs, Array(5).fill('$wp$2y$10$'))
})

test('a busy hasher gives 503, and the attempts do not count', async () => {
  const site = await newSite()
  await site.hasher.close()
  for (let count = 0; count < 20; count += 1) {
    const result = await site.signIn.signIn(form())
    assert.ok('problems' in result)
    assert.equal(result.status, 503)
    assert.equal(result.retryAfter, 1)
  }
})

test('a password that was checked for one of two users counts as a failure at this user when the hasher is busy', async () => {
  const site = await newSite()
  const { accounts, hasher, storage } = site
  const shared = 'user_bcrypt@example.test'
  await storage.users.update(2, { user_email: shared })
  await storage.users.update(3, { user_login: shared })
  const ownHash = (await storage.users.find({ id: 3 }))?.user_pass
  const hasherBusyForOthers: PasswordHasher = {
    needsRehash: (hash) => hasher.needsRehash(hash),
    hash: (password) => hasher.hash(password),
    async verify(password, hash) {
      if (hash !== ownHash) throw new HasherBusyError('Too many passwords wait to be checked.')
      return hasher.verify(password, hash)
    },
  }
  const rateLimiter = new RateLimiter(signInLimits, site.clock)
  const siteUrl = recordedSite.siteurl
  const login = new PasswordLogin({ accounts, storage, rateLimiter, siteUrl, hasher: hasherBusyForOthers })
  const statuses: number[] = []
  for (let count = 0; count < 11; count += 1) {
    const result = await login.authenticate(shared, 'wrong', '192.0.2.1')
    assert.ok('problems' in result)
    statuses.push(result.status)
  }
  assert.deepEqual(statuses, [...Array<number>(10).fill(503), 429])
})
