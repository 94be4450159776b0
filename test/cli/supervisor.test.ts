import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freshDatabase } from '../support/servers/fresh-database.js'
import { skipWithoutServer } from '../support/servers/missing-server.js'
import { RawConnection } from '../support/raw-socket.js'
import { until } from '../support/until.js'
import {
  emptyFolder,
  endAll,
  removeFolders,
  run,
  serve,
  serveInTerminal,
  startServe,
  type Serving,
} from './command-line.js'
import { typescriptArguments } from '../support/typescript.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const main = join(root, 'src/cli/main.ts')

after(() => {
  endAll()
  removeFolders()
})

/** An application whose handlers tell their process, take a moment, or block it for ever. */
function application(): string {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(
    join(folder, 'api.ts'),
    `import { writeFileSync } from 'node:fs'
    import { AsRestRoute, RestResponse } from 'as-rest-route'
    export class Api {
      @AsRestRoute({ namespace: 'own/v1', route: '/process', permission: 'public' })
      process() { return new RestResponse({ pid: process.pid, parent: process.ppid }) }

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
        return new RestResponse('never')
      }
    }`,
  )
  return folder
}

const words = (folder: string) => [folder, '--port', '0', '--database', 'sqlite:x.sqlite']
const start = (folder: string): Promise<Serving> => serve(words(folder), { cwd: folder })

async function call({ url }: Pick<Serving, 'url'>, route: string): Promise<unknown> {
  // A connection of its own, which the end of another process does not break.
  const response = await fetch(`${url}/wp-json/own/v1/${route}`, { headers: { Connection: 'close' } })
  return response.json()
}

const processOf = async (served: Pick<Serving, 'url'>) =>
  (await call(served, 'process')) as { readonly pid: number; readonly parent: number }

/** Waits until a handler that takes a moment has begun. */
const momentBegins = (folder: string): Promise<void> =>
  until(() => readdirSync(folder).some((name) => name.startsWith('begun-')))

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/**
 * Begins a first start, which waits for the file `go on`, and makes the file `listening` when it begins to listen.
 * @returns the process ids of the command and of the service.
 */
async function beginFirstStart(folder: string, database: string) {
  writeFileSync(
    join(folder, 'as-rest-route.config.ts'),
    `import { existsSync, writeFileSync } from 'node:fs'
    import { Server } from 'node:net'
    const { listen } = Server.prototype
    Server.prototype.listen = function (...words) {
      writeFileSync('listening', '')
      return listen.apply(this, words)
    }
    export default {
      async seed() {
        writeFileSync('seeding', String(process.pid))
        while (!existsSync('go on')) await new Promise((resolve) => setTimeout(resolve, 20))
      },
    }`,
  )
  const command = startServe([folder, '--port', '0', '--database', database], { cwd: folder })
  const seeding = join(folder, 'seeding')
  await until(() => existsSync(seeding) && readFileSync(seeding, 'utf8') !== '')
  return { supervisor: command.pid, pid: Number(readFileSync(seeding, 'utf8')) }
}

/** Starts the application again, and looks for what the first start has made. */
async function assertIsStarted(folder: string, database: string): Promise<void> {
  const again = await serve([folder, '--port', '0', '--database', database], { cwd: folder })
  assert.equal((await processOf(again)).parent, again.pid)
  assert.equal(await again.end('SIGTERM'), 0)
  assert.doesNotMatch(again.output(), /administrator|Nobody can log in/)
  const { stdout } = await run(['user', 'list', '--app', folder, '--database', database, '--json'], { cwd: folder })
  const users = JSON.parse(stdout) as { login: string; roles: string[] }[]
  assert.deepEqual(
    users.map(({ login, roles }) => [login, roles]),
    [['admin', ['administrator']]],
  )
}

