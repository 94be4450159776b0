import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import * as fc from 'fast-check'
import { failuresIn } from '../../conformance/replay/failures.js'
import { basicHeader, openSite, recordedSite, requestWith, type GivenRequest } from '../../test/authentication-site.js'
import { anonymous } from '../http/caller.js'
import { serialize } from '../php/serialize.js'
import { applicationPasswordsKey } from './application-passwords.js'
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
const { password: program, item: programItem } = await site.applicationPasswords.create(3, { name: 'program' })

const cookie = (text: string) => ({ [site.cookies.loggedIn]: text })
const valid = makeCookie(secrets, 'logged_in', user, now + 60, token)
const expired = makeCookie(secrets, 'logged_in', user, now - 60, token)
const nonceOf = (userId: number, sessionToken: string, action = 'wp_rest') =>
  createNonce(secrets, { action, userId, sessionToken }, now)
const good = nonceOf(2, token)
const visitors = nonceOf(0, '')
const basic = { authorization: basicHeader('user_bcrypt', program) }
const wrong = { authorization: basicHeader('user_bcrypt', 'wrong') }

/** What an identity comes to, in a few words. */
async function outcome(given: GivenRequest): Promise<string> {
  const identity = await authenticator.identify(requestWith(given))
  if (identity.problem !== null) {
    assert.equal(identity.caller, anonymous)
    return `${(identity.problem.data as { status: number }).status} ${identity.problem.code}`
  }
  const who = identity.caller.id === 0 ? 'anonymous' : `${identity.caller.login} by ${identity.via}`
  return identity.nonce === null ? who : `${who}, nonce ${identity.nonce}`
}

