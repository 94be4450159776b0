import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { failuresIn } from '../../conformance/replay/failures.js'
import { recordedSecrets, type RecordedSite } from '../../test/authentication-site.js'
import { loadSecrets, schemes, type Scheme, type Secrets } from './secrets.js'
import { openTestStorage } from '../../test/support/test-database.js'

test('the hashes of WordPress in auth-hashes are reproduced', async () =>
  assert.deepEqual(await failuresIn('auth-hashes'), []))

const storage = await openTestStorage()
after(() => storage.close())

const constants = Object.fromEntries(
  schemes.flatMap((scheme) =>
    ['KEY', 'SALT'].map((half) => [`${scheme.toUpperCase()}_${half}`, `constant ${scheme} ${half}`]),
  ),
)
const signatures = (secrets: Secrets) => schemes.map((scheme) => secrets.wpHash('data', scheme))

test('without constants the secrets are created once, stored in the database, and the same for all processes', async () => {
  const [first, second] = await Promise.all([loadSecrets(storage, {}), loadSecrets(storage, {})])
  assert.deepEqual(signatures(first), signatures(second))
  assert.deepEqual(signatures(first), signatures(await loadSecrets(storage, {})))
  assert.equal(new Set(signatures(first)).size, 4)
  const stored = await storage.options.readMany(['auth_key', 'nonce_salt', 'secure_auth_key', 'logged_in_salt'])
  assert.equal(stored.size, 4)
  for (const text of stored.values()) assert.match(text, /^[A-Za-z0-9]{64}$/)
})

test('secrets from constants are used unchanged and are not stored', async () => {
  const empty = await openTestStorage()
  const secrets = await loadSecrets(empty, constants)
  assert.equal(secrets.wpHash('data', 'nonce'), recordedSecrets({ keys: constantKeys() }).wpHash('data', 'nonce'))
  assert.equal(await empty.options.read('auth_key'), null)
  await empty.close()
})

const unusable: [reason: string, text: string | undefined][] = [
  ['is missing', undefined],
  ['is empty', ''],
  ['is the placeholder of the sample configuration', 'put your unique phrase here'],
  ['is the same as another one', 'constant auth KEY'],
]
for (const [reason, text] of unusable)
  test(`a constant that ${reason} is not used`, async () => {
    const secrets = await loadSecrets(storage, { ...constants, NONCE_KEY: text })
    const expected = await storage.options.read('nonce_key')
    const keys = { ...constantKeys(), nonce: { key: expected ?? '', salt: 'constant nonce SALT' } }
    assert.equal(secrets.wpHash('data', 'nonce'), recordedSecrets({ keys }).wpHash('data', 'nonce'))
  })

test('a stored secret that is empty is replaced', async () => {
  await storage.options.write('auth_key', '')
  await loadSecrets(storage, {})
  assert.match((await storage.options.read('auth_key')) ?? '', /^[A-Za-z0-9]{64}$/)
})

function constantKeys(): RecordedSite['keys'] {
  const halves = (scheme: Scheme) => ({ key: `constant ${scheme} KEY`, salt: `constant ${scheme} SALT` })
  return {
    auth: halves('auth'),
    secure_auth: halves('secure_auth'),
    logged_in: halves('logged_in'),
    nonce: halves('nonce'),
  }
}
