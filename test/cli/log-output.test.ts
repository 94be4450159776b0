import assert from 'node:assert/strict'
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { emptyFolder, endAll, removeFolders } from './command-line.js'
import { clientOfEach } from './worker-client.js'
import { freePorts } from '../support/servers/free-ports.js'
import { typescriptArguments } from '../support/typescript.js'
import { until } from '../support/until.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

const main = [...typescriptArguments, join(root, 'src/cli/main.ts')]
const environment = process.env

const started = new Set<ChildProcess>()

after(() => {
  for (const child of started) child.kill('SIGKILL')
  endAll()
  removeFolders()
})

/** An application that logs each request, and tells how many bytes of its output wait in memory. */
function application(): string {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'as-rest-route.config.ts'), 'export default { request_log: true }')
  writeFileSync(
    join(folder, 'api.ts'),
    `import { existsSync, writeFileSync } from 'node:fs'
    import { AsRestRoute, RestResponse } from 'as-rest-route'
    const sleep = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    export class Api {
      @AsRestRoute({ namespace: 'own/v1', route: '/waiting', permission: 'public' })
      waiting() { return new RestResponse(process.stdout.writableLength) }

      @AsRestRoute({ namespace: 'own/v1', route: '/moment', permission: 'public' })
      async moment() {
        writeFileSync('begun', '')
        await new Promise((resolve) => setTimeout(resolve, 300))
        return new RestResponse('finished')
      }

      @AsRestRoute({ namespace: 'own/v1', route: '/process', permission: 'public' })
      process() { return new RestResponse(process.pid) }

      @AsRestRoute({ namespace: 'own/v1', route: '/supervisor', permission: 'public' })
      supervisor() { return new RestResponse(process.ppid) }

      /** Lets the exit wait for a reader before the lines that wait are written. */
      @AsRestRoute({ namespace: 'own/v1', route: '/exit-waits', permission: 'public' })
      exitWaits() {
        process.prependOnceListener('exit', () => {
          writeFileSync('exiting', '')
          while (!existsSync('read')) sleep()
        })
        return new RestResponse('waits')
      }

      /** Lets the exit write lines after the lines that waited were given up, until one is read. */
      @AsRestRoute({ namespace: 'own/v1', route: '/exit-logs', permission: 'public' })
      exitLogs({ log }) {
        process.once('exit', () => {
          writeFileSync('exiting', '')
          while (!existsSync('read')) {
            log.info('a line of the exit')
            sleep()
          }
        })
        return new RestResponse('logs')
      }

      @AsRestRoute({ namespace: 'own/v1', route: '/failing', permission: 'public' })
      failing() { throw new Error('x'.repeat(5_000_000)) }

      @AsRestRoute({ namespace: 'own/v1', route: '/failing-briefly', permission: 'public' })
      failingBriefly() { throw new Error('x'.repeat(12_000)) }
    }`,
  )
  return folder
}

/** @param terminal whether the output is a terminal, whose lines the program `script` writes to its own output. */
async function start(stdio: StdioOptions, terminal = false) {
  const folder = application()
  const [port = 0] = await freePorts(1)
  const words = [
    process.execPath,
    ...main,
    'serve',
    folder,
    '--port',
    String(port),
    '--database',
    'sqlite:x.sqlite',
  ] as const
  const [program, ...rest] = terminal
    ? ['script', '-qefc', `exec ${words.map((word) => `'${word}'`).join(' ')}`, '/dev/null']
    : words
  const child = spawn(program ?? '', rest, { cwd: folder, env: environment, stdio })
  started.add(child)
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>
  void ended.then(() => started.delete(child))
  /** Also of its output. */
  const closed = once(child, 'close')
  const call = async (route: string): Promise<unknown> =>
    (await fetch(`http://127.0.0.1:${port}/wp-json/own/v1/${route}`)).json()
  while ((await call('waiting').catch(() => null)) === null) {
    assert.equal(child.exitCode, null)
    await pause(20)
  }
  return { folder, child, ended, closed, call }
}

