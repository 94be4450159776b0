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

async function verdictOn(text: string, method = 'GET') {
  const found = await verifyCookie(text, 'logged_in', site, { now, method })
  return typeof found === 'string'
    ? { userId: false, reason: `auth_cookie_${found}` }
    : { userId: found.user.ID, reason: 'auth_cookie_valid' }
}

for (const name of ['auth-cookies', 'auth-cookies-tampered'])
  test(`recorded: ${name}`, async () => assert.deepEqual(await failuresIn(name), []))

const user = { user_login: 'user_wp', user_pass: recordedSite.users['user_wp']?.user_pass ?? '' }
const good = makeCookie(site.secrets, 'logged_in', user, now + 3600, recordedSite.sessionTokens.live)

test('the end of a cookie is overlooked for an hour, for a POST and no other method', () => {
  const cookie = { login: 'user_wp', expiration: String(now), token: 'token', mac: 'mac' }
  assert.equal(cookieHasExpired(cookie, now, 'GET'), false)
  for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    assert.equal(cookieHasExpired(cookie, now + 1, method), true, method)
  assert.equal(cookieHasExpired(cookie, now + 3600, 'POST'), false)
  assert.equal(cookieHasExpired(cookie, now + 3601, 'POST'), true)
})

test('no change to a good cookie is ever accepted', async () => {
  assert.equal((await verdictOn(good)).userId, 2)
  const changes = fc.array(fc.tuple(fc.nat(good.length), fc.nat(3), fc.string({ maxLength: 3 })), {
    minLength: 1,
    maxLength: 4,
  })
  const changed = changes.map((list) =>
    list.reduce((text, [at, removed, put]) => text.slice(0, at) + put + text.slice(at + removed), good),
  )
  await fc.assert(
    fc.asyncProperty(changed, async (forged) => {
      fc.pre(forged !== good)
      assert.equal((await verdictOn(forged)).userId, false)
    }),
    { numRuns: 500 },
  )
})

test('no cookie made up without the secrets is ever accepted', async () => {
  const part = fc.oneof(fc.string(), fc.constantFrom('user_wp', recordedSite.sessionTokens.live, String(now + 9)))
  const mac = parseCookie(good)?.mac ?? ''
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 })
  // All is right but the last part, which only the secrets can make; the one of `good` is for another time.
  const allButTheMac = fc.tuple(
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
  const met = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.array(part, { maxLength: 6 }), allButTheMac), async (parts) => {
      const { userId, reason } = await verdictOn(parts.join('|'))
      assert.equal(userId, false)
      met.set(reason, (met.get(reason) ?? 0) + 1)
    }),
    { numRuns: 300 },
  )
  assert.ok((met.get('auth_cookie_bad_hash') ?? 0) > 50, [...met].join())
})

test('the cookie of another scheme, user or time is not accepted with its parts exchanged', async () => {
  const parts = parseCookie(good)
  assert.ok(parts)
  for (const scheme of ['auth', 'secure_auth'] as const) {
    const other = makeCookie(site.secrets, scheme, user, now + 3600, recordedSite.sessionTokens.live)
    assert.equal((await verdictOn(other)).reason, 'auth_cookie_bad_hash')
  }
  assert.equal((await verdictOn(`user_md5|${parts.expiration}|${parts.token}|${parts.mac}`)).userId, false)
})

test('a cookie of a megabyte is looked at in no time', async () => {
  const started = performance.now()
  for (const text of ['|'.repeat(1_000_000), `${'9'.repeat(1_000_000)}|`.repeat(3), 'x'.repeat(1_000_000)])
    assert.equal((await verdictOn(text)).userId, false)
  const inLogin = `${'&a%'.repeat(300_000)}|${now + 9}|a|b`
  assert.equal((await verdictOn(inLogin)).reason, 'auth_cookie_bad_username')
  assert.ok(performance.now() - started < 1000)
})
