import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, describe, it } from 'node:test'
import { freePorts } from '../support/servers/free-ports.js'
import { skipWithoutProgram } from '../support/servers/missing-server.js'
import type { DatabaseKind } from '../support/servers/server-programs.js'
import { startServer } from '../support/servers/start-server.js'
import { until } from '../support/until.js'
import { endAll, removeFolders, startServe } from './command-line.js'
import { application } from './worker-application.js'

after(() => {
  endAll()
  removeFolders()
})

interface Received {
  /** A code of an error, such as `ECONNREFUSED`, in place of the status. */
  readonly status: number | string
  readonly text?: string
  readonly retryAfter?: string | undefined
}

function request(port: number, path: string, agent?: Agent): Promise<Received> {
  return new Promise((resolve) => {
    const sent = get({ port, host: '127.0.0.1', path, agent: agent ?? false }, (response) => {
      const { statusCode: status = 0 } = response
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status, text, retryAfter: response.headers['retry-after'] }))
    })
    sent.on('error', ({ code = '' }: NodeJS.ErrnoException) => resolve({ status: code }))
  })
}

/** Requests every 50 ms, and what they received, in the order in which they were sent. */
class Poll {
  readonly #received: Promise<Received>[] = []
  readonly #timer: NodeJS.Timeout
  #last: Received | null = null

  constructor(send: () => Promise<Received>) {
    this.#timer = setInterval(() => {
      const received = send()
      this.#received.push(received)
      void received.then((last) => (this.#last = last))
    }, 50).unref()
  }

  get last(): Received | null {
    return this.#last
  }

  /** @returns the statuses, without repetitions. */
  async end(): Promise<readonly (number | string)[]> {
    clearInterval(this.#timer)
    const all = await Promise.all(this.#received)
    return all.map(({ status }) => status).filter((status, index, list) => status !== list[index - 1])
  }
}

/** The command, on a database whose server does not run. */
async function startOn(kind: DatabaseKind, { workers = 1, wait = 60 } = {}) {
  const server = (await startServer(kind)) ?? assert.fail('no server')
  const folder = application()
  writeFileSync(join(folder, 'as-rest-route.config.ts'), `export default { database_wait: ${wait} }`)
  const [port = 0] = await freePorts(1)
  const serve = () =>
    startServe([folder, '--port', String(port), '--database', server.url, '--workers', String(workers)], {
      cwd: folder,
    })
  return { server, port, serve }
}

for (const [kind, workers] of [
  ['postgres', 1],
  ['mariadb', 2],
] as const)
  describe(`a service of ${workers} that starts before ${kind}`, { skip: skipWithoutProgram(kind) }, () => {
    it('listens and is not ready until the database is there, and then refuses and loses no request', async () => {
      const { server, port, serve } = await startOn(kind, { workers })
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      try {
        await server.stop()
        const command = serve()
        const polls = {
          '/readyz': new Poll(() => request(port, '/readyz')),
          '/healthz': new Poll(() => request(port, '/healthz')),
          '/wp-json/own/v1/process': new Poll(() => request(port, '/wp-json/own/v1/process')),
          'one connection': new Poll(() => request(port, '/wp-json/own/v1/titles', agent)),
        }
        const each = Object.values(polls)
        await until(() => each.every(({ last }) => typeof last?.status === 'number'))
        await command.waitForOutput(/database-waited-for/)
        assert.deepEqual(polls['/readyz'].last, {
          status: 503,
          text: 'the database is not ready\n',
          retryAfter: undefined,
        })
        assert.deepEqual(polls['/healthz'].last, { status: 200, text: 'ok\n', retryAfter: undefined })
        assert.deepEqual(polls['/wp-json/own/v1/process'].last, {
          status: 503,
          text: '{"code":"service_unavailable","message":"The service is being started.","data":{"status":503}}',
          retryAfter: '10',
        })
        const { headers } = await fetch(`http://127.0.0.1:${port}/wp-json/own/v1/process`, {
          headers: { origin: 'https://pages.example' },
        })
        assert.equal(headers.get('access-control-allow-origin'), 'https://pages.example')
        assert.equal(headers.get('access-control-allow-credentials'), 'true')
        assert.match(headers.get('access-control-allow-headers') ?? '', /X-WP-Nonce/)
        assert.equal(headers.get('vary'), 'Origin')
        await server.start()
        await until(() => each.every(({ last }) => last?.status === 200))
        await command.waitForOutput(workers === 1 ? /7 routes at/ : /Worker 2 of 2 accepts requests/)
        await sleep(200)
        assert.equal(polls['/readyz'].last?.text, 'ready\n')
        for (const [path, poll] of Object.entries(polls))
          assert.deepEqual(await poll.end(), ['ECONNREFUSED', ...(path === '/healthz' ? [] : [503]), 200], path)
        assert.equal(await command.end('SIGTERM'), 0)
      } finally {
        agent.destroy()
        await server.drop()
      }
    })

    it('ends with the error when the database does not come', async () => {
      const { server, port, serve } = await startOn(kind, { workers, wait: 2 })
      await server.drop()
      const command = serve()
      await until(async () => (await request(port, '/readyz')).status === 503)
      assert.equal(await command.ended(), 1)
      assert.match(command.output(), /ECONNREFUSED.* running there\? \[storage-unavailable\]/)
      assert.equal((await request(port, '/readyz')).status, 'ECONNREFUSED')
    })

    it('ends at once by a signal', async () => {
      const { server, port, serve } = await startOn(kind, { workers })
      await server.drop()
      const command = serve()
      await until(async () => (await request(port, '/readyz')).status === 503)
      const begun = performance.now()
      assert.equal(await command.end('SIGTERM'), 0)
      assert.ok(performance.now() - begun < 3000)
    })

    it('does not listen before it is ready when the database is there', async () => {
      const { server, port, serve } = await startOn(kind, { workers })
      try {
        const command = serve()
        const ready = new Poll(() => request(port, '/readyz'))
        await until(() => ready.last?.status === 200)
        assert.deepEqual(await ready.end(), ['ECONNREFUSED', 200])
        assert.equal(await command.end('SIGTERM'), 0)
      } finally {
        await server.drop()
      }
    })
  })
