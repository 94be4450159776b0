import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import * as fc from 'fast-check'
import { failuresIn } from '../../conformance/replay/failures.js'
import { basicHeader, openSite, recordedSite, requestWith, type GivenRequest } from '../../test/authentication-site.js'
import { anonymous } from '../http/caller.js'
import { serialize } from '../php/serialize.js'
import { applicationPasswordsKey } from './stored-application-passwords.js'
import { makeCookie } from './cookie.js'
import { createNonce } from './nonce.js'

const site = await openSite()
after(() => site.close())
const { authenticator, secrets } = site
beforeEach(() => {
  site.time.now = recordedSite.now
})

const now = recordedSite.now
const token = recordedSite.sessionTokens.live
const user = { user_login: 'user_wp', user_pass: recordedSite.users['user_wp']?.user_pass ?? '' }
const { password: applicationPassword, item: passwordItem } = await site.applicationPasswords.create(3, {
  name: 'program',
})

const cookie = (text: string) => ({ [site.cookies.loggedIn]: text })
const valid = makeCookie(secrets, 'logged_in', user, now + 60, token)
const expired = makeCookie(secrets, 'logged_in', user, now - 60, token)
const nonceOf = (userId: number, sessionToken: string, action = 'wp_rest') =>
  createNonce(secrets, { action, userId, sessionToken }, now)
const validNonce = nonceOf(2, token)
const anonymousNonce = nonceOf(0, '')
const basic = { authorization: basicHeader('user_bcrypt', applicationPassword) }
const wrongBasic = { authorization: basicHeader('user_bcrypt', 'wrong') }

/** A summary of the identity: the error, or the caller with the kind of credentials and the nonce of the response. */
async function outcome(request: GivenRequest): Promise<string> {
  const identity = await authenticator.identify(requestWith(request))
  if (identity.problem !== null) {
    assert.equal(identity.caller, anonymous)
    return `${(identity.problem.data as { status: number }).status} ${identity.problem.code}`
  }
  const caller = identity.caller.id === 0 ? 'anonymous' : `${identity.caller.login} by ${identity.via}`
  return identity.nonce === null ? caller : `${caller}, nonce ${identity.nonce}`
}

