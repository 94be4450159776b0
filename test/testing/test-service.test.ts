import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import {
  AsRestRoute,
  currentUser,
  currentUserCan,
  EventStream,
  inject,
  job,
  Mailer,
  RecordStore,
  Users,
  type RestRequest,
  type SeedTools,
} from 'as-rest-route'
import { startTestService, type TestService } from 'as-rest-route/testing'
import { storeKinds } from '../support/store-kinds.js'

async function* eventsUntil(signal: AbortSignal) {
  for (let data = 1; ; data += 1) {
    yield { data }
    await pause(5, undefined, { signal })
  }
}

class Desk {
  constructor(
    private readonly users = inject(Users),
    private readonly mailer = inject(Mailer),
  ) {}

  @AsRestRoute({ namespace: 'desk/v1', route: '/me', permission: 'public' })
  me() {
    return { login: currentUser().login, canPublish: currentUserCan('publish_posts') }
  }

  @AsRestRoute({
    namespace: 'desk/v1',
    route: '/tickets',
    method: 'POST',
    permission: 'mayPublish',
    args: { subject: { type: 'string', required: true }, tags: { type: 'array', items: { type: 'string' } } },
  })
  async open(request: RestRequest<{ subject: string; tags: string[] | null }>) {
    await this.mailer.send({ to: 'desk@test.example', subject: request.get_param('subject'), text: 'opened' })
    return { tags: request.get_param('tags'), users: await this.users.count() }
  }

  @AsRestRoute({ namespace: 'desk/v1', route: '/news', permission: 'mayPublish', event_stream: true })
  news(request: RestRequest) {
    return new EventStream(eventsUntil(request.signal))
  }

  mayPublish(): boolean {
    return currentUserCan('publish_posts')
  }

  @AsRestRoute({
    namespace: 'desk/v1',
    route: '/find',
    permission: 'public',
    args: { ids: { type: 'array', items: { type: 'integer' }, required: true } },
  })
  find(request: RestRequest<{ ids: number[] }>) {
    return request.get_param('ids')
  }
}

test('a client of each role has the rights of that role, by cookie and nonce or by an application password', async () => {
  await using service = await startTestService([Desk], {
    roles: { clerk: { capabilities: ['read', 'publish_posts'] } },
  })
  const logins = { editor: true, author: true, contributor: false, subscriber: false, administrator: true, clerk: true }
  for (const [login, canPublish] of Object.entries(logins))
    for (const credentials of ['cookie', 'application_password'] as const) {
      const { status, body } = await service.as(login, credentials).get('/desk/v1/me')
      assert.deepEqual({ status, body }, { status: 200, body: { login, canPublish } })
    }
  assert.equal((await service.get('/desk/v1/me')).body.canPublish, false)
  assert.throws(() => service.as('pilot'), /no role 'pilot'. Roles: .*clerk/)
})

test('bodies, queries and statuses are those of a request over HTTP', async () => {
  await using service = await startTestService([Desk])
  const editor = service.as('editor')
  const opened = await editor.post('/desk/v1/tickets', { subject: 'Broken cup', tags: ['a', 'b'] })
  assert.deepEqual(opened.body, { tags: ['a', 'b'], users: 5 })
  assert.deepEqual(service.mails, [{ to: 'desk@test.example', subject: 'Broken cup', text: 'opened' }])
  const form = await editor.post(
    '/desk/v1/tickets',
    new URLSearchParams([
      ['subject', 'Form'],
      ['tags[]', 'c'],
    ]),
  )
  assert.deepEqual(form.body.tags, ['c'])
  assert.equal((await service.post('/desk/v1/tickets', { subject: 'x' })).status, 401)
  assert.equal((await service.as('subscriber').post('/desk/v1/tickets', { subject: 'x' })).body.code, 'rest_forbidden')
  assert.deepEqual((await service.get('/desk/v1/find', { query: { ids: [3, 4] } })).body, [3, 4])
  assert.equal((await service.head('/desk/v1/me')).text, '')
  assert.equal((await service.options('/desk/v1/me')).body.namespace, 'desk/v1')
  assert.match(await (await service.fetch(new Request('http://localhost/wp-login.php'))).text(), /<form/)
})

