import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readVectors } from '../../conformance/vectors.js'
import { openSite } from '../../test/authentication-site.js'
import { serialize } from '../php/serialize.js'
import { ApplicationPasswordLogin } from './application-password-login.js'
import { applicationPasswordsKey, parseApplicationPasswords } from './application-passwords.js'
import { HasherBusyError } from './password-hash.js'
import { applicationPasswordLimits, RateLimiter } from './rate-limiter.js'

const file = readVectors('auth-application-passwords')
const setup = file['setup'] as { storedAfterTheRun: { last_used: number | null; last_ip: string | null }[] }
const unused = setup.storedAfterTheRun.map((item) => ({ ...item, last_used: null, last_ip: null }))

/** The recorded site; the recorded user has the recorded passwords. */
async function siteWithPasswords() {
  const site = await openSite()
  await site.storage.users.meta.add(2, applicationPasswordsKey, serialize(unused))
  await site.storage.options.write('using_application_passwords', '1')
  return site
}

test('the use of a password is noted as WordPress notes it', async () => {
  const site = await siteWithPasswords()
  for (const password of ['abcdEFGH1234ijklMNOP5678', 'AAAABBBBCCCCDDDDEEEEFFFF']) {
    const credentials = { username: 'user_wp', password }
    await site.applicationLogin.authenticate(credentials, { address: '127.0.0.1', unavailable: null })
  }
  const [stored = null] = await site.storage.users.meta.read(2, applicationPasswordsKey)
  assert.deepEqual(
    parseApplicationPasswords(stored),
    setup.storedAfterTheRun.map((item) => ({ ...item })),
  )
  await site.close()
})

const site = await siteWithPasswords()
after(() => site.close())
const attempt = async (password: string, address = '192.0.2.1', unavailable: string | null = null) => {
  const result = await site.applicationLogin.authenticate({ username: 'user_wp', password }, { address, unavailable })
  return result === null || !('problem' in result) ? null : result
}

test('messages and data are those of WordPress; the reason of a refusal is added', async () => {
  const wrong = await attempt('wrong')
  assert.equal(wrong?.problem.message, 'The provided password is an invalid application password.')
  assert.deepEqual(wrong?.problem.data, { status: 401 })
  const disabled = await attempt('abcdEFGH1234ijklMNOP5678', '192.0.2.1', 'Because.')
  assert.equal(disabled?.problem.message, 'Application passwords are not available. Because.')
})

test('a program with a wrong password is told to wait; programs elsewhere are not', async () => {
  let refused = await attempt('wrong')
  for (let count = 0; count < 100 && refused?.retryAfter === null; count += 1) refused = await attempt('wrong')
  assert.deepEqual(refused?.problem.data, { status: 429 })
  assert.equal(refused?.retryAfter, 6)
  assert.equal((await attempt('abcdEFGH1234ijklMNOP5678'))?.retryAfter, 6)
  assert.equal(await attempt('abcdEFGH1234ijklMNOP5678', '192.0.2.2'), null)
  site.time.now += 6
  assert.equal(await attempt('abcdEFGH1234ijklMNOP5678'), null)
})

test('a revoked password does not count a moment longer', async () => {
  const { password, item } = await site.applicationPasswords.create(2, { name: 'lost' })
  assert.equal(await attempt(password), null)
  await site.applicationPasswords.revoke(2, item.uuid)
  assert.equal((await attempt(password))?.problem.code, 'incorrect_password')
})

test('an old hash is not checked while too many others wait, which is said and costs no attempt', async () => {
  const { accounts, applicationPasswords, clock } = site
  const busy = () => Promise.reject(new HasherBusyError('Too many passwords wait to be checked.'))
  const throttle = new RateLimiter(applicationPasswordLimits, clock)
  const login = new ApplicationPasswordLogin(accounts, applicationPasswords, { hash: busy, verify: busy }, throttle)
  const credentials = { username: 'user_wp', password: 'AAAABBBBCCCCDDDDEEEEFFFF' }
  for (let count = 0; count < 100; count += 1) {
    const result = await login.authenticate(credentials, { address: '192.0.2.9', unavailable: null })
    assert.ok(result && 'problem' in result)
    assert.deepEqual(result.problem.data, { status: 503 })
  }
})

test('what may not be looked at over plain HTTP is no wrong password', async () => {
  for (let count = 0; count < 100; count += 1) {
    const refused = await attempt('abcdEFGH1234ijklMNOP5678', '192.0.2.8', 'Because.')
    assert.deepEqual(refused?.problem.data, { status: 401 })
  }
  assert.equal(await attempt('abcdEFGH1234ijklMNOP5678', '192.0.2.8'), null)
})

test('a program may have any number of requests under way', async () => {
  const { password } = await site.applicationPasswords.create(2, { name: 'busy' })
  const results = await Promise.all(Array.from({ length: 300 }, () => attempt(password, '192.0.2.3')))
  assert.deepEqual(
    results.filter((refused) => refused !== null),
    [],
  )
})
