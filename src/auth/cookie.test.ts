import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as fc from 'fast-check'
import { failuresIn } from '../../conformance/replay/failures.js'
import { openSite, recordedSite } from '../../test/authentication-site.js'
import { cookieHasExpired, makeCookie, parseCookie } from './cookie.js'
import { verifyCookie } from './verify-cookie.js'

const site = await openSite()
after(() => site.close())

const now = recordedSite.now

async function verification(text: string, method = 'GET') {
  const account = await verifyCookie(text, 'logged_in', site, { now, method })
  return typeof account === 'string'
    ? { userId: false, reason: `auth_cookie_${account}` }
    : { userId: account.user.ID, reason: 'auth_cookie_valid' }
}

for (const name of ['auth-cookies', 'auth-cookies-tampered'])
  test(`the cookie checks of WordPress in ${name} are reproduced`, async () =>
    assert.deepEqual(await failuresIn(name), []))

const user = { user_login: 'user_wp', user_pass: recordedSite.users['user_wp']?.user_pass ?? '' }
const valid = makeCookie(site.secrets, 'logged_in', user, now + 3600, recordedSite.sessionTokens.live)

test('an expired cookie stays valid for an hour for POST, and for no other method', () => {
  const cookie = { login: 'user_wp', expiration: String(now), token: 'token', mac: 'mac' }
  assert.equal(cookieHasExpired(cookie, now, 'GET'), false)
  for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    assert.equal(cookieHasExpired(cookie, now + 1, method), true, method)
  assert.equal(cookieHasExpired(cookie, now + 3600, 'POST'), false)
  assert.equal(cookieHasExpired(cookie, now + 3601, 'POST'), true)
})

test('a changed cookie is never accepted', async () => {
  assert.equal((await verification(valid)).userId, 2)
  const changes = fc.array(fc.tuple(fc.nat(valid.length), fc.nat(3), fc.string({ maxLength: 3 })), {
    minLength: 1,
    maxLength: 4,
  })
  const changed = changes.map((list) =>
    list.reduce((text, [at, removed, inserted]) => text.slice(0, at) + inserted + text.slice(at + removed), valid),
  )
  await fc.assert(
    fc.asyncProperty(changed, async (forged) => {
      fc.pre(forged !== valid)
      assert.equal((await verification(forged)).userId, false)
    }),
    { numRuns: 500 },
  )
})

test('a cookie that is created without the secrets is never accepted', async () => {
  const part = fc.oneof(fc.string(), fc.constantFrom('user_wp', recordedSite.sessionTokens.live, String(now + 9)))
  const mac = parseCookie(valid)?.mac ?? ''
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 })
  // Every part is valid except the signature. The signature of `valid` belongs to another expiration.
  const invalidSignature = fc.tuple(
    fc.constantFrom(...Object.keys(recordedSite.users)),
    fc.integer({ min: now + 1, max: now + 1_000_000 }).map((time) => String(time === now + 3600 ? now + 9 : time)),
    fc.constantFrom(...Object.values(recordedSite.sessionTokens)),
    fc.oneof(
      fc.constantFrom('', '0', mac),
      fc.nat(mac.length - 1).map((length) => mac.slice(0, length)),
      digits,
      part,
    ),
  )
  const counts = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.array(part, { maxLength: 6 }), invalidSignature), async (parts) => {
      const { userId, reason } = await verification(parts.join('|'))
      assert.equal(userId, false)
      counts.set(reason, (counts.get(reason) ?? 0) + 1)
    }),
    { numRuns: 300 },
  )
  assert.ok((counts.get('auth_cookie_bad_hash') ?? 0) > 50, [...counts].join())
})

test('a cookie of another scheme, or with another login name, is not accepted', async () => {
  const parts = parseCookie(valid)
  assert.ok(parts)
  for (const scheme of ['auth', 'secure_auth'] as const) {
    const other = makeCookie(site.secrets, scheme, user, now + 3600, recordedSite.sessionTokens.live)
    assert.equal((await verification(other)).reason, 'auth_cookie_bad_hash')
  }
  assert.equal((await verification(`user_md5|${parts.expiration}|${parts.token}|${parts.mac}`)).userId, false)
})

test('cookies of a megabyte are rejected', async () => {
  for (const text of ['|'.repeat(1_000_000), `${'9'.repeat(1_000_000)}|`.repeat(3), 'x'.repeat(1_000_000)])
    assert.equal((await verification(text)).userId, false)
  const longLogin = `${'&a%'.repeat(300_000)}|${now + 9}|a|b`
  assert.equal((await verification(longLogin)).reason, 'auth_cookie_bad_username')
})
