import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { RestResponse } from '../../src/http/rest-response.js'
import { currentUser } from '../../src/auth/current-user.js'
import { AsRestRoute } from '../../src/routing/as-rest-route.js'
import { startService, type StartedService } from '../support/start-service.js'
import { onlyOnSqlite } from '../support/test-database.js'

class Whoami {
  @AsRestRoute({ namespace: 'who/v1', route: '/me', permission: 'public' })
  me() {
    return new RestResponse({ login: currentUser().login })
  }
}

let site: StartedService
let now = Date.UTC(2026, 0, 15)
const passwords = new Map<string, string>()
before(async () => {
  site = await startService([Whoami], { trusted_proxies: ['127.0.0.1'], clock: () => now })
  for (const login of ['mia', 'ben', 'eve', 'kim']) {
    const { id } = await site.service.users.create({ login, email: `${login}@shop.example`, password: 'right' })
    passwords.set(login, (await site.service.applicationPasswords.create(id, { name: 'test' })).password)
  }
})
after(() => site.close())

const from = (address: string) => ({ 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' })

function signIn(login: string, password: string, address: string): Promise<Response> {
  const body = new URLSearchParams({ log: login, pwd: password })
  return fetch(`${site.url}/wp-login.php`, { method: 'POST', body, headers: from(address), redirect: 'manual' })
}

function callMe(login: string, password: string, address: string): Promise<Response> {
  const Authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`
  return fetch(`${site.rest}who/v1/me`, { headers: { ...from(address), Authorization } })
}

/** How many attempts it takes until the response is a 429. */
async function refusedAfter(
  attempt: () => Promise<Response>,
  most: number,
): Promise<[count: number, response: Response]> {
  for (let count = 1; count <= most; count += 1) {
    const response = await attempt()
    if (response.status === 429) return [count, response]
    await response.text()
  }
  return assert.fail(`${most} attempts were let through`)
}

const lockOuts = () => site.log.filter(({ message }) => message.startsWith('too many wrong'))

test('wrong logins are told to wait, with a page; time and other addresses help', async () => {
  const [count, refused] = await refusedAfter(() => signIn('mia', 'wrong', '192.0.2.1'), 20)
  assert.equal(count, 11)
  assert.match(refused.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(await refused.text(), /Too many failed attempts/)
  const wait = Number(refused.headers.get('retry-after'))
  assert.ok(wait > 0 && wait <= 60, `Retry-After: ${wait}`)
  assert.equal((await signIn('mia', 'right', '192.0.2.1')).status, 429)
  assert.equal((await signIn('mia', 'right', '198.51.100.7')).status, 302)
  assert.equal((await signIn('ben', 'right', '192.0.2.1')).status, 302)
  assert.deepEqual(lockOuts(), [
    {
      level: 'warn',
      message: 'too many wrong passwords: further logins are refused for now',
      fields: { code: 'logins-locked', limit: 'pair', network: '192.0.2.1', login: 'mia', wait },
    },
  ])
  now += wait * 1000
  assert.equal((await signIn('mia', 'right', '192.0.2.1')).status, 302)
})

test('wrong application passwords are told to wait, as JSON; the right one works from elsewhere', async () => {
  const [count, refused] = await refusedAfter(() => callMe('eve', 'wrong', '192.0.2.2'), 80)
  assert.equal(count, 61)
  assert.equal(((await refused.json()) as { code: string }).code, 'too_many_attempts')
  const wait = Number(refused.headers.get('retry-after'))
  assert.ok(wait > 0 && wait <= 60, `Retry-After: ${wait}`)
  await callMe('eve', 'wrong', '192.0.2.2')
  assert.deepEqual(lockOuts().slice(1), [
    {
      level: 'warn',
      message: 'too many wrong application passwords: further ones are refused for now',
      fields: { code: 'application-passwords-locked', limit: 'pair', network: '192.0.2.2', login: 'eve', wait },
    },
  ])
  const elsewhere = await callMe('eve', passwords.get('eve') ?? '', '2001:db8::1')
  assert.deepEqual(await elsewhere.json(), { login: 'eve' })
  now += wait * 1000
  assert.equal((await callMe('eve', passwords.get('eve') ?? '', '192.0.2.2')).status, 200)
})

test('an account that is attacked from everywhere stays open to where its user has been', async () => {
  const password = passwords.get('kim') ?? ''
  assert.equal((await callMe('kim', password, '203.0.113.9')).status, 200)
  let host = 0
  await refusedAfter(() => callMe('kim', 'wrong', `10.1.${(host += 1) >> 8}.${host & 255}`), 1_100)
  assert.equal((await callMe('kim', password, '203.0.113.9')).status, 200)
  await callMe('kim', 'wrong', '10.2.0.1')
  assert.deepEqual(
    lockOuts()
      .slice(2)
      .map(({ fields }) => [fields['limit'], fields['login']]),
    [['account', 'kim']],
  )
})

test('an unknown name counts once in any letter case, and all names that are too long count as one', async () => {
  let attempts = 0
  const nobody = ['nobody', 'Nobody', 'NOBODY']
  const [inAnyCase] = await refusedAfter(() => callMe(nobody[(attempts += 1) % 3] ?? '', 'wrong', '192.0.2.3'), 80)
  assert.equal(inAnyCase, 61)
  const tooLong = () => callMe(`${(attempts += 1)}`.padEnd(255, 'x'), 'wrong', '192.0.2.4')
  assert.equal((await refusedAfter(tooLong, 80))[0], 61)
})

// On a server, the time is that of the database.
test('setting the clock of the machine back prolongs no wait', { skip: onlyOnSqlite }, async (context) => {
  const shop = await startService([Whoami], { trusted_proxies: ['127.0.0.1'] })
  context.after(() => shop.close())
  await shop.service.users.create({ login: 'mia', email: 'mia@shop.example', password: 'right' })
  const login = (pwd: string) => {
    const body = new URLSearchParams({ log: 'mia', pwd })
    return fetch(`${shop.url}/wp-login.php`, { method: 'POST', body, headers: from('192.0.2.1'), redirect: 'manual' })
  }
  const [, refused] = await refusedAfter(() => login('wrong'), 20)
  const wait = Number(refused.headers.get('retry-after'))
  const elapsed = performance.now.bind(performance)
  context.mock.method(Date, 'now', () => Date.UTC(2026, 0, 1))
  context.mock.method(performance, 'now', () => elapsed() + wait * 1000)
  assert.equal((await login('right')).status, 302)
})
