import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readVectors } from '../../conformance/vectors.js'
import { openSite } from '../../test/authentication-site.js'
import { serialize } from '../php/serialize.js'
import { ApplicationPasswordLogin } from './application-password-login.js'
import { applicationPasswordsKey, parseApplicationPasswords } from './stored-application-passwords.js'
import { HasherBusyError } from './password-hash.js'
import { RateLimiter } from './rate-limiter.js'
import { applicationPasswordLimits } from './rate-limits.js'

const file = readVectors('auth-application-passwords')
const setup = file['setup'] as { storedAfterTheRun: { last_used: number | null; last_ip: string | null }[] }
const unusedItems = setup.storedAfterTheRun.map((item) => ({ ...item, last_used: null, last_ip: null }))

/** The recorded site with the recorded application passwords, before their first use. */
async function siteWithPasswords() {
  const site = await openSite()
  await site.storage.users.meta.add(2, applicationPasswordsKey, serialize(unusedItems))
  await site.storage.options.write('using_application_passwords', '1')
  return site
}

test('the use of an application password is recorded as in WordPress', async () => {
  const site = await siteWithPasswords()
  for (const password of ['abcdEFGH1234ijklMNOP5678', 'AAAABBBBCCCCDDDDEEEEFFFF']) {
    const credentials = { username: 'user_wp', password }
    await site.applicationLogin.authenticate(credentials, { address: '127.0.0.1', unavailableReason: null })
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
/** @returns the refusal; null when the login succeeds. */
const attempt = async (password: string, address = '192.0.2.1', unavailableReason: string | null = null) => {
  const credentials = { username: 'user_wp', password }
  const result = await site.applicationLogin.authenticate(credentials, { address, unavailableReason })
  return result === null || !('problem' in result) ? null : result
}

test('refusals have the messages and statuses of WordPress, and the reason why passwords are not available', async () => {
  const wrong = await attempt('wrong')
  assert.equal(wrong?.problem.message, 'The provided password is an invalid application password.')
  assert.deepEqual(wrong?.problem.data, { status: 401 })
  const disabled = await attempt('abcdEFGH1234ijklMNOP5678', '192.0.2.1', 'Because.')
  assert.equal(disabled?.problem.message, 'Application passwords are not available. Because.')
})

test('after many wrong passwords a network has to wait, and other networks do not', async () => {
  let refusal = await attempt('wrong')
  for (let count = 0; count < 100 && refusal?.retryAfter === null; count += 1) refusal = await attempt('wrong')
  assert.deepEqual(refusal?.problem.data, { status: 429 })
  assert.equal(refusal?.retryAfter, 6)
  assert.equal((await attempt('abcdEFGH1234ijklMNOP5678'))?.retryAfter, 6)
  assert.equal(await attempt('abcdEFGH1234ijklMNOP5678', '192.0.2.2'), null)
  site.time.now += 6
  assert.equal(await attempt('abcdEFGH1234ijklMNOP5678'), null)
})

test('a revoked password is refused at the next request', async () => {
  const { password, item } = await site.applicationPasswords.create(2, { name: 'lost' })
  assert.equal(await attempt(password), null)
  await site.applicationPasswords.revoke(2, item.uuid)
  assert.equal((await attempt(password))?.problem.code, 'incorrect_password')
})

test('a busy hasher gives 503 for a hash of an older kind, and the attempts do not count', async () => {
  const { accounts, applicationPasswords, clock } = site
  const busy = () => Promise.reject(new HasherBusyError('Too many passwords wait to be checked.'))
  const rateLimiter = new RateLimiter(applicationPasswordLimits, clock)
  const login = new ApplicationPasswordLogin(
    accounts,
    applicationPasswords,
    { hash: busy, verify: busy, needsRehash: () => false },
    rateLimiter,
  )
  const credentials = { username: 'user_wp', password: 'AAAABBBBCCCCDDDDEEEEFFFF' }
  for (let count = 0; count < 100; count += 1) {
    const result = await login.authenticate(credentials, { address: '192.0.2.9', unavailableReason: null })
    assert.ok(result && 'problem' in result)
    assert.deepEqual(result.problem.data, { status: 503 })
  }
})

test('attempts where application passwords are not available do not count', async () => {
  for (let count = 0; count < 100; count += 1) {
    const refusal = await attempt('abcdEFGH1234ijklMNOP5678', '192.0.2.8', 'Because.')
    assert.deepEqual(refusal?.problem.data, { status: 401 })
  }
  assert.equal(await attempt('abcdEFGH1234ijklMNOP5678', '192.0.2.8'), null)
})

test('any number of concurrent requests with the right password succeed', async () => {
  const { password } = await site.applicationPasswords.create(2, { name: 'busy' })
  const results = await Promise.all(Array.from({ length: 300 }, () => attempt(password, '192.0.2.3')))
  assert.deepEqual(
    results.filter((refusal) => refusal !== null),
    [],
  )
})
