import assert from 'node:assert/strict'
import { join } from 'node:path'
import { copyFileSync, writeFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { emptyFolder, endAll, removeFolders, runHere, serve, type Serving } from './command-line.js'

const application = fileURLToPath(new URL('../fixtures/left-behind/', import.meta.url))

after(() => {
  endAll()
  removeFolders()
})

function serveApplication(folder = application): Promise<Serving> {
  return serve([folder, '--port', '0', '--database', 'sqlite::memory:'], { cwd: emptyFolder() })
}

/** A copy of the application with a configuration. */
function withConfiguration(options: string): string {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'as-rest-route.config.ts'), `export default ${options}`)
  copyFileSync(join(application, 'careless-api.ts'), join(folder, 'careless-api.ts'))
  return folder
}

const call = async ({ url }: Serving, route: string): Promise<unknown> =>
  (await fetch(`${url}/wp-json/careless/v1/${route}`)).json()

/** The log lines about errors outside of requests. */
function errorLines(served: Serving): { err: { stack: string }; msg: string; unhandledRejections?: number }[] {
  return served
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{"level":"error"'))
    .map((line) => JSON.parse(line) as { err: { stack: string }; msg: string; unhandledRejections?: number })
}

describe('errors outside of requests', { concurrency: true, timeout: 600_000 }, () => {
  test('an unhandled rejection is logged with its stack and counted, and the service continues', async () => {
    const served = await serveApplication()
    for (const count of [1, 2]) {
      assert.equal(await call(served, 'promise'), 'answered')
      await served.waitForOutput(new RegExp(`"unhandledRejections":${count}\\b`))
    }
    const lines = errorLines(served)
    assert.deepEqual(
      lines.map(({ msg, unhandledRejections }) => [msg, unhandledRejections]),
      [
        ['unhandled rejection', 1],
        ['unhandled rejection', 2],
      ],
    )
    for (const { err } of lines) assert.match(err.stack, /^Error: nobody waited\n +at .*careless-api\.ts:\d+/)
    assert.equal((await fetch(`${served.url}/healthz`)).status, 200)
    assert.equal(await served.end('SIGTERM'), 0)
  })

  test("an unhandled rejection ends the service after the in-flight requests when unhandled_rejections is 'exit'", async () => {
    const served = await serveApplication(withConfiguration(`{ unhandled_rejections: 'exit' }`))
    const inFlight = call(served, 'moment')
    await served.waitForOutput(/^begun$/m)
    assert.equal(await call(served, 'promise'), 'answered')
    assert.equal(await inFlight, 'finished')
    assert.equal(await served.ended(), 1)
    assert.deepEqual(
      errorLines(served).map(({ msg }) => msg),
      ['unhandled rejection'],
    )
    assert.match(
      served.output(),
      /^The service ended because of an unhandled rejection\. See the log\. \[service-failed\]$/m,
    )
  })

  test('another value of unhandled_rejections is refused', async () => {
    const { stdout, code } = await runHere(['check', withConfiguration(`{ unhandled_rejections: 'ignore' }`)])
    assert.equal(code, 1)
    assert.match(
      stdout,
      /option unhandled_rejections: 'ignore' is neither log nor exit\. \[unhandled-rejections-invalid\]/,
    )
  })

  test('an uncaught exception ends the service with code 1 after the in-flight requests', async () => {
    const served = await serveApplication()
    const inFlight = call(served, 'moment')
    await served.waitForOutput(/^begun$/m)
    assert.equal(await call(served, 'timer'), 'answered')
    await served.waitForOutput(/"msg":"stopping: /)
    assert.equal(await inFlight, 'finished')
    await assert.rejects(call(served, 'timer'))
    assert.equal(await served.ended(), 1)
    const [line, ...others] = errorLines(served)
    assert.deepEqual([line?.msg, others], ['uncaught exception, the service stops', []])
    assert.match(line?.err.stack ?? '', /^Error: thrown later\n +at .*careless-api\.ts:\d+/)
    assert.match(
      served.output(),
      /^The service ended because of an uncaught exception\. See the log\. \[service-failed\]$/m,
    )
  })

  test('a second exception during the stop is logged, and the in-flight requests are finished', async () => {
    const served = await serveApplication()
    const inFlight = call(served, 'moment')
    await served.waitForOutput(/^begun$/m)
    assert.equal(await call(served, 'timers'), 'answered')
    assert.equal(await inFlight, 'finished')
    assert.equal(await served.ended(), 1)
    assert.deepEqual(
      errorLines(served).map(({ err }) => err.stack.split('\n')[0]),
      ['Error: thrown later', 'Error: thrown while it stops'],
    )
  })

  test('a stop after a signal ends with code 1 when an exception is thrown during the stop', async () => {
    const served = await serveApplication()
    const inFlight = call(served, 'moment')
    await served.waitForOutput(/^begun$/m)
    assert.equal(await call(served, 'timers'), 'answered')
    const ended = served.end('SIGTERM')
    assert.equal(await inFlight, 'finished')
    assert.equal(await ended, 1)
  })

  test('an uncaught exception ends the service even when a request never ends', async () => {
    const served = await serveApplication()
    const cut = call(served, 'never').catch(() => 'cut')
    await served.waitForOutput(/^begun$/m)
    assert.equal(await call(served, 'timer'), 'answered')
    assert.equal(await served.ended(), 1)
    assert.equal(await cut, 'cut')
  })
})
