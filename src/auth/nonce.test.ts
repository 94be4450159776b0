import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { failuresIn } from '../../conformance/replay/failures.js'
import { recordedSecrets, recordedSite } from '../../test/authentication-site.js'
import { createNonce, verifyNonce } from './nonce.js'

const secrets = recordedSecrets()

for (const name of ['auth-nonces', 'auth-nonces-wrong'])
  test(`the nonces of WordPress in ${name} are reproduced`, async () => assert.deepEqual(await failuresIn(name), []))

test('only the nonces of the current and the previous tick are accepted', () => {
  const purpose = { action: 'wp_rest', userId: 2, sessionToken: 'token' }
  const current = createNonce(secrets, purpose, recordedSite.now)
  const previous = createNonce(secrets, purpose, recordedSite.now - 43_200)
  const forged = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 10, maxLength: 10 }),
    fc
      .tuple(fc.nat(9), fc.string({ minLength: 0, maxLength: 2 }))
      .map(([at, inserted]) => current.slice(0, at) + inserted + current.slice(at + 1)),
  )
  fc.assert(
    fc.property(forged, (nonce) => {
      fc.pre(nonce !== current && nonce !== previous)
      assert.equal(verifyNonce(secrets, nonce, purpose, recordedSite.now), false)
    }),
  )
})

test('a nonce is not valid for another user, session or action', () => {
  const purposes = fc.record({
    // The hashed text separates its parts with bars. Without bars in the action, different purposes give different
    // texts.
    action: fc.oneof(
      fc.constant('wp_rest'),
      fc.string().filter((text) => !text.includes('|')),
    ),
    userId: fc.oneof(fc.nat(20), fc.nat()),
    sessionToken: fc.stringMatching(/^[A-Za-z0-9]{0,43}$/),
  })
  for (const field of ['action', 'userId', 'sessionToken'] as const)
    fc.assert(
      fc.property(purposes, purposes, (purpose, other) => {
        fc.pre(purpose[field] !== other[field])
        const otherPurpose = { ...purpose, [field]: other[field] }
        const nonce = createNonce(secrets, purpose, recordedSite.now)
        assert.equal(verifyNonce(secrets, nonce, purpose, recordedSite.now), 1)
        assert.equal(verifyNonce(secrets, nonce, otherPurpose, recordedSite.now), false, field)
      }),
    )
})