test('the clock stands until it is turned, and a login ends when it would end', async () => {
  await using service = await startTestService([Desk], { now: '2026-01-15T12:00:00Z' })
  const editor = service.as('editor')
  assert.equal((await editor.get('/desk/v1/me')).status, 200)
  assert.equal(service.clock.now(), Date.UTC(2026, 0, 15, 12))
  const post = await service.records.insert({ type: 'post', title: 'Now' })
  assert.equal(post.date, '2026-01-15T12:00:00')
  service.clock.advance(6 * 60 * 60 * 1000)
  assert.equal((await editor.get('/desk/v1/me')).body.login, 'editor')
  service.clock.advance(15 * 24 * 60 * 60 * 1000)
  assert.notEqual((await editor.get('/desk/v1/me')).body.login, 'editor')
  assert.throws(() => service.clock.advance(-1), RangeError)
  assert.throws(() => service.clock.set('soon'), /'soon' is not a date/)
})

test('users of the test log in with their password; a wrong one says so', async () => {
  await using service = await startTestService([Desk])
  await service.users.create({ login: 'mia', email: 'mia@test.example', password: 'a good one', role: 'author' })
  assert.equal((await service.logIn('mia', 'a good one').get('/desk/v1/me')).body.login, 'mia')
  await assert.rejects(service.logIn('mia', 'another').get('/desk/v1/me'), /The user 'mia' could not log in: .* 200/)
})

test('many clients of one user log in at the same time', async () => {
  await using service = await startTestService([Desk])
  const logins = Array.from({ length: 30 }, async () => (await service.as('editor').get('/desk/v1/me')).body.login)
  assert.deepEqual(new Set(await Promise.all(logins)), new Set(['editor']))
})

test('the log is kept: a fault of a handler is a line with the error', async () => {
  class Faulty {
    @AsRestRoute({ namespace: 'desk/v1', route: '/faulty', permission: 'public' })
    fail(): never {
      throw new Error('the printer burns')
    }
  }
  await using service = await startTestService([Faulty])
  assert.equal((await service.get('/desk/v1/faulty')).status, 500)
  const [line] = service.logLines.filter(({ level }) => level === 'error')
  assert.match(String(line?.fields['err']), /the printer burns/)
})

const letter = job({
  name: 'letter',
  attempts: 2,
  async run({ to }: { to: string }) {
    const [mailer, records] = [inject(Mailer), inject(RecordStore)]
    if (to === 'nobody') throw new Error('no such address')
    await mailer.send({ to, subject: 'A letter', text: '' })
    if (to === 'chain@test.example') await records.enqueue('letter', { to: 'next@test.example' })
  },
})

test('jobs wait until the test does them, by its clock', async () => {
  await using service = await startTestService([Desk], { jobs: [letter], now: '2030-01-01T00:00:00Z' })
  await service.records.enqueue(letter, { to: 'chain@test.example' })
  await service.records.enqueue(letter, { to: 'later@test.example' }, { delay: 3600 })
  assert.deepEqual(
    (await service.jobs()).map(({ name, payload, state, due }) => [name, payload, state, due.toISOString()]),
    [
      ['letter', { to: 'chain@test.example' }, 'waiting', '2030-01-01T00:00:00.000Z'],
      ['letter', { to: 'later@test.example' }, 'waiting', '2030-01-01T01:00:00.000Z'],
    ],
  )
  assert.deepEqual(service.mails, [])
  const done = await service.runJobs()
  assert.deepEqual(
    done.map(({ payload, error }) => [payload, error]),
    [
      [{ to: 'chain@test.example' }, null],
      [{ to: 'next@test.example' }, null],
    ],
  )
  assert.deepEqual(await service.runJobs(), [])
  service.clock.advance(3_600_000)
  assert.equal((await service.runJobs()).length, 1)
  assert.deepEqual(
    service.mails.map(({ to }) => to),
    ['chain@test.example', 'next@test.example', 'later@test.example'],
  )
  assert.deepEqual(await service.jobs(), [])
})

test('a job that throws waits for its next attempt, and is kept after the last one', async () => {
  await using service = await startTestService([Desk], { jobs: [letter] })
  await service.records.enqueue(letter, { to: 'nobody' })
  const [first] = await service.runJobs()
  assert.match(String(first?.error), /no such address/)
  assert.deepEqual(await service.runJobs(), [])
  service.clock.advance(10_000)
  assert.deepEqual(
    (await service.runJobs()).map(({ attempt }) => attempt),
    [2],
  )
  assert.deepEqual(
    (await service.jobs()).map(({ state, attempts, error }) => [state, attempts, error]),
    [['failed', 2, 'Error: no such address']],
  )
  assert.deepEqual(
    service.logLines.map(({ level, fields }) => [level, fields['code']]),
    [
      ['warn', 'job-attempt-failed'],
      ['error', 'job-failed'],
    ],
  )
})

