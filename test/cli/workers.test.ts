import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { after, describe, test } from 'node:test'
import { assertFailureLimit } from '../support/login-limits.js'
import type { RawAnswer } from '../support/raw-socket.js'
import { freshDatabase } from '../support/servers/fresh-database.js'
import { skipWithoutServer } from '../support/servers/missing-server.js'
import { until } from '../support/until.js'
import { emptyFolder, endAll, removeFolders, run, serve, type Serving } from './command-line.js'
import { Client, clientOfEach } from './worker-client.js'

after(() => {
  endAll()
  removeFolders()
})

/** An application whose handlers tell their process, take a moment, wait for a file, and store records. */
function application(): string {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(
    join(folder, 'api.ts'),
    `import { existsSync, writeFileSync } from 'node:fs'
    import { AsRestRoute, RecordStore, RestResponse, inject } from 'as-rest-route'
    export class Api {
      records = inject(RecordStore)

      @AsRestRoute({ namespace: 'own/v1', route: '/process', permission: 'public' })
      process() { return new RestResponse(process.pid) }

      @AsRestRoute({ namespace: 'own/v1', route: '/limited', permission: 'public', rate_limit: { requests: 6, per: 'hour' } })
      limited() { return new RestResponse(process.pid) }

      @AsRestRoute({ namespace: 'own/v1', route: '/moment', permission: 'public' })
      async moment() {
        writeFileSync('begun-' + process.pid, '')
        await new Promise((resolve) => setTimeout(resolve, 1500))
        return new RestResponse('finished')
      }

      @AsRestRoute({ namespace: 'own/v1', route: '/blocked', permission: 'public' })
      blocked() {
        process._rawDebug('blocked')
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
      }

      @AsRestRoute({ namespace: 'own/v1', route: '/file', permission: 'public', timeout: 0 })
      async file() {
        while (!existsSync('file')) await new Promise((resolve) => setTimeout(resolve, 20))
        return new RestResponse('there')
      }

      @AsRestRoute({ namespace: 'own/v1', route: '/titles', permission: 'public', cache: 60 })
      async titles() {
        const records = await this.records.list({ type: 'post', per_page: 100 })
        return new RestResponse(records.map(({ title }) => title).sort())
      }

      @AsRestRoute({ namespace: 'own/v1', route: '/titles', method: 'POST', permission: 'public' })
      async add(request) {
        await this.records.insert({ type: 'post', status: 'publish', title: request.get_param('title') })
        return new RestResponse(null, 201)
      }
    }`,
  )
  return folder
}

const seededConfiguration = `export default {
  seed: async ({ records }) => void (await records.insert({ type: 'post', status: 'publish', title: 'Seed' })),
}`

const words = (folder: string, count: number | string, database = 'sqlite:x.sqlite') =>
  `${folder} --port 0 --database ${database} --workers ${count}`.split(' ')
const start = (folder: string, count: number | string = 2, database?: string): Promise<Serving> =>
  serve(words(folder, count, database), { cwd: folder })

/** Writes through each worker in turn, and reads the titles from all. @param stored titles that are there already. */
async function seeEachOthersWrites(
  clients: ReadonlyMap<number, Client>,
  stored: readonly string[] = [],
): Promise<void> {
  const titles = [...stored].sort()
  for (let round = 0; round < 5; round += 1)
    for (const [pid, writer] of clients) {
      for (const reader of clients.values()) assert.deepEqual(await reader.get('titles'), titles)
      const title = `${round} of ${pid}`
      assert.equal((await writer.send('POST', '/wp-json/own/v1/titles', `title=${title}`)).status, 201)
      titles.push(title)
      titles.sort()
      for (const reader of clients.values()) assert.deepEqual(await reader.get('titles'), titles)
    }
}

/** Waits until handlers that take a moment have begun in so many workers. */
const momentsBegin = (folder: string, count: number): Promise<void> =>
  until(() => readdirSync(folder).filter((name) => name.startsWith('begun-')).length === count)

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const childrenOf = (pid: number): readonly string[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)