const refusal = '403 rest_cookie_invalid_nonce'
const table: [situation: string, request: GivenRequest, expected: string][] = [
  ['no credentials', {}, 'anonymous'],
  [
    'a valid cookie for the whole site and a wp-admin cookie of an unknown user',
    {
      cookies: { ...cookie(valid), [site.cookies.secureAuth]: `gone|${now + 60}|${token}|${'0'.repeat(64)}` },
      headers: { 'x-wp-nonce': validNonce },
    },
    `user_wp by cookie, nonce ${validNonce}`,
  ],
  ['a cookie without a nonce', { cookies: cookie(valid) }, 'anonymous'],
  [
    'a cookie and its nonce in the header',
    { cookies: cookie(valid), headers: { 'x-wp-nonce': validNonce } },
    `user_wp by cookie, nonce ${validNonce}`,
  ],
  [
    'a cookie and its nonce in the URL',
    { cookies: cookie(valid), query: { _wpnonce: validNonce } },
    `user_wp by cookie, nonce ${validNonce}`,
  ],
  [
    'a cookie and its nonce in a form',
    { cookies: cookie(valid), form: { _wpnonce: validNonce } },
    `user_wp by cookie, nonce ${validNonce}`,
  ],
  [
    'a good nonce in the form, a bad one in the URL',
    { cookies: cookie(valid), form: { _wpnonce: validNonce }, query: { _wpnonce: 'bad' } },
    `user_wp by cookie, nonce ${validNonce}`,
  ],
  [
    'a bad nonce in the form, a good one in the URL',
    { cookies: cookie(valid), form: { _wpnonce: 'bad' }, query: { _wpnonce: validNonce } },
    refusal,
  ],
  [
    'a bad nonce in the URL, a good one in the header',
    { cookies: cookie(valid), query: { _wpnonce: 'bad' }, headers: { 'x-wp-nonce': validNonce } },
    refusal,
  ],
  [
    'a good nonce in the URL, a bad one in the header',
    { cookies: cookie(valid), query: { _wpnonce: validNonce }, headers: { 'x-wp-nonce': 'bad' } },
    `user_wp by cookie, nonce ${validNonce}`,
  ],
  [
    'an empty nonce in the URL, a good one in the header',
    { cookies: cookie(valid), query: { _wpnonce: '' }, headers: { 'x-wp-nonce': validNonce } },
    refusal,
  ],
  ['a list as nonce', { cookies: cookie(valid), query: { _wpnonce: [validNonce] } }, refusal],
  ['a wrong nonce', { cookies: cookie(valid), headers: { 'x-wp-nonce': 'ffffffffff' } }, refusal],
  ['an empty nonce', { cookies: cookie(valid), headers: { 'x-wp-nonce': '' } }, refusal],
  [
    'the nonce of another action',
    { cookies: cookie(valid), headers: { 'x-wp-nonce': nonceOf(2, token, 'log-out') } },
    refusal,
  ],
  ['the nonce of another user', { cookies: cookie(valid), headers: { 'x-wp-nonce': nonceOf(3, token) } }, refusal],
  [
    'the nonce of another session',
    { cookies: cookie(valid), headers: { 'x-wp-nonce': nonceOf(2, recordedSite.sessionTokens.other) } },
    refusal,
  ],
  [
    'the nonce of an anonymous caller with a cookie',
    { cookies: cookie(valid), headers: { 'x-wp-nonce': anonymousNonce } },
    refusal,
  ],
  [
    'the nonce of an anonymous caller',
    { headers: { 'x-wp-nonce': anonymousNonce } },
    `anonymous, nonce ${anonymousNonce}`,
  ],
  ['a nonce without its cookie', { headers: { 'x-wp-nonce': validNonce } }, refusal],
  ['a wrong nonce alone', { query: { _wpnonce: 'ffffffffff' } }, refusal],
  ['an empty nonce alone', { query: { _wpnonce: '' } }, refusal],
  ['an expired cookie', { cookies: cookie(expired) }, 'anonymous'],
  ['an expired cookie and its nonce', { cookies: cookie(expired), headers: { 'x-wp-nonce': validNonce } }, refusal],
  [
    'an expired cookie in a POST shortly after',
    { method: 'POST', cookies: cookie(expired), headers: { 'x-wp-nonce': validNonce } },
    `user_wp by cookie, nonce ${validNonce}`,
  ],
  ['a broken cookie and its nonce', { cookies: cookie(`${valid}x`), headers: { 'x-wp-nonce': validNonce } }, refusal],
  ['garbage as cookie', { cookies: cookie('garbage') }, 'anonymous'],
  [
    'only the cookie of wp-admin and the nonce of the session',
    {
      cookies: { [site.cookies.secureAuth]: makeCookie(secrets, 'secure_auth', user, now + 60, token) },
      headers: { 'x-wp-nonce': validNonce },
    },
    refusal,
  ],
  ['an application password', { headers: basic }, 'user_bcrypt by application-password'],
  [
    'an application password with a wrong nonce',
    { headers: { ...basic, 'x-wp-nonce': 'bad' } },
    'user_bcrypt by application-password',
  ],
  [
    'an application password from this machine over plain HTTP',
    { headers: basic, secure: false, local: true },
    'user_bcrypt by application-password',
  ],
  ['an application password over plain HTTP', { headers: basic, secure: false }, '401 application_passwords_disabled'],
  ['a wrong application password', { headers: wrongBasic }, '401 incorrect_password'],
  [
    'the password of the account',
    { headers: { authorization: basicHeader('user_bcrypt', 'correct horse') } },
    '401 incorrect_password',
  ],
  ['an unknown name', { headers: { authorization: basicHeader('nobody', 'x') } }, '401 invalid_username'],
  ['an unknown e-mail address', { headers: { authorization: basicHeader('no@body.test', 'x') } }, '401 invalid_email'],
  [
    'an e-mail address with a space after it',
    { headers: { authorization: basicHeader('no@body.test ', 'x') } },
    '401 invalid_username',
  ],
  ['an empty name', { headers: { authorization: basicHeader('', 'x') } }, '401 invalid_username'],
  ['an empty password', { headers: { authorization: basicHeader('user_bcrypt', '') } }, 'anonymous'],
  ['another kind of authorization', { headers: { authorization: 'Bearer abc' } }, 'anonymous'],
  [
    'a wrong application password with a wrong nonce',
    { headers: { ...wrongBasic, 'x-wp-nonce': 'bad' } },
    '401 incorrect_password',
  ],
  [
    'a cookie with its nonce and an application password',
    { cookies: cookie(valid), headers: { ...basic, 'x-wp-nonce': validNonce } },
    `user_wp by cookie, nonce ${validNonce}`,
  ],
  [
    'a cookie with its nonce and a wrong application password',
    { cookies: cookie(valid), headers: { ...wrongBasic, 'x-wp-nonce': validNonce } },
    `user_wp by cookie, nonce ${validNonce}`,
  ],
  ['a cookie and an application password without a nonce', { cookies: cookie(valid), headers: basic }, 'anonymous'],
  [
    'an expired cookie, its nonce and an application password',
    { cookies: cookie(expired), headers: { ...basic, 'x-wp-nonce': validNonce } },
    'user_bcrypt by application-password',
  ],
  [
    'an expired cookie and a wrong application password',
    { cookies: cookie(expired), headers: wrongBasic },
    '401 incorrect_password',
  ],
]
for (const [situation, request, expected] of table)
  test(`${situation}: ${expected}`, async () => assert.equal(await outcome(request), expected))

