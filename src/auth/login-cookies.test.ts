import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordedSecrets } from '../../test/authentication-site.js'
import { LoginCookies } from './login-cookies.js'

const secrets = recordedSecrets()
/** Sat, 21 Nov 2026 01:55:46 GMT. */
const now = 1_795_226_146
const login = { user: { user_login: 'ad min', user_pass: '$wp$2y$10$TAIL' }, token: 'tok43', expiration: now + 172_800 }

test('the names of the cookies contain the hash of the site URL', () => {
  for (const address of ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/', 'http://127.0.0.1:8080///']) {
    const cookies = new LoginCookies(secrets, address)
    assert.equal(cookies.auth, 'wordpress_ef301f25d1b8e2bca70fafc1316f1a92')
    assert.equal(cookies.secureAuth, 'wordpress_sec_ef301f25d1b8e2bca70fafc1316f1a92')
    assert.equal(cookies.loggedIn, 'wordpress_logged_in_ef301f25d1b8e2bca70fafc1316f1a92')
  }
})

/** The lines without hash and value. cookie.test.ts tests the values. */
const shapes = (lines: readonly string[]) => lines.map((line) => line.replace(/^(\w+?)_[0-9a-f]{32}=[^;]*/, '$1'))

test('a login sets the cookies of both schemes, and without expiry they end with the browser session', () => {
  const lines = new LoginCookies(secrets, 'http://example.test').setLogin({ ...login, remembered: false }, now, false)
  assert.deepEqual(shapes(lines), [
    'wordpress; path=/wp-content/plugins; HttpOnly',
    'wordpress; path=/wp-admin; HttpOnly',
    'wordpress_logged_in; path=/; HttpOnly',
  ])
  assert.match(lines[0] ?? '', /=ad%20min%7C1795398946%7Ctok43%7C[0-9a-f]{64};/)
})

test('the cookies of a remembered login expire half a day after the session', () => {
  const remembered = { ...login, expiration: now + 14 * 86_400, remembered: true }
  const lines = new LoginCookies(secrets, 'http://example.test').setLogin(remembered, now, false)
  assert.equal(
    shapes(lines)[2],
    'wordpress_logged_in; expires=Sat, 05 Dec 2026 13:55:46 GMT; Max-Age=1252800; path=/; HttpOnly',
  )
})

test('over TLS the cookies are secure, and the one for the whole site only when home is https', () => {
  const secure = new LoginCookies(secrets, 'https://example.test').setLogin({ ...login, remembered: false }, now, true)
  assert.deepEqual(shapes(secure), [
    'wordpress_sec; path=/wp-content/plugins; secure; HttpOnly',
    'wordpress_sec; path=/wp-admin; secure; HttpOnly',
    'wordpress_logged_in; path=/; secure; HttpOnly',
  ])
  const mixed = new LoginCookies(secrets, 'http://example.test').setLogin({ ...login, remembered: false }, now, true)
  assert.equal(shapes(mixed)[2], 'wordpress_logged_in; path=/; HttpOnly')
})

test('a login over plain HTTP gets cookies without secure, even when the site URL is https', () => {
  const lines = new LoginCookies(secrets, 'https://example.test').setLogin({ ...login, remembered: false }, now, false)
  for (const line of lines) assert.doesNotMatch(line, /; secure/)
})

test('a site whose siteurl and home have different paths sets the logged-in cookie for both', () => {
  const cookies = new LoginCookies(secrets, 'http://example.test/wp/', 'http://example.test/blog')
  assert.deepEqual(shapes(cookies.setLogin({ ...login, remembered: false }, now, false)), [
    'wordpress; path=/wp/wp-content/plugins; HttpOnly',
    'wordpress; path=/wp/wp-admin; HttpOnly',
    'wordpress_logged_in; path=/blog/; HttpOnly',
    'wordpress_logged_in; path=/wp/; HttpOnly',
  ])
})

test('logging out deletes every cookie', () => {
  const lines = new LoginCookies(secrets, 'http://example.test').clearLogin(now)
  assert.equal(lines.length, 6)
  assert.ok(lines.some((line) => line.startsWith('wp-postpass')))
  for (const line of lines) assert.match(line, /^[\w-]+=%20; expires=Fri, 21 Nov 2025 01:55:46 GMT; Max-Age=0; path=\//)
})

test('the login form sets a test cookie', () => {
  const lines = new LoginCookies(secrets, 'http://example.test').setTest()
  assert.deepEqual(lines, ['wordpress_test_cookie=WP%20Cookie%20check; path=/; HttpOnly'])
})