describe('a service under its supervisor', { concurrency: true, timeout: 600_000 }, () => {
  test('the service runs in a child of the command, which hears SIGTERM for it', async () => {
    const folder = application()
    const served = await start(folder)
    const { pid, parent } = await processOf(served)
    assert.equal(parent, served.pid)
    const inFlight = call(served, 'moment')
    await momentBegins(folder)
    const ended = served.end('SIGTERM')
    assert.equal(await inFlight, 'finished')
    assert.equal(await ended, 0)
    assert.ok(!isRunning(pid))
  })

  test('a signal to all processes of the command stops it once', async () => {
    const folder = application()
    const served = await start(folder)
    const { pid } = await processOf(served)
    const inFlight = call(served, 'moment')
    await momentBegins(folder)
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      for (const each of [pid, served.pid]) process.kill(each, signal)
    assert.equal(await inFlight, 'finished')
    assert.equal(await served.ended(), 0)
  })

  test('a service that is blocked for ever is killed after the grace period', async () => {
    const served = await start(application())
    const { pid } = await processOf(served)
    const blocked = assert.rejects(call(served, 'blocked'))
    await served.waitForOutput(/^blocked$/m)
    assert.equal(await served.end('SIGTERM'), 1)
    await blocked
    assert.match(served.output(), /^The service did not stop within 15 seconds and was killed\. \[service-hung\]$/m)
    assert.ok(!isRunning(pid))
  })

  test('a second signal kills a service that is blocked', async () => {
    const served = await start(application())
    const blocked = assert.rejects(call(served, 'blocked'))
    await served.waitForOutput(/^blocked$/m)
    process.kill(served.pid, 'SIGINT')
    await pause(1_100)
    assert.equal(await served.end('SIGINT'), 1)
    await blocked
    assert.doesNotMatch(served.output(), /service-hung/)
  })

  test('a service whose supervisor is killed finishes its requests and ends', async () => {
    const folder = application()
    const served = await start(folder)
    const { pid } = await processOf(served)
    const inFlight = call(served, 'moment')
    await momentBegins(folder)
    process.kill(served.pid, 'SIGKILL')
    assert.equal(await inFlight, 'finished')
    await until(() => !isRunning(pid))
  })

  test(
    'a service whose supervisor is killed during the first start finishes the start and ends',
    { skip: skipWithoutServer('postgres') },
    async () => {
      const folder = application()
      // Its connections keep a process running.
      const database = (await freshDatabase('postgres')) ?? assert.fail('no server')
      const { supervisor, pid } = await beginFirstStart(folder, database.url)
      process.kill(supervisor, 'SIGKILL')
      await until(() => !isRunning(supervisor))
      writeFileSync(join(folder, 'go on'), '')
      await until(() => !isRunning(pid))
      await assertIsStarted(folder, database.url)
      await database.drop()
    },
  )

  test('a service whose supervisor is killed before the service listens ends', async () => {
    const folder = application()
    appendFileSync(join(folder, 'api.ts'), '\nsetInterval(() => undefined, 1000)')
    const { supervisor, pid } = await beginFirstStart(folder, 'sqlite:x.sqlite')
    process.kill(supervisor, 'SIGSTOP')
    writeFileSync(join(folder, 'go on'), '')
    await until(() => existsSync(join(folder, 'listening')))
    process.kill(supervisor, 'SIGKILL')
    await until(() => !isRunning(pid))
    await assertIsStarted(folder, 'sqlite:x.sqlite')
  })

  for (const [how, code] of [
    ['SIGTERM', 0],
    ['SIGKILL', null],
  ] as const)
    test(`a service that ends by itself after ${how} ends the command with ${code ?? 'the same signal'}`, async () => {
      const served = await start(application())
      process.kill((await processOf(served)).pid, how)
      assert.equal(await served.ended(), code)
    })
})

describe('SIGHUP', { concurrency: true, timeout: 600_000 }, () => {
  test('replaces the process, reads the configuration anew, and cuts no request off', async () => {
    const folder = application()
    const served = await start(folder)
    const first = await processOf(served)
    writeFileSync(join(folder, 'as-rest-route.config.ts'), `export default { site: {}, rest_prefix: 'api' }`)
    const port = Number(new URL(served.url).port)
    const open = new RawConnection(port)
    open.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    await open.response()
    const inFlight = call(served, 'moment')
    await momentBegins(folder)
    process.kill(served.pid, 'SIGHUP')
    let current = first
    let failures = 0
    await until(async () => {
      const response = await fetch(`${served.url}/api/own/v1/process`, { headers: { Connection: 'close' } }).catch(
        () => null,
      )
      if (response === null) failures += 1
      else if (response.status === 200) current = (await response.json()) as typeof first
      return current.pid !== first.pid
    })
    assert.equal(failures, 0)
    assert.equal(current.parent, served.pid)
    assert.equal(await inFlight, 'finished')
    await open.ended()
    open.close()
    await until(() => !isRunning(first.pid))
    assert.equal(await served.end('SIGTERM'), 0)
    assert.equal(served.output().match(/3 routes at/g)?.length, 2)
  })

  test('leaves the process in place when the new one does not start', async () => {
    const folder = application()
    const served = await start(folder)
    const first = await processOf(served)
    writeFileSync(join(folder, 'as-rest-route.config.ts'), `export default { rest_prefixx: 'api' }`)
    process.kill(served.pid, 'SIGHUP')
    await served.waitForOutput(/^The new process did not start\. .* \[restart-failed\]$/m)
    assert.match(served.output(), /rest_prefixx/)
    assert.equal((await processOf(served)).pid, first.pid)
    assert.equal(await served.end('SIGTERM'), 0)
  })
})