describe('several workers', { concurrency: 2, timeout: 1_200_000 }, () => {
  test('serve one port, and a write through one is in the next response of the others, also when it is cached', async () => {
    const served = await start(application())
    const clients = await clientOfEach(served, 2)
    assert.ok(!clients.has(served.pid))
    await seeEachOthersWrites(clients)
    for (const client of clients.values())
      for (const path of ['/healthz', '/readyz']) assert.equal((await client.send('GET', path)).status, 200)
    assert.equal(await served.end('SIGTERM'), 0)
  })

  for (const kind of ['postgres', 'mariadb'] as const) {
    const skip = skipWithoutServer(kind)
    test(`on ${kind} make one site, see each other's writes, and are replaced`, { skip }, async () => {
      const folder = application()
      writeFileSync(join(folder, 'as-rest-route.config.ts'), seededConfiguration)
      const database = (await freshDatabase(kind)) ?? assert.fail('no server')
      try {
        const served = await start(folder, 2, database.url)
        const clients = await clientOfEach(served, 2)
        await seeEachOthersWrites(clients, ['Seed'])
        const [[killed, first], [, second]] = [...clients] as [[number, Client], [number, Client]]
        first.close()
        process.kill(killed, 'SIGKILL')
        const titles = (await second.get('titles')) as readonly string[]
        const withReplacement = await clientOfEach(served, 2)
        assert.ok(!withReplacement.has(killed))
        await seeEachOthersWrites(withReplacement, titles)
        assert.equal(await served.end('SIGTERM'), 0)
        assert.equal(served.output().match(/This start created a new database/g)?.length, 1)
      } finally {
        await database.drop()
      }
    })
  }

  test('count limited requests together, also when one is killed', async () => {
    const served = await start(application())
    const [[killed, first], [, second]] = [...(await clientOfEach(served, 2))] as [[number, Client], [number, Client]]
    const request = async (client: Client) => (await client.send('GET', '/wp-json/own/v1/limited')).status
    const statuses: number[] = []
    for (let count = 0; count < 4; count += 1) statuses.push(await request(count % 2 === 0 ? first : second))
    process.kill(killed, 'SIGKILL')
    await until(() => !isRunning(killed))
    for (let count = 0; count < 4; count += 1) statuses.push(await request(second))
    // A worker that is found dead during the stop would be a failure of the command.
    await until(() => served.output().includes('[worker-ended]'))
    const [, number] = /Worker (\d) ended with SIGKILL/.exec(served.output()) ?? []
    const replaced = `Worker ${number} of 2 accepts requests.`
    // Worker 2 has said so once before.
    await until(() => served.output().split(replaced).length === (number === '2' ? 3 : 2))
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 429, 429])
    for (const client of [first, second]) client.close()
    assert.equal(await served.end('SIGTERM'), 0)
  })

  test('the first start of four creates one site and one administrator', async () => {
    const folder = application()
    writeFileSync(join(folder, 'as-rest-route.config.ts'), seededConfiguration)
    const served = await start(folder, 4)
    const clients = await clientOfEach(served, 4)
    for (const client of clients.values()) assert.deepEqual(await client.get('titles'), ['Seed'])
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('first-login')),
      ['first-login.txt'],
    )
    assert.equal(await served.end('SIGTERM'), 0)
    assert.equal(served.output().match(/This start created a new database/g)?.length, 1)
    assert.equal(served.output().match(/7 routes at/g)?.length, 1)
    const others = served.output().match(/Worker \d of 4 accepts requests\./g) ?? []
    assert.deepEqual(
      others.sort(),
      [2, 3, 4].map((number) => `Worker ${number} of 4 accepts requests.`),
    )
  })

  test('a stop that comes while one is being replaced ends well', async () => {
    const served = await start(application())
    const [[killed, first], [, second]] = [...(await clientOfEach(served, 2))] as [[number, Client], [number, Client]]
    for (const client of [first, second]) client.close()
    process.kill(killed, 'SIGKILL')
    const workers = childrenOf(served.pid)
    // The replacement has begun, and does not hear signals yet.
    await until(() => childrenOf(served.pid).some((pid) => !workers.includes(pid)))
    assert.equal(await served.end('SIGTERM'), 0)
  })

  test('one that is killed is replaced, and no later request fails', async () => {
    const served = await start(application())
    const [killed, other] = [...(await clientOfEach(served, 2)).keys()]
    assert.ok(killed !== undefined)
    process.kill(killed, 'SIGKILL')
    await until(() => !isRunning(killed))
    const client = new Client(served)
    await until(async () => {
      client.reconnect()
      const pid = await client.get('process')
      return pid !== other
    })
    assert.match(served.output(), /^Worker [12] ended with SIGKILL\. Another one starts in \d+ ms\. \[worker-ended\]$/m)
    assert.equal(await served.end('SIGTERM'), 0)
  })

  test('one that ends at its start again and again ends the command, which finishes its requests', async () => {
    const folder = application()
    const served = await start(folder)
    const [[killed], [, other]] = [...(await clientOfEach(served, 2))] as [[number, Client], [number, Client]]
    writeFileSync(join(folder, 'as-rest-route.config.ts'), `throw new Error('of the configuration')`)
    process.kill(killed, 'SIGKILL')
    const inFlight = other.get('file')
    await served.waitForOutput(/^Worker after worker ended before it served\. .* \[workers-not-starting\]$/m)
    writeFileSync(join(folder, 'file'), '')
    assert.equal(await inFlight, 'there')
    assert.equal(await served.ended(), 1)
    assert.equal(served.output().match(/\[worker-ended\]/g)?.length, 5)
  })

  test('SIGHUP exchanges all of them under load, and every request is answered', async () => {
    const folder = application()
    const served = await start(folder)
    const before = [...(await clientOfEach(served, 2)).keys()]
    const state = { isOver: false }
    let answered = 0
    const load = Array.from({ length: 8 }, async (_, index) => {
      const client = new Client(served)
      for (; !state.isOver; answered += 1) {
        assert.equal(typeof (await client.get('process')), 'number')
        // One half uses its connections again.
        if (index % 2 === 0) client.reconnect()
        else await pause(10)
      }
      client.close()
    })
    await until(() => answered > 50)
    writeFileSync(join(folder, 'as-rest-route.config.ts'), `export default { request_log: true }`)
    process.kill(served.pid, 'SIGHUP')
    await until(() => before.every((pid) => !isRunning(pid)))
    const after = new Client(served)
    const answeredBefore = answered
    await until(() => answered > answeredBefore + 50)
    state.isOver = true
    await Promise.all(load)
    await after.get('process')
    assert.equal(await served.end('SIGTERM'), 0)
    assert.match(served.output(), /"worker":1,[^\n]*"msg":"answered"/, 'the new configuration applies')
    assert.equal(served.output().match(/7 routes at/g)?.length, 2)
    assert.doesNotMatch(served.output(), /worker-ended|restart-failed/)
  })

  test('SIGHUP leaves all of them in place when the first new one does not start', async () => {
    const folder = application()
    const served = await start(folder)
    const before = [...(await clientOfEach(served, 2)).keys()]
    writeFileSync(join(folder, 'as-rest-route.config.ts'), `export default { rest_prefixx: 'api' }`)
    process.kill(served.pid, 'SIGHUP')
    await served.waitForOutput(/\[restart-failed\]$/m)
    assert.deepEqual([...(await clientOfEach(served, 2)).keys()].sort(), before.sort())
    assert.equal(await served.end('SIGTERM'), 0)
    assert.equal(served.output().match(/option rest_prefixx/g)?.length, 1)
  })

  test('one whose replacement was given up starts again when a second SIGHUP fails', async () => {
    const folder = application()
    const served = await start(folder)
    const before = [...(await clientOfEach(served, 2)).keys()]
    const config = join(folder, 'as-rest-route.config.ts')
    // The first new process starts, and the second one waits for ever.
    writeFileSync(
      config,
      `import { existsSync, readFileSync, writeFileSync } from 'node:fs'
      if (!existsSync('first')) writeFileSync('first', String(process.pid))
      if (readFileSync('first', 'utf8') !== String(process.pid)) {
        writeFileSync('waiting', '')
        await new Promise((resolve) => setTimeout(resolve, 1_000_000))
      }
      export default {}`,
    )
    process.kill(served.pid, 'SIGHUP')
    await until(() => readdirSync(folder).includes('waiting') && before.filter(isRunning).length === 1)
    const [left] = before.filter(isRunning)
    assert.ok(left !== undefined)
    process.kill(left, 'SIGKILL')
    await until(() => !isRunning(left))
    writeFileSync(config, `export default { rest_prefixx: 'api' }`)
    process.kill(served.pid, 'SIGHUP')
    await served.waitForOutput(/\[restart-failed\]$/m)
    writeFileSync(config, 'export default {}')
    assert.equal((await clientOfEach(served, 2)).size, 2)
    assert.equal(await served.end('SIGTERM'), 0)
  })

  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    test(`${signal} lets each of them finish its requests`, async () => {
      const folder = application()
      const served = await start(folder)
      const clients = await clientOfEach(served, 2)
      const inFlight = [...clients.values()].map((client) => client.get('moment'))
      await momentsBegin(folder, 2)
      const ended = served.end(signal)
      assert.deepEqual(await Promise.all(inFlight), ['finished', 'finished'])
      assert.equal(await ended, 0)
      for (const pid of clients.keys()) assert.ok(!isRunning(pid))
    })

  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    test(`${signal} kills one that is blocked for ever after the grace period, and the other finishes its requests`, async () => {
      const folder = application()
      const served = await start(folder)
      const [[blocked, first], [other, second]] = [...(await clientOfEach(served, 2))] as [
        [number, Client],
        [number, Client],
      ]
      const unanswered = assert.rejects(first.get('blocked'))
      await served.waitForOutput(/^blocked$/m)
      const inFlight = second.get('moment')
      await momentsBegin(folder, 1)
      process.kill(served.pid, signal)
      assert.equal(await inFlight, 'finished')
      if (signal === 'SIGTERM') assert.equal(await served.ended(), 1)
      await until(() => !isRunning(blocked) && !isRunning(other))
      await unanswered
      assert.match(served.output(), /did not stop within 15 seconds and was killed/)
      if (signal === 'SIGTERM') return
      const next = new Client(served)
      assert.ok(![blocked, other].includes((await next.get('process')) as number))
      assert.equal(await served.end('SIGTERM'), 0)
    })

  test('they finish their requests and end when the command is killed', async () => {
    const folder = application()
    const served = await start(folder)
    const clients = await clientOfEach(served, 2)
    const inFlight = [...clients.values()].map((client) => client.get('moment'))
    await momentsBegin(folder, 2)
    process.kill(served.pid, 'SIGKILL')
    assert.deepEqual(await Promise.all(inFlight), ['finished', 'finished'])
    await until(() => [...clients.keys()].every((pid) => !isRunning(pid)))
  })

  test('failed logins and application passwords at all of them count for one limit', async () => {
    const folder = application()
    const served = await start(folder)
    const clients = [...(await clientOfEach(served, 2)).values()]
    const isLimited = (
      send: (client: Client) => Promise<RawAnswer>,
      status: number,
      limit: [failures: number, secondsEach: number],
    ) => {
      const ways = clients.map((client) => async () => {
        const answer = await send(client)
        assert.ok([status, 429].includes(answer.status), answer.text)
        return answer.status
      })
      return assertFailureLimit(ways, { failures: limit[0], secondsEach: limit[1] })
    }
    await isLimited((client) => client.send('POST', '/wp-login.php', 'log=stranger&pwd=wrong'), 200, [10, 30])
    const me = '/wp-json/wp/v2/users/me'
    await isLimited((client) => client.send('GET', me, '', `Basic ${btoa('stranger:wrong')}`), 401, [60, 6])

    const login = readFileSync(join(folder, 'first-login.txt'), 'utf8')
    const password = /^application_password=(.*)$/m.exec(login)?.[1] ?? ''
    const headers = { Authorization: `Basic ${btoa(`admin:${password}`)}` }
    const valid = Array.from({ length: 150 }, async () => (await fetch(`${served.url}${me}`, { headers })).status)
    assert.deepEqual(new Set(await Promise.all(valid)), new Set([200]))
    assert.equal(await served.end('SIGTERM'), 0)
    assert.equal(served.output().match(/"code":"logins-locked"/g)?.length, 1)
    assert.equal(served.output().match(/"code":"application-passwords-locked"/g)?.length, 1)
  })

  test('--workers=auto starts one a processor', async () => {
    const served = await start(application(), 'auto')
    await clientOfEach(served, availableParallelism())
    assert.equal(await served.end('SIGTERM'), 0)
  })
})

describe('a start of several workers that fails, fails once', { concurrency: 2, timeout: 600_000 }, () => {
  test('for a port that is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const folder = application()
    const { code, stderr } = await run(['serve', ...words(folder, 4), '--port', String(port)], { cwd: folder })
    server.close()
    assert.equal(code, 1)
    assert.match(stderr, /^Port \d+ of 127\.0\.0\.1 is taken by another program\.[^\n]* \[port-taken\]\n$/)
  })

  for (const [what, env, database] of [
    ['the option', {}, []],
    ['the environment variable', { WORKERS: '2' }, []],
  ] as const)
    test(`for a database in memory, with ${what}`, async () => {
      const folder = application()
      const option = what === 'the option' ? ['--workers', '2'] : []
      const { code, stderr } = await run(['serve', folder, '--database', 'sqlite::memory:', ...option, ...database], {
        cwd: folder,
        env,
      })
      assert.equal(code, 2)
      assert.match(stderr, /^Several workers share one database,[^\n]* \[workers-share-database\]\n$/)
    })
})
