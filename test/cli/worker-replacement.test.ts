import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { after, describe, test } from 'node:test'
import { until } from '../support/until.js'
import { endAll, removeFolders } from './command-line.js'
import { application, isRunning, start } from './worker-application.js'
import { Client, clientOfEach } from './worker-client.js'

after(() => {
  endAll()
  removeFolders()
})

const childrenOf = (pid: number): readonly string[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)

describe('of several workers', { concurrency: 2, timeout: 1_200_000 }, () => {
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

  test('a worker that ends at each start ends the command, which finishes its requests', async () => {
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
})
