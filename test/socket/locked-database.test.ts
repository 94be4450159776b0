import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test, type TestContext } from 'node:test'
import { sqliteLibrary } from '../../src/database/sqlite/sqlite-client.js'
import { currentUser } from '../../src/auth/current-user.js'
import { RestResponse } from '../../src/http/rest-response.js'
import { inject } from '../../src/container/container.js'
import { RecordStore } from '../../src/content/record-store.js'
import type { RestRequest } from '../../src/http/rest-request.js'
import { AsRestRoute } from '../../src/routing/as-rest-route.js'
import type { BootOptions } from '../../src/app/options.js'
import type { Service } from '../../src/app/service.js'
import { RawConnection } from '../support/raw-socket.js'
import { startService } from '../support/start-service.js'
import { until } from '../support/until.js'

class Whoami {
  @AsRestRoute({ namespace: 'who/v1', route: '/me', permission: 'public' })
  me() {
    return new RestResponse({ login: currentUser().login })
  }
}

/** Counts the requests that have reached their handler. */
class Arrivals {
  #count = 0
  #whenReached: { readonly count: number; readonly resolve: () => void } | null = null

  add(): void {
    this.#count += 1
    if (this.#whenReached !== null && this.#count >= this.#whenReached.count) this.#whenReached.resolve()
  }

  reached(count: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#count >= count) resolve()
      else this.#whenReached = { count, resolve }
    })
  }
}

class Notes {
  constructor(
    private readonly records = inject(RecordStore),
    private readonly arrivals = inject(Arrivals),
  ) {}

  @AsRestRoute({
    namespace: 'notes/v1',
    route: '/notes',
    method: 'POST',
    permission: 'public',
    args: { title: { type: 'string', required: true } },
  })
  async create(request: RestRequest<{ title: string }>) {
    this.arrivals.add()
    return new RestResponse({ id: (await this.records.insert({ title: request.get_param('title') })).id }, 201)
  }
}

const folder = mkdtempSync(join(tmpdir(), 'locked-database-'))
after(() => rmSync(folder, { recursive: true }))
let files = 0

test('reads with an application password go on while another program holds the write lock; the log says what is lost', async () => {
  const file = join(folder, 'site.sqlite')
  const site = await startService([Whoami], { database: `sqlite:${file}` })
  const { users, applicationPasswords } = site.service
  const { id } = await users.create({ login: 'mia', email: 'mia@shop.example', password: 'right' })
  const { password, item } = await applicationPasswords.create(id, { name: 'Scanner' })
  const Authorization = `Basic ${Buffer.from(`mia:${password}`).toString('base64')}`
  const read = async () => {
    const response = await fetch(`${site.rest}who/v1/me`, { headers: { Authorization } })
    assert.deepEqual([response.status, await response.json()], [200, { login: 'mia' }])
  }

  const other = (await sqliteLibrary())(file)
  other.prepare('BEGIN EXCLUSIVE').run([])
  // The write of the last use waits five seconds for the lock, and is logged then. A read that waited for it would be answered
  // after that line.
  await read()
  assert.deepEqual(site.log, [])
  for (let count = 0; count < 2; count += 1) await read()
  await until(() => site.log.length > 0)
  await read()
  other.prepare('ROLLBACK').run([])
  other.close()
  assert.deepEqual(
    site.log.map(({ level, message }) => [level, message]),
    [['warn', 'the last use of an application password could not be stored']],
  )

  // The last read's own note has waited for the lock.
  await until(async () => (await applicationPasswords.find(id, item.uuid))?.last_used !== null)
  assert.equal((await applicationPasswords.find(id, item.uuid))?.last_ip, '127.0.0.1')
  await site.close()
})

/** @returns the header `Authorization` of a new editor. */
async function editorIn({ users, applicationPasswords }: Service): Promise<string> {
  const { id } = await users.create({ login: 'eda', email: 'eda@shop.example', password: 'right', role: 'editor' })
  const { password } = await applicationPasswords.create(id, { name: 'Program' })
  return `Basic ${Buffer.from(`eda:${password}`).toString('base64')}`
}