test('the cookie checks of WordPress in auth-cookie-check are reproduced', async () =>
  assert.deepEqual(await failuresIn('auth-cookie-check'), []))

test('the identity has the caller, the kind of credentials and the session', async () => {
  const byCookie = await authenticator.identify(
    requestWith({ cookies: cookie(valid), headers: { 'x-wp-nonce': validNonce } }),
  )
  assert.equal(byCookie.sessionToken, token)
  assert.equal(byCookie.loggedInCookie, true)
  assert.ok(byCookie.caller.capabilities.has('publish_posts'))
  const byPassword = await authenticator.identify(requestWith({ headers: basic }))
  assert.deepEqual(byPassword.applicationPassword, { uuid: passwordItem.uuid, allows: null })
  assert.deepEqual([byPassword.nonce, byPassword.sessionToken, byPassword.loggedInCookie], [null, '', false])
})

test('the response to a nonce of the previous tick has a nonce of the current one', async () => {
  site.time.now = now + 43_200
  const longerCookie = makeCookie(secrets, 'logged_in', user, now + 90_000, token)
  const expected = createNonce(secrets, { action: 'wp_rest', userId: 2, sessionToken: token }, site.time.now)
  assert.equal(
    await outcome({ cookies: cookie(longerCookie), headers: { 'x-wp-nonce': validNonce } }),
    `user_wp by cookie, nonce ${expected}`,
  )
  assert.notEqual(expected, validNonce)
})

test('the error over plain HTTP says why application passwords are not available', async () => {
  const identity = await authenticator.identify(requestWith({ headers: basic, secure: false }))
  assert.match(
    identity.problem?.message ?? '',
    /^Application passwords are not available\. This request came over plain HTTP/,
  )
})

test('in the environment local, application passwords work over plain HTTP', async () => {
  const local = await openSite({ environment: 'local' })
  const { password } = await local.applicationPasswords.create(2, { name: 'x' })
  const headers = { authorization: basicHeader('wp@example.test', password) }
  const identity = await local.authenticator.identify(requestWith({ headers, secure: false }))
  assert.equal(identity.caller.login, 'user_wp')
  await local.close()
})

test('before the first application password is created, Basic credentials are ignored', async () => {
  const newSite = await openSite()
  const identity = await newSite.authenticator.identify(requestWith({ headers: wrongBasic }))
  assert.deepEqual([identity.problem, identity.caller], [null, anonymous])
  await newSite.close()
})

test('the identity of a request without credentials, or with cookies only, is not a promise', () => {
  const unreadableCookies = new Proxy(new Map<string, string>(), { get: () => assert.fail('the cookies were read') })
  const identity = authenticator.identify(requestWith())
  assert.ok(!(identity instanceof Promise))
  assert.equal(
    authenticator.identify({ ...requestWith({ headers: { cookie: 'a=b' } }), cookies: unreadableCookies }),
    identity,
  )
  assert.ok(!(authenticator.identify(requestWith({ headers: { 'x-wp-nonce': 'bad' } })) instanceof Promise))
})

