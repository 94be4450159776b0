import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { failuresIn } from '../../conformance/replay/failures.js'
import { openSite, recordedSite, requestWith, type Site } from '../../test/authentication-site.js'
import type { PasswordHasher } from './password-hash.js'
import { PasswordLogin } from './password-login.js'
import type { SignInRequest } from './sign-in.js'
import { signInLimits, RateLimiter } from './rate-limiter.js'

const sites: Site[] = []
after(() => Promise.all(sites.map((site) => site.close())))
async function newSite() {
  const site = await openSite()
  sites.push(site)
  return site
}

const form = (given: Partial<SignInRequest> = {}): SignInRequest => ({
  username: 'user_wp',
  password: 'correct horse',
  remembered: false,
  address: '192.0.2.1',
  userAgent: 'Browser/1',
  secure: false,
  ...given,
})

/** Signs in, and shows who it is or the code of the refusal. */
async function outcome(site: Site, given: Partial<SignInRequest> = {}) {
  const result = await site.signIn.signIn(form(given))
  return 'problems' in result ? result.problems.map(({ code }) => code).join(' ') : result.user.user_login
}

/** The cookies of `Set-Cookie` lines as the next request sends them. */
const sentBack = (lines: readonly string[]) =>
  Object.fromEntries(
    lines.map((line) => {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split('=')
      return [name, decodeURIComponent(value)]
    }),
  )

test('recorded: auth-login', async () => assert.deepEqual(await failuresIn('auth-login'), []))

test('a person who signs in is known by the cookies, until signing out', async () => {
  const site = await newSite()
  const result = await site.signIn.signIn(form())
  assert.ok('cookies' in result)
  const request = requestWith({ cookies: sentBack(result.cookies), secure: false })
  const visitor = await site.authenticator.signedIn(request)
  assert.equal(visitor?.account.user.ID, 2)
  assert.equal(visitor?.sessionToken, result.sessionToken)
  const forgotten = await site.signIn.signOut(2, result.sessionToken)
  assert.ok(forgotten.every((line) => line.includes('Max-Age=0')))
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
    const request = requestWith({ cookies: sentBack(result.cookies), secure: false })
    site.time.now = recordedSite.now + days * 86_400
    assert.notEqual(await site.authenticator.signedIn(request), null)
    site.time.now += 1
    assert.equal(await site.authenticator.signedIn(request), null)
    site.time.now = recordedSite.now
  }
})

test('a hash of an older kind is replaced at login, and the new cookies go with the new hash', async () => {
  const site = await newSite()
  for (const username of ['user_bcrypt', 'user_phpass', 'user_md5']) {
    const results = await Promise.all([site.signIn.signIn(form({ username })), site.signIn.signIn(form({ username }))])
    for (const result of results) {
      assert.ok('cookies' in result)
      assert.match(result.user.user_pass, /^\$wp\$2y\$10\$/)
      assert.equal((await site.storage.users.find({ login: username }))?.user_pass, result.user.user_pass)
      const request = requestWith({ cookies: sentBack(result.cookies), secure: false })
      assert.equal((await site.authenticator.signedIn(request))?.account.user.user_login, username)
    }
  }
})

test('a hash that takes more time than new ones stays as it is at a login', async () => {
  const site = await newSite()
  const user_pass = '$wp$2y$11$KBCwKxOzLha2MUDgW0PjXeFCiTmh9mpqEFuxJXZX18jW9HB2ju2FO'
  await site.storage.users.update(2, { user_pass })
  assert.equal(await outcome(site), 'user_wp')
  assert.equal((await site.storage.users.find({ id: 2 }))?.user_pass, user_pass)
})

test('whoever logs in and gets a new hash needs no link for a lost password any more', async () => {
  const site = await newSite()
  const login = 'user_md5'
  const id = (await site.storage.users.find({ login }))?.ID ?? 0
  await site.storage.users.update(id, { user_activation_key: '1795226146:$generic$key' })
  assert.equal(await outcome(site, { username: login }), login)
  assert.equal((await site.storage.users.find({ id }))?.user_activation_key, '')
})

test('a login that another process overtook goes on with the hash that is stored', async () => {
  const site = await newSite()
  const { accounts, hasher, storage } = site
  const before = await storage.users.find({ login: 'user_md5' })
  assert.ok(before)
  const overtaken: PasswordHasher = {
    verify: (password, stored) => hasher.verify(password, stored),
    // The other process is done between the check of the old hash and its replacement.
    async hash(password) {
      await storage.users.update(before.ID, { user_pass: await hasher.hash(password) })
      return hasher.hash(password)
    },
  }
  const throttle = new RateLimiter(signInLimits, site.clock)
  const login = new PasswordLogin({ accounts, storage, throttle, siteUrl: recordedSite.siteurl, hasher: overtaken })
  const user = await login.authenticate('user_md5', form().password, '192.0.2.1')
  assert.ok('user_pass' in user)
  assert.notEqual(user.user_pass, before.user_pass)
  assert.equal(user.user_pass, (await storage.users.find({ login: 'user_md5' }))?.user_pass)
})

test('names in messages cannot carry markup', async () => {
  const site = await newSite()
  for (const username of ['<script>alert(1)</script>', '< b', 'a"b\'c', '<img src=x onerror=y>', 'a<b>c</b>']) {
    const result = await site.signIn.signIn(form({ username, address: username }))
    assert.ok('problems' in result)
    const shown = result.problems.map(({ message }) => message.replaceAll(/<\/?strong>/g, '')).join('')
    assert.doesNotMatch(shown, /[<>"]/)
  }
})

test('what is missing is said, both at once', async () => {
  const site = await newSite()
  assert.equal(await outcome(site, { username: '', password: '' }), 'empty_username empty_password')
  assert.equal(await outcome(site, { username: ' ', password: ' \n' }), 'empty_username empty_password')
  assert.equal(await outcome(site, { username: '0', password: '0' }), 'empty_username empty_password')
})

test('guessing is slowed down; the right person elsewhere gets in, and here after the wait', async () => {
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

test('many guesses at once are no way around it', async () => {
  const site = await newSite()
  const results = await Promise.all(Array.from({ length: 40 }, () => outcome(site, { password: 'wrong' })))
  assert.equal(results.filter((code) => code === 'incorrect_password').length, 10)
})

test("somebody else's address in place of a login is no way around it, whatever its owner does", async () => {
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

test('an unknown name takes as long as a wrong password', async () => {
  const site = await newSite()
  const timeOf = async (username: string) => {
    const started = performance.now()
    await outcome(site, { username, password: 'wrong' })
    return performance.now() - started
  }
  await timeOf('nobody')
  const [known, unknown, unknownEmail] = [await timeOf('user_wp'), await timeOf('nobody'), await timeOf('no@body.test')]
  assert.ok(unknown > known / 3 && unknownEmail > known / 3, `${known} ${unknown} ${unknownEmail}`)
})

test('an overloaded service says so, and does not count it as a failure', async () => {
  const site = await newSite()
  await site.hasher.close()
  for (let count = 0; count < 20; count += 1) {
    const result = await site.signIn.signIn(form())
    assert.ok('problems' in result)
    assert.equal(result.status, 503)
    assert.equal(result.retryAfter, 1)
  }
})