type Started = Awaited<ReturnType<typeof start>>

/** More log than the kernel and the service keep. */
async function fillLog({ call }: Started): Promise<void> {
  const padding = 'x'.repeat(3_500)
  for (let round = 0; round < 50; round += 1)
    await Promise.all(Array.from({ length: 16 }, () => call(`waiting/${padding}`)))
}

async function stop({ folder, child, ended, call }: Started): Promise<void> {
  const inFlight = call('moment')
  await until(() => existsSync(join(folder, 'begun')))
  child.kill('SIGTERM')
  assert.equal(await inFlight, 'finished')
  assert.deepEqual(await ended, [0, null])
}

describe('a log that cannot be written', { concurrency: true, timeout: 600_000 }, () => {
  test('a reader that stops reading holds up no request and no stop, and memory is bounded', async () => {
    const service = await start(['ignore', 'pipe', 'ignore'])
    await fillLog(service)
    const waiting = Number(await service.call('waiting'))
    assert.ok(waiting > 0 && waiting < 1_200_000, `${waiting} bytes wait`)
    await stop(service)
  })

  test(
    'a terminal that takes no output delays no request and no stop',
    { skip: process.platform !== 'linux' },
    async () => {
      const service = await start(['ignore', 'pipe', 'ignore'], true)
      await fillLog(service)
      const supervisor = Number(await service.call('supervisor'))
      process.kill(supervisor, 'SIGTERM')
      // `script` waits for its reader, and has not asked for the outcome of the process yet.
      await until(() => /^\d+ \(.*\) Z/.test(readFileSync(`/proc/${supervisor}/stat`, 'utf8')))
      let text = ''
      service.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      assert.deepEqual(await service.ended, [0, null])
      assert.match(text, /waiting/)
    },
  )

  test('the number of dropped lines is written when the reader goes on', async () => {
    const service = await start(['ignore', 'pipe', 'ignore'])
    await fillLog(service)
    let text = ''
    service.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    while (Number(await service.call('waiting')) > 0) await pause(20)
    await stop(service)
    await service.closed
    const lines = text
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { code?: string; lines?: number; path?: string })
    const dropped = lines.filter(({ code }) => code === 'log-lines-dropped')
    assert.equal(dropped.length, 1)
    const written = lines.filter(({ path }) => path?.startsWith('/wp-json/own/v1/waiting/x')).length
    assert.ok(written + Number(dropped[0]?.lines) >= 800)
  })

  test('a reader that has ended, and a full disk, hold up no request and no stop', async () => {
    const closed = await start(['ignore', 'pipe', 'pipe'])
    closed.child.stdout?.destroy()
    closed.child.stderr?.destroy()
    const full = await start(['ignore', openSync('/dev/full', 'w'), openSync('/dev/full', 'w')])
    for (const service of [closed, full]) {
      await fillLog(service)
      assert.ok(Number(await service.call('waiting')) < 1_200_000)
      await stop(service)
    }
  })

  test('a line of the log is bounded', async () => {
    const service = await start(['ignore', 'pipe', 'ignore'])
    let text = ''
    service.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    assert.equal(((await service.call('failing')) as { code: string }).code, 'internal_server_error')
    await stop(service)
    await service.closed
    const line = text.split('\n').find((each) => each.includes('request-failed')) ?? ''
    assert.ok(line.length < 33_000, `${line.length} characters`)
    assert.equal((JSON.parse(line) as { msg: string }).msg, 'a request failed')
  })
})

