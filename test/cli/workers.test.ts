import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { assertFailureLimit } from '../support/login-limits.js'
import type { RawResponse } from '../support/raw-socket.js'
import { freshDatabase } from '../support/servers/fresh-database.js'
import { skipWithoutServer } from '../support/servers/missing-server.js'
import { until } from '../support/until.js'
import { endAll, removeFolders, run } from './command-line.js'
import { application, isRunning, seededConfiguration, start, words } from './worker-application.js'
import { clientOfEach, type Client } from './worker-client.js'

after(() => {
  endAll()
  removeFolders()
})

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

  test('failed logins and application passwords at all of them count for one limit', async () => {
    const folder = application()
    const served = await start(folder)
    const clients = [...(await clientOfEach(served, 2)).values()]
    const isLimited = (
      send: (client: Client) => Promise<RawResponse>,
      status: number,
      limit: [failures: number, secondsEach: number],
    ) => {
      const ways = clients.map((client) => async () => {
        const response = await send(client)
        assert.ok([status, 429].includes(response.status), response.text)
        return response.status
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