test('of the folder of a configuration only the handlers are loaded, as by the commands', async (t) => {
  const project = mkdtempSync(join(tmpdir(), 'as-rest-route-project-'))
  t.after(() => rmSync(project, { recursive: true }))
  mkdirSync(join(project, 'app'))
  writeFileSync(join(project, 'as-rest-route.config.mjs'), "export default { handlers: './app/' }")
  writeFileSync(join(project, 'migrate.mjs'), "throw new Error('a script was run')")
  const index = JSON.stringify(new URL('../../src/index.ts', import.meta.url).href)
  writeFileSync(
    join(project, 'app', 'hello.mjs'),
    `import { endpoint } from ${index}
    export const hello = endpoint({ namespace: 'hello/v1', route: '/hello', permission: 'public' }, () => 'hello')`,
  )
  await using service = await startTestService(project)
  assert.equal((await service.get('/hello/v1/hello')).body, 'hello')
})

for (const { name, skip, create } of storeKinds)
  test(`test services on one database use its users again (${name})`, { skip }, async () => {
    const { url, drop } = await create()
    try {
      const seed = async ({ users }: SeedTools) => {
        // Named like roles, and with other passwords.
        await users.create({ login: 'editor', email: 'real@shop.example', password: 'real', role: 'editor' })
        await users.create({ login: 'ann', email: 'author@test.example', password: 'real', role: 'editor' })
      }
      const options = { database: url, seed }
      const me = async (service: TestService, role: string) => (await service.as(role).get('/desk/v1/me')).body
      const first = await startTestService([Desk], options)
      // At once, as two processes of tests start.
      const others = await Promise.all([startTestService([Desk], options), startTestService([Desk], options)])
      for (const service of [first, ...others]) {
        assert.deepEqual(await me(service, 'editor'), { login: 'test-editor', canPublish: true })
        assert.deepEqual(await me(service, 'author'), { login: 'test-author', canPublish: true })
        assert.deepEqual(await me(service, 'subscriber'), { login: 'subscriber', canPublish: false })
        assert.equal(
          (await service.as('contributor', 'application_password').get('/desk/v1/me')).body.login,
          'contributor',
        )
      }
      const { users } = first
      assert.equal((await users.find('editor'))?.email, 'real@shop.example')
      const subscriber = await users.find('subscriber')
      assert.ok(subscriber)
      // A test that changed the role of a user does not spoil the next one.
      await users.update(subscriber.id, { role: 'administrator' })
      const next = await startTestService([Desk], options)
      assert.equal((await me(next, 'subscriber')).canPublish, false)
      const editor = await users.find('test-editor')
      assert.ok(editor)
      await users.update(editor.id, { password: 'another' })
      await assert.rejects(
        startTestService([Desk], options),
        /has users 'editor' and 'test-editor' with other passwords/,
      )
      for (const service of [first, ...others, next]) await service.close()
    } finally {
      await drop()
    }
  })

test('a stream of events is not read to its end', async () => {
  await using service = await startTestService([Desk])
  const { status, text, body } = await service.as('editor').get('/desk/v1/news')
  assert.deepEqual([status, text], [200, ''])
  const events: string[] = []
  for await (const bytes of body as ReadableStream<Uint8Array>) {
    events.push(Buffer.from(bytes).toString())
    if (events.join('').includes('data: 2')) break
  }
  assert.match(events.join(''), /^data: 1$/m)
})

test('a path with the REST prefix is refused, unless a namespace begins so', async () => {
  await using service = await startTestService([Desk])
  const refusal = {
    name: 'RangeError',
    message:
      "The path '/wp-json/desk/v1/me' begins with the REST prefix, which the client adds by itself: write '/desk/v1/me'.",
  }
  await assert.rejects(service.get('/wp-json/desk/v1/me'), refusal)
  await assert.rejects(service.as('editor').post('wp-json/desk/v1/tickets'), /write '\/desk\/v1\/tickets'/)
  await assert.rejects(service.get('/wp-json'), /write '\/'/)
  await assert.rejects(service.get('http://localhost/uploads/a.png'), /is a URL.* service\.fetch\(new Request\(url\)\)/)
  assert.equal((await service.get('/wp-jsonp/me')).status, 404)
  await using other = await startTestService([Desk], { rest_prefix: 'desk' })
  assert.equal((await other.get('/desk/v1/me')).body.login, '')
  await assert.rejects(other.get('/desk/desk/v1/me'), /write '\/desk\/v1\/me'/)
})
