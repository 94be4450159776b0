import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { until } from '../support/until.js'
import { endAll, removeFolders } from './command-line.js'
import { application, isRunning, momentsBegin, start } from './worker-application.js'
import { Client, clientOfEach } from './worker-client.js'

after(() => {
  endAll()
  removeFolders()
})

describe('a stop of several workers', { concurrency: 2, timeout: 1_200_000 }, () => {
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
})