/** A service with the route of `Notes`, and another program that has the write lock of its database. */
async function lockedService(context: TestContext, options: BootOptions, sender: 'anonymous' | 'editor' = 'anonymous') {
  const file = join(folder, `${(files += 1)}.sqlite`)
  const arrivals = new Arrivals()
  const site = await startService([Notes], { database: `sqlite:${file}`, provide: [[Arrivals, arrivals]], ...options })
  const headers: Record<string, string> = { 'Content-Type': 'application/json' }
  if (sender === 'editor') headers['Authorization'] = await editorIn(site.service)
  const other = (await sqliteLibrary())(file)
  context.after(async () => {
    other.close()
    await site.close()
  })
  other.prepare('BEGIN IMMEDIATE').run([])
  return {
    site,
    arrivals,
    unlock: () => void other.prepare('ROLLBACK').run([]),
    post: (title: string, signal: AbortSignal | null = null) =>
      fetch(`${site.rest}notes/v1/notes`, { method: 'POST', headers, body: JSON.stringify({ title }), signal }),
    postByGet: (title: string, signal: AbortSignal | null = null) =>
      fetch(`${site.rest}notes/v1/notes?_method=POST&title=${title}`, { signal }),
    /** Resolves when the service has read all that was sent to it before. */
    caughtUp: async () => {
      for (let requests = 0; requests < 5; requests += 1) await (await fetch(`${site.url}/healthz`)).text()
    },
    titles: async () =>
      (await site.service.records.list({ type: 'post', status: 'draft', orderby: 'id' })).map(({ title }) => title),
  }
}

for (const http of ['fast', 'node'] as const) {
  const requests = [
    ['an anonymous POST', 'anonymous', 'post'],
    ['a POST of an editor', 'editor', 'post'],
    ['a GET whose parameter replaces the method', 'anonymous', 'postByGet'],
  ] as const
  for (const [what, sender, how] of requests)
    test(`writes whose clients left while they waited for the lock are not stored (${http}, ${what})`, async (context) => {
      const { arrivals, caughtUp, titles, unlock, ...senders } = await lockedService(context, { http }, sender)
      const send = senders[how]
      const controller = new AbortController()
      const abandoned = Promise.allSettled(Array.from({ length: 100 }, () => send('abandoned', controller.signal)))
      await arrivals.reached(100)
      controller.abort()
      await abandoned
      const waiting = send('waiting')
      await arrivals.reached(101)
      await caughtUp()
      unlock()
      assert.equal((await waiting).status, 201)
      assert.deepEqual(await titles(), ['waiting'])
    })

  test(`a client that closes its side of the connection gets its write, or learns that nothing was stored (${http})`, async (context) => {
    const { site, arrivals, titles, unlock } = await lockedService(context, { http })
    const send = (title: string) => {
      const connection = new RawConnection(site.port)
      const body = JSON.stringify({ title })
      const lines = ['POST /wp-json/notes/v1/notes HTTP/1.1', 'Host: notes.test', 'Content-Type: application/json']
      connection.socket.end(`${lines.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
      return connection.response()
    }
    const waiting = send('waiting')
    await arrivals.reached(1)
    assert.equal((await waiting).status, 503)
    unlock()
    assert.equal((await send('free')).status, 201)
    assert.deepEqual(await titles(), ['free'])
  })
}

test('a stop refuses the writes that still wait for the lock', async (context) => {
  const { site, arrivals, post } = await lockedService(context, {})
  // The clock of the writer stands still, so the time of no write is over.
  context.mock.method(performance, 'now', () => 0)
  const responses = Promise.allSettled(Array.from({ length: 200 }, () => post('late')))
  await arrivals.reached(200)
  const insert = assert.rejects(site.service.records.insert({ title: 'outside of requests' }), { fault: 'busy' })
  await site.service.close({ gracePeriod: 0 })
  await insert
  await responses
})