// One after the other: a reader that is busy with another test for a second loses lines.
describe('a log in a terminal', { timeout: 600_000, skip: process.platform !== 'linux' }, () => {
  test('a terminal that is read gets every line', async () => {
    const service = await start(['ignore', 'pipe', 'ignore'], true)
    let text = ''
    service.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    const padding = 'x'.repeat(2_000)
    await Promise.all(Array.from({ length: 200 }, (_, number) => service.call(`missing/${number}-${padding}`)))
    process.kill(Number(await service.call('supervisor')), 'SIGTERM')
    assert.deepEqual(await service.ended, [0, null])
    await service.closed
    for (let number = 0; number < 200; number += 1) assert.ok(text.includes(`missing/${number}-`), `line ${number}`)
  })

  test('a terminal that is read again while the service ends gets every line', async () => {
    const service = await start(['ignore', 'pipe', 'ignore'], true)
    await service.call('exit-waits')
    const padding = 'x'.repeat(2_000)
    await Promise.all(Array.from({ length: 200 }, (_, number) => service.call(`missing/${number}-${padding}`)))
    process.kill(Number(await service.call('supervisor')), 'SIGTERM')
    await until(() => existsSync(join(service.folder, 'exiting')))
    let text = ''
    service.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    writeFileSync(join(service.folder, 'read'), '')
    assert.deepEqual(await service.ended, [0, null])
    await service.closed
    for (let number = 0; number < 200; number += 1) assert.ok(text.includes(`missing/${number}-`), `line ${number}`)
  })

  test('a terminal that is read again during the exit gets the lines that the exit writes', async () => {
    const service = await start(['ignore', 'pipe', 'ignore'], true)
    const padding = 'x'.repeat(2_000)
    await Promise.all(Array.from({ length: 200 }, (_, number) => service.call(`missing/${number}-${padding}`)))
    // Its listener is called after that of the log, which exists since the first line.
    await service.call('exit-logs')
    process.kill(Number(await service.call('supervisor')), 'SIGTERM')
    await until(() => existsSync(join(service.folder, 'exiting')))
    let text = ''
    service.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (text.includes('a line of the exit')) writeFileSync(join(service.folder, 'read'), '')
    })
    assert.deepEqual(await service.ended, [0, null])
  })
})

test(
  'lines of several workers are whole in a pipe with a slow reader, and have the number and the id of the worker',
  {
    timeout: 600_000,
  },
  async () => {
    const folder = application()
    const [port = 0] = await freePorts(1)
    const words = [...main, 'serve', folder, '--port', String(port), '--database', 'sqlite:x.sqlite', '--workers', '2']
    const command = [process.execPath, ...words].map((word) => `'${word}'`).join(' ')
    // The log waits in the workers until the reader begins, and they then write as much as the pipe takes.
    const line = `{ ${command} & echo $! > pid; wait $!; } | { until [ -e go ]; do sleep 0.1; done; cat > log; }`
    const shell = spawn('bash', ['-c', line], { cwd: folder, env: environment, stdio: 'ignore' })
    started.add(shell)
    const ended = once(shell, 'exit')
    while ((await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null)) === null) await pause(20)
    const clients = await clientOfEach({ url: `http://127.0.0.1:${port}` }, 2)
    await Promise.all(
      [...clients.values()].map(async (client) => {
        for (let count = 0; count < 20; count += 1)
          assert.equal((await client.send('GET', '/wp-json/own/v1/failing-briefly')).status, 500)
        assert.equal((await client.send('GET', '/wp-json/own/v1/failing')).status, 500)
      }),
    )
    writeFileSync(join(folder, 'go'), '')
    const log = () => readFileSync(join(folder, 'log'), 'utf8')
    await until(() => existsSync(join(folder, 'log')) && log().split('"request-failed"').length > 42)
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGTERM')
    await ended
    const lines = log()
      .split('\n')
      .filter((text) => text.includes('"') && !text.startsWith('  '))
      .map((text) => JSON.parse(text) as { worker: number; pid: number; code?: string })
    const failed = lines.filter(({ code }) => code === 'request-failed')
    assert.equal(failed.length, 42)
    assert.deepEqual(new Set(failed.map(({ pid }) => pid)), new Set(clients.keys()))
    assert.deepEqual([...new Set(lines.map(({ worker }) => worker))].sort(), [1, 2])
  },
)
