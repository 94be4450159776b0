import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { failuresIn } from '../../conformance/replay/failures.js'
import { recordedSecrets, recordedSite } from '../../test/authentication-site.js'
import { createNonce, verifyNonce } from './nonce.js'

const secrets = recordedSecrets()

for (const name of ['auth-nonces', 'auth-nonces-wrong'])
  test(`recorded: ${name}`, async () => assert.deepEqual(await failuresIn(name), []))

test('no text but the two nonces of its time is ever accepted', () => {
  const purpose = { action: 'wp_rest', userId: 2, sessionToken: 'token' }
  const good = createNonce(secrets, purpose, recordedSite.now)
  const before = createNonce(secrets, purpose, recordedSite.now - 43_200)
  const forged = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 10, maxLength: 10 }),
    fc
      .tuple(fc.nat(9), fc.string({ minLength: 0, maxLength: 2 }))
      .map(([at, put]) => good.slice(0, at) + put + good.slice(at + 1)),
  )
  fc.assert(
    fc.property(forged, (nonce) => {
      fc.pre(nonce !== good && nonce !== before)
      assert.equal(verifyNonce(secrets, nonce, purpose, recordedSite.now), false)
    }),
  )
})

test('a nonce is good for nobody else, in no other session and for no other action', () => {
  const purpose = fc.record({
    // A bar inside an action could be taken for the bar before the user; no action has one.
    action: fc.oneof(
      fc.constant('wp_rest'),
      fc.string().filter((text) => !text.includes('|')),
    ),
    userId: fc.oneof(fc.nat(20), fc.nat()),
    sessionToken: fc.stringMatching(/^[A-Za-z0-9]{0,43}$/),
  })
  for (const field of ['action', 'userId', 'sessionToken'] as const)
    fc.assert(
      fc.property(purpose, purpose, (made, other) => {
        fc.pre(made[field] !== other[field])
        const used = { ...made, [field]: other[field] }
        const nonce = createNonce(secrets, made, recordedSite.now)
        assert.equal(verifyNonce(secrets, nonce, made, recordedSite.now), 1)
        assert.equal(verifyNonce(secrets, nonce, used, recordedSite.now), false, field)
      }),
    )
})
