import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { assertFailureLimit } from '../support/login-limits.js'
import { storeKinds } from '../support/store-kinds.js'
import { emptyFolder, endAll, removeFolders, serve, type Serving } from './command-line.js'

after(() => {
  endAll()
  removeFolders()
})

function application(): string {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(
    join(folder, 'as-rest-route.config.ts'),
    `export default { trusted_proxies: ['127.0.0.1'], base_url: 'https://shop.example' }`,
  )
  writeFileSync(
    join(folder, 'api.ts'),
    `import { AsRestRoute, RestResponse } from 'as-rest-route'
    export class Api {
      @AsRestRoute({ namespace: 'own/v1', route: '/me', permission: 'public' })
      me() { return new RestResponse('me') }
    }`,
  )
  return folder
}

for (const kind of storeKinds.filter(({ name }) => name !== 'SQLite'))
  describe(`two machines with one database on ${kind.name}`, { skip: kind.skip, timeout: 600_000 }, () => {
    // Each has its own folder: they share nothing but the database.
    const folders = [application(), application()]
    let url: string
    let drop: () => unknown
    let first: Serving
    let second: Serving
    let credential: (name: string) => string
    const start = (index: number) =>
      serve([folders[index] ?? '', '--port', '0'], { cwd: folders[index] ?? '', env: { DATABASE_URL: url } })
    before(async () => {
      const database = await kind.create()
      ;({ url } = database)
      drop = () => database.drop()
      first = await start(0)
      second = await start(1)
      const login = readFileSync(/The passwords are in (.*), which/.exec(first.output())?.[1] ?? '', 'utf8')
      credential = (name) => new RegExp(`^${name}=(.*)$`, 'm').exec(login)?.[1] ?? ''
    })
    after(async () => {
      await Promise.all([first.end('SIGTERM'), second.end('SIGTERM')])
      await drop()
    })

    const from = (address: string) => ({ 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' })
    const signIn = async ({ url: at }: Serving, log: string, pwd: string, address: string): Promise<number> => {
      const body = new URLSearchParams({ log, pwd })
      const headers = from(address)
      return (await fetch(`${at}/wp-login.php`, { method: 'POST', body, headers, redirect: 'manual' })).status
    }
    const program = async ({ url: at }: Serving, user: string, password: string, address: string): Promise<number> => {
      const headers = { ...from(address), Authorization: `Basic ${btoa(`${user}:${password}`)}` }
      return (await fetch(`${at}/wp-json/wp/v2/users/me`, { headers })).status
    }

    /** When the failures of the first network began. */
    let failing = 0
    /** How many of them may be forgotten by now: one in 30 seconds. */
    const forgotten = () => Math.floor((performance.now() - failing) / 30_000)

    test('failed logins at one count at the other, one by one and all at once', async () => {
      failing = performance.now()
      const ways = [first, second].map((service) => () => signIn(service, 'stranger', 'wrong', '192.0.2.1'))
      await assertFailureLimit(ways, { failures: 10, secondsEach: 30 })
      const atOnce = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          signIn(index % 2 === 0 ? first : second, 'at once', 'wrong', '192.0.2.2'),
        ),
      )
      const answered = atOnce.filter((status) => status === 200).length
      assert.equal(answered, 10)
      assert.deepEqual(new Set(atOnce), new Set([200, 429]))
    })

    test('a restart forgets nothing', async () => {
      assert.equal(await second.end('SIGKILL'), null)
      second = await start(1)
      let count = 0
      while ((await signIn(second, 'stranger', 'wrong', '192.0.2.1')) !== 429) {
        count += 1
        assert.ok(count <= forgotten(), `${count} guesses, ${forgotten()} of them forgotten`)
      }
      assert.equal(await signIn(second, 'stranger', 'wrong', '192.0.2.3'), 200)
    })

    test('a right password ends the failures of its network at its account, at both', async () => {
      const user = credential('login')
      for (let count = 0; count < 9; count += 1)
        assert.equal(await signIn(count % 2 === 0 ? first : second, user, 'wrong', '192.0.2.4'), 200)
      assert.equal(await signIn(first, user, credential('password'), '192.0.2.4'), 302)
      for (let count = 0; count < 9; count += 1)
        assert.equal(await signIn(count % 2 === 0 ? second : first, user, 'wrong', '192.0.2.4'), 200)
    })

    test('a network that has logged in at one is trusted by the other, while the account is attacked', async () => {
      const user = credential('login')
      assert.equal(await signIn(first, user, credential('password'), '192.0.2.5'), 302)
      // 100 failures of all networks lock an account. The tests before have made some of them.
      let attempts = 0
      /** For how many seconds the account is locked. */
      const attack = async (): Promise<number> => {
        const body = new URLSearchParams({ log: user, pwd: 'wrong' })
        const headers = from(`10.0.${(attempts += 1)}.1`)
        const response = await fetch(`${second.url}/wp-login.php`, { method: 'POST', body, headers })
        return response.status === 429 ? Number(response.headers.get('Retry-After')) : 0
      }
      // A lock of 10 seconds that has just begun holds during the next request.
      for (let wait = await attack(); wait < 7; wait = await attack()) {
        assert.ok(attempts < 120, 'the account is never locked')
        await pause(wait * 1000)
      }
      assert.equal(await signIn(first, user, credential('password'), '192.0.2.6'), 429)
      assert.equal(await signIn(second, user, credential('password'), '192.0.2.5'), 302)
    })

    test('wrong application passwords at one count at the other, and right ones cost no write', async () => {
      const ways = [first, second].map((service) => () => program(service, 'nobody', 'wrong', '192.0.2.7'))
      // Each process may answer one more before it is told.
      await assertFailureLimit(ways, { failures: 60, secondsEach: 6, late: 2 })
      const right = () => program(first, credential('login'), credential('application_password'), '192.0.2.8')
      const valid = await Promise.all(Array.from({ length: 200 }, right))
      assert.deepEqual(new Set(valid), new Set([200]))
    })
  })
