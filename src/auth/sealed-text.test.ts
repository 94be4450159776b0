import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordedSecrets } from '../../test/authentication-site.js'
import { Secrets } from './secrets.js'
import { openSealedText, sealText } from './sealed-text.js'

const secrets = recordedSecrets()
const other = new Secrets({ auth: 'x', secure_auth: 'x', logged_in: 'x', nonce: 'x' })
const text = 'Grüße\n{"password":"abcd efgh"}'
const sealed = sealText(text, 'purpose', 1000, secrets)

test('a sealed text is opened for its purpose until it expires', () => {
  assert.equal(openSealedText(sealed, 'purpose', 999, secrets), text)
  assert.doesNotMatch(Buffer.from(sealed, 'base64url').toString('latin1'), /abcd/)
  assert.notEqual(sealText(text, 'purpose', 1000, secrets), sealed)
})

const refused: [sealed: string, purpose: string, now: number, by: Secrets, reason: string][] = [
  [sealed, 'purpose', 1000, secrets, 'has expired'],
  [sealed, 'other purpose', 999, secrets, 'has another purpose'],
  [sealed, 'purpose', 999, other, 'is of another site'],
  ['', 'purpose', 999, secrets, 'is empty'],
  ['A'.repeat(37), 'purpose', 999, secrets, 'is too short'],
  [`${sealed.slice(0, -2)}AA`, 'purpose', 999, secrets, 'has another tag'],
  [`AAAA${sealed.slice(4)}`, 'purpose', 999, secrets, 'has another nonce'],
  ['é%00', 'purpose', 999, secrets, 'is no base64'],
]
for (const [value, purpose, now, by, reason] of refused)
  test(`a sealed text that ${reason} is not opened`, () => {
    assert.equal(openSealedText(value, purpose, now, by), null)
  })