const refusal = '403 rest_cookie_invalid_nonce'
const table: [situation: string, request: GivenRequest, expected: string][] = [
  ['no credentials', {}, 'anonymous'],
  [
    'beside its cookie that of somebody who is gone, for other places',
    {
      cookies: { ...cookie(valid), [site.cookies.secureAuth]: `gone|${now + 60}|${token}|${'0'.repeat(64)}` },
      headers: { 'x-wp-nonce': good },
    },
    `user_wp by cookie, nonce ${good}`,
  ],
  ['a cookie without a nonce', { cookies: cookie(valid) }, 'anonymous'],
  [
    'a cookie and its nonce in the header',
    { cookies: cookie(valid), headers: { 'x-wp-nonce': good } },
    `user_wp by cookie, nonce ${good}`,
  ],
  [
    'a cookie and its nonce in the URL',
    { cookies: cookie(valid), query: { _wpnonce: good } },
    `user_wp by cookie, nonce ${good}`,
  ],
  [
    'a cookie and its nonce in a form',
    { cookies: cookie(valid), form: { _wpnonce: good } },
    `user_wp by cookie, nonce ${good}`,
  ],
  [
    'a good nonce in the form, a bad one in the URL',
    { cookies: cookie(valid), form: { _wpnonce: good }, query: { _wpnonce: 'bad' } },
    `user_wp by cookie, nonce ${good}`,
  ],
  [
    'a bad nonce in the form, a good one in the URL',
    { cookies: cookie(valid), form: { _wpnonce: 'bad' }, query: { _wpnonce: good } },
    refusal,
  ],
  [
    'a bad nonce in the URL, a good one in the header',
    { cookies: cookie(valid), query: { _wpnonce: 'bad' }, headers: { 'x-wp-nonce': good } },
    refusal,
  ],
  [
    'a good nonce in the URL, a bad one in the header',
    { cookies: cookie(valid), query: { _wpnonce: good }, headers: { 'x-wp-nonce': 'bad' } },
    `user_wp by cookie, nonce ${good}`,
  ],
  [
    'an empty nonce in the URL, a good one in the header',
    { cookies: cookie(valid), query: { _wpnonce: '' }, headers: { 'x-wp-nonce': good } },
    refusal,
  ],
  ['a list as nonce', { cookies: cookie(valid), query: { _wpnonce: [good] } }, refusal],
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
  ['the nonce of a visitor with a cookie', { cookies: cookie(valid), headers: { 'x-wp-nonce': visitors } }, refusal],
  ['the nonce of a visitor', { headers: { 'x-wp-nonce': visitors } }, `anonymous, nonce ${visitors}`],
  ['a nonce without its cookie', { headers: { 'x-wp-nonce': good } }, refusal],
  ['a wrong nonce alone', { query: { _wpnonce: 'ffffffffff' } }, refusal],
  ['an empty nonce alone', { query: { _wpnonce: '' } }, refusal],
  ['an expired cookie', { cookies: cookie(expired) }, 'anonymous'],
  [
    'an expired cookie and the nonce made for it',
    { cookies: cookie(expired), headers: { 'x-wp-nonce': good } },
    refusal,
  ],
  [
    'an expired cookie in a POST shortly after',
    { method: 'POST', cookies: cookie(expired), headers: { 'x-wp-nonce': good } },
    `user_wp by cookie, nonce ${good}`,
  ],
  [
    'a broken cookie and the nonce made for it',
    { cookies: cookie(`${valid}x`), headers: { 'x-wp-nonce': good } },
    refusal,
  ],
  ['garbage as cookie', { cookies: cookie('garbage') }, 'anonymous'],
  [
    'only the cookie of wp-admin and the nonce of the session',
    {
      cookies: { [site.cookies.secureAuth]: makeCookie(secrets, 'secure_auth', user, now + 60, token) },
      headers: { 'x-wp-nonce': good },
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
  ['a wrong application password', { headers: wrong }, '401 incorrect_password'],
  [
    'the password of the account',
    { headers: { authorization: basicHeader('user_bcrypt', 'correct horse') } },
    '401 incorrect_password',
  ],
  ['an unknown name', { headers: { authorization: basicHeader('nobody', 'x') } }, '401 invalid_username'],
  ['an unknown e-mail address', { headers: { authorization: basicHeader('no@body.test', 'x') } }, '401 invalid_email'],
  [
    'an e-mail address with a blank behind it',
    { headers: { authorization: basicHeader('no@body.test ', 'x') } },
    '401 invalid_username',
  ],
  ['an empty name', { headers: { authorization: basicHeader('', 'x') } }, '401 invalid_username'],
  ['an empty password', { headers: { authorization: basicHeader('user_bcrypt', '') } }, 'anonymous'],
  ['another kind of authorization', { headers: { authorization: 'Bearer abc' } }, 'anonymous'],
  [
    'a wrong application password with a wrong nonce',
    { headers: { ...wrong, 'x-wp-nonce': 'bad' } },
    '401 incorrect_password',
  ],
  [
    'a cookie with its nonce and an application password',
    { cookies: cookie(valid), headers: { ...basic, 'x-wp-nonce': good } },
    `user_wp by cookie, nonce ${good}`,
  ],
  [
    'a cookie with its nonce and a wrong application password',
    { cookies: cookie(valid), headers: { ...wrong, 'x-wp-nonce': good } },
    `user_wp by cookie, nonce ${good}`,
  ],
  ['a cookie and an application password without a nonce', { cookies: cookie(valid), headers: basic }, 'anonymous'],
  [
    'a dead cookie, its nonce and an application password',
    { cookies: cookie(expired), headers: { ...basic, 'x-wp-nonce': good } },
    'user_bcrypt by application-password',
  ],
  [
    'a dead cookie and a wrong application password',
    { cookies: cookie(expired), headers: wrong },
    '401 incorrect_password',
  ],
]
for (const [situation, request, expected] of table)
  test(`${situation}: ${expected}`, async () => assert.equal(await outcome(request), expected))

test('recorded: auth-cookie-check', async () => assert.deepEqual(await failuresIn('auth-cookie-check'), []))

test('the answer says whose it is, by what, and in which session', async () => {
  const byCookie = await authenticator.identify(
    requestWith({ cookies: cookie(valid), headers: { 'x-wp-nonce': good } }),
  )
  assert.equal(byCookie.sessionToken, token)
  assert.equal(byCookie.loggedInCookie, true)
  assert.ok(byCookie.caller.capabilities.has('publish_posts'))
  const byProgram = await authenticator.identify(requestWith({ headers: basic }))
  assert.equal(byProgram.applicationPassword, programItem.uuid)
  assert.deepEqual([byProgram.nonce, byProgram.sessionToken, byProgram.loggedInCookie], [null, '', false])
})

test('a nonce of the tick before is answered with a fresh one', async () => {
  site.time.now = now + 43_200
  const later = makeCookie(secrets, 'logged_in', user, now + 90_000, token)
  const expected = createNonce(secrets, { action: 'wp_rest', userId: 2, sessionToken: token }, site.time.now)
  assert.equal(
    await outcome({ cookies: cookie(later), headers: { 'x-wp-nonce': good } }),
    `user_wp by cookie, nonce ${expected}`,
  )
  assert.notEqual(expected, good)
})

test('the reason why application passwords are unavailable is told', async () => {
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

test('before the first application password exists, Basic credentials say nothing', async () => {
  const unused = await openSite()
  const identity = await unused.authenticator.identify(requestWith({ headers: wrong }))
  assert.deepEqual([identity.problem, identity.caller], [null, anonymous])
  await unused.close()
})

test('who has no credentials, or cookies alone, is told at once and without the database', () => {
  const closed = new Proxy(new Map<string, string>(), { get: () => assert.fail('the cookies were read') })
  const none = authenticator.identify(requestWith())
  assert.ok(!(none instanceof Promise))
  assert.equal(authenticator.identify({ ...requestWith({ headers: { cookie: 'a=b' } }), cookies: closed }), none)
  assert.ok(!(authenticator.identify(requestWith({ headers: { 'x-wp-nonce': 'bad' } })) instanceof Promise))
})

test('what is stored counts at once: sessions, passwords, roles and names', async () => {
  const request = { cookies: cookie(valid), headers: { 'x-wp-nonce': good } }
  const capabilitiesNow = async () => (await authenticator.identify(requestWith(request))).caller.capabilities
  assert.ok(!(await capabilitiesNow()).has('manage_options'))
  await site.storage.users.meta.write(2, 'wp_capabilities', serialize({ administrator: true }))
  assert.ok((await capabilitiesNow()).has('manage_options'))
  await site.storage.users.meta.write(2, 'wp_capabilities', serialize({ author: true }))
  assert.ok(!(await capabilitiesNow()).has('manage_options'))
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
  await site.storage.users.meta.write(3, applicationPasswordsKey, serialize([{ ...programItem }]))
  assert.equal(await outcome({ headers: basic }), 'user_bcrypt by application-password')
})

test('whatever is sent as credentials, nobody gets in without the right ones', async () => {
  const text = fc.oneof(fc.string(), fc.constantFrom(valid, expired, good, visitors, '__proto__', 'constructor'))
  const bag = fc.dictionary(fc.constantFrom('_wpnonce', '__proto__', site.cookies.loggedIn, 'x'), text)
  const logins = [...Object.keys(recordedSite.users), 'USER_BCRYPT', '3@example.test', 'wp@example.test', '']
  const nearly = fc
    .tuple(fc.nat(program.length - 1), fc.constantFrom('', 'a', 'Z', '0', '-'))
    .map(([at, put]) => program.slice(0, at) + put + program.slice(at + 1))
  const credentials = fc
    .record({
      login: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...logins) }, { weight: 1, arbitrary: fc.string() }),
      password: fc.oneof(fc.constantFrom(program, ' ', '-', '\0', good, valid, user.user_pass), nearly, fc.string()),
    })
    // The one right pair, whatever signs stand between the letters of the password.
    .filter(
      ({ login, password }) =>
        !(/^(?:user_bcrypt|3@)/i.test(login.trim()) && password.replaceAll(/[^a-z\d]/gi, '') === program),
    )
  const authorization = fc.oneof(
    { weight: 3, arbitrary: credentials.map(({ login, password }) => basicHeader(login, password)) },
    {
      weight: 1,
      arbitrary: fc.oneof(
        text,
        text.map((some) => `Basic ${some}`),
      ),
    },
  )
  const met = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(bag, bag, bag),
      text,
      authorization,
      fc.ipV4(),
      async ([cookies, query, form], nonce, basicOrNot, address) => {
        const sent = [query['_wpnonce'], form['_wpnonce'], nonce]
        fc.pre(!(sent.includes(good) && cookies[site.cookies.loggedIn] === valid))
        const headers = { 'x-wp-nonce': nonce, authorization: basicOrNot }
        const identity = await authenticator.identify(requestWith({ cookies, query, form, headers, address }))
        assert.equal(identity.caller, anonymous)
        const code = identity.problem?.code ?? 'none'
        met.set(code, (met.get(code) ?? 0) + 1)
      },
    ),
    { numRuns: 300 },
  )
  for (const code of ['incorrect_password', 'invalid_username', 'rest_cookie_invalid_nonce'])
    assert.ok((met.get(code) ?? 0) >= 5, `${code}: ${met.get(code)} of ${[...met].join()}`)
})