test('changes of sessions, passwords, roles and names are visible to the next request', async () => {
  const request = { cookies: cookie(valid), headers: { 'x-wp-nonce': validNonce } }
  const currentCapabilities = async () => (await authenticator.identify(requestWith(request))).caller.capabilities
  assert.ok(!(await currentCapabilities()).has('manage_options'))
  await site.storage.users.meta.write(2, 'wp_capabilities', serialize({ administrator: true }))
  assert.ok((await currentCapabilities()).has('manage_options'))
  await site.storage.users.meta.write(2, 'wp_capabilities', serialize({ author: true }))
  assert.ok(!(await currentCapabilities()).has('manage_options'))
  await site.storage.users.update(2, { display_name: 'Renamed' })
  assert.equal((await authenticator.identify(requestWith(request))).caller.displayName, 'Renamed')
  await site.storage.users.update(2, { user_pass: `${user.user_pass.slice(0, -1)}x` })
  assert.equal(await outcome(request), refusal)
  await site.storage.users.update(2, { user_pass: user.user_pass })
  const [sessions = null] = await site.storage.users.meta.read(2, 'session_tokens')
  await site.sessions.end(2, token)
  assert.equal(await outcome(request), refusal)
  await site.storage.users.meta.write(2, 'session_tokens', sessions)
  assert.match(await outcome(request), /^user_wp by cookie/)
  await site.storage.users.meta.remove(3, applicationPasswordsKey)
  assert.equal(await outcome({ headers: basic }), '401 incorrect_password')
  await site.storage.users.meta.write(3, applicationPasswordsKey, serialize([{ ...passwordItem }]))
  assert.equal(await outcome({ headers: basic }), 'user_bcrypt by application-password')
})

test('no request without valid credentials identifies a user', async () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(valid, expired, validNonce, anonymousNonce, '__proto__', 'constructor'),
  )
  const parameters = fc.dictionary(fc.constantFrom('_wpnonce', '__proto__', site.cookies.loggedIn, 'x'), text)
  const logins = [...Object.keys(recordedSite.users), 'USER_BCRYPT', '3@example.test', 'wp@example.test', '']
  const similarPassword = fc
    .tuple(fc.nat(applicationPassword.length - 1), fc.constantFrom('', 'a', 'Z', '0', '-'))
    .map(([at, inserted]) => applicationPassword.slice(0, at) + inserted + applicationPassword.slice(at + 1))
  const credentials = fc
    .record({
      login: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...logins) }, { weight: 1, arbitrary: fc.string() }),
      password: fc.oneof(
        fc.constantFrom(applicationPassword, ' ', '-', '\0', validNonce, valid, user.user_pass),
        similarPassword,
        fc.string(),
      ),
    })
    // Excludes the valid credentials. Characters between the letters and digits of a password are ignored.
    .filter(
      ({ login, password }) =>
        !(/^(?:user_bcrypt|3@)/i.test(login.trim()) && password.replaceAll(/[^a-z\d]/gi, '') === applicationPassword),
    )
  const authorization = fc.oneof(
    { weight: 3, arbitrary: credentials.map(({ login, password }) => basicHeader(login, password)) },
    {
      weight: 1,
      arbitrary: fc.oneof(
        text,
        text.map((credential) => `Basic ${credential}`),
      ),
    },
  )
  const counts = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(parameters, parameters, parameters),
      text,
      authorization,
      fc.ipV4(),
      async ([cookies, query, form], nonce, authorizationHeader, address) => {
        const nonces = [query['_wpnonce'], form['_wpnonce'], nonce]
        fc.pre(!(nonces.includes(validNonce) && cookies[site.cookies.loggedIn] === valid))
        const headers = { 'x-wp-nonce': nonce, authorization: authorizationHeader }
        const identity = await authenticator.identify(requestWith({ cookies, query, form, headers, address }))
        assert.equal(identity.caller, anonymous)
        const code = identity.problem?.code ?? 'none'
        counts.set(code, (counts.get(code) ?? 0) + 1)
      },
    ),
    { numRuns: 300 },
  )
  for (const code of ['incorrect_password', 'invalid_username', 'rest_cookie_invalid_nonce'])
    assert.ok((counts.get(code) ?? 0) >= 5, `${code}: ${counts.get(code)} of ${[...counts].join()}`)
})