/** Starts the command as process 1 of a namespace, as in a container. */
function serveAsFirstProcess(folder: string) {
  const command = [process.execPath, ...typescriptArguments, main, 'serve', ...words(folder)]
  return spawn('unshare', ['--pid', '--fork', '--mount-proc', ...command], {
    cwd: folder,
    env: { ...process.env, TSX_TSCONFIG_PATH: join(root, 'tsconfig.json') },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

const withoutNamespaces =
  spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status !== 0 &&
  'no PID namespace may be created here'

describe('the command as process 1 of a container', { timeout: 600_000, skip: withoutNamespaces }, () => {
  for (const [how, code] of [
    ['SIGTERM to process 1', 0],
    ['SIGKILL to the service', 137],
  ] as const)
    test(`ends with ${code} after ${how}`, async () => {
      const folder = application()
      const namespace = serveAsFirstProcess(folder)
      const ended = once(namespace, 'exit')
      const url = await urlOf(namespace.stdout)
      assert.deepEqual((await processOf({ url })).parent, 1)
      const [first = 0] = childrenOf(namespace.pid ?? 0)
      const [service = 0] = childrenOf(first)
      const inFlight = call({ url }, 'moment').catch(() => 'cut')
      await momentBegins(folder)
      if (code === 0) process.kill(first, 'SIGTERM')
      else process.kill(service, 'SIGKILL')
      assert.equal(await inFlight, code === 0 ? 'finished' : 'cut')
      assert.deepEqual(await ended, [code, null])
    })
})

function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
}

const withoutScript = process.platform === 'linux' ? false : 'the program script of util-linux is needed'

test('a terminal that is closed stops the service, which finishes its requests', { skip: withoutScript }, async () => {
  const folder = application()
  const served = await serveInTerminal(words(folder), { cwd: folder })
  const { pid, parent } = await processOf(served)
  const inFlight = call(served, 'moment')
  await momentBegins(folder)
  process.kill(served.pid, 'SIGKILL')
  assert.equal(await inFlight, 'finished')
  await until(() => !isRunning(pid) && !isRunning(parent))
})

describe('without a supervisor', { concurrency: true, timeout: 600_000 }, () => {
  const cases: [what: string, program: string, args: readonly string[]][] = [
    ['under a debugger', process.execPath, ['--inspect=127.0.0.1:0', ...typescriptArguments]],
    ['under the command tsx', join(root, 'node_modules/.bin/tsx'), []],
  ]
  for (const [what, program, args] of cases)
    test(`the service runs in the process that is started, ${what}`, async () => {
      const folder = application()
      const env = { ...process.env, TSX_TSCONFIG_PATH: join(root, 'tsconfig.json') }
      const child = spawn(program, [...args, main, 'serve', ...words(folder)], {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      const url = await urlOf(child.stdout)
      const { pid, parent } = await processOf({ url })
      assert.ok(pid === child.pid || parent === child.pid)
      const ended = once(child, 'exit')
      process.kill(pid, 'SIGTERM')
      assert.deepEqual(await ended, [0, null])
    })
})

async function urlOf(output: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of output) {
    text += String(chunk)
    const url = /routes? at (http:\/\/[^\s"]+?)\/[\n"]/.exec(text)?.[1]
    if (url !== undefined) return url
  }
  throw new Error(`The command ended: ${text}`)
}
