import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { serverPrograms, type ServerKind } from './server-programs.js'
import { requirePrograms, serverUser } from './server-program.js'

// The program of a process that owns one database server: its folder and its processes. It follows the orders of the
// process that started it, and removes everything when that process ends, however it ends.

export type Order = 'start' | 'stop' | 'kill'
/** The address is that of the server, whether it runs or not. */
export type Reply = { readonly url: string } | { readonly failure: string }

const [, , kind, ...settings] = process.argv
const program = serverPrograms[kind as ServerKind]
const paths = requirePrograms(program)
const user = serverUser(program)
const password = randomBytes(12).toString('hex')
const folder = mkdtempSync(join(tmpdir(), `as-rest-route-${kind}-`))
const environment = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' }

let server: ChildProcess | null = null
let port = 0
/** The end of what the programs have said. */
let output = ''

const orders: Readonly<Record<Order, () => Promise<void>>> = {
  async start() {
    if (port === 0) await initialise()
    else await serve()
  },
  stop: () => end(program.stopSignal),
  async kill() {
    // PostgreSQL has a process per connection.
    const children = server === null ? [] : childrenOf(server.pid ?? 0)
    await end('SIGKILL')
    for (const child of children) await killed(child)
  },
}

async function drop(): Promise<void> {
  await end(program.dropSignal)
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}

let last: Promise<unknown> = Promise.resolve()
process.on('message', (order: Order) => {
  last = last.then(() => follow(order))
})
process.on('disconnect', () => {
  void last.then(drop, drop)
})

async function follow(order: Order): Promise<void> {
  const reply = await orders[order]().then(
    (): Reply => ({ url: program.url({ port, password }) }),
    (error): Reply => ({ failure: `${program.name}, order ${order}: ${String(error)}\n${output}` }),
  )
  if (process.connected) process.send?.(reply)
}

async function initialise(): Promise<void> {
  for (const [name, text] of Object.entries(program.files(password))) {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    if (user) chownSync(join(folder, name), user.uid, user.gid)
  }
  if (user) chownSync(folder, user.uid, user.gid)
  const [code] = (await once(run(paths.initialise, program.initialiseArguments(folder)), 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${program.initialise} ended with ${code}.`)
  // Another program may take the port between the look and the start.
  for (let attempt = 1; ; attempt += 1) {
    port = await freePort()
    try {
      return await serve()
    } catch (error) {
      if (attempt === 3) throw error
    }
  }
}

async function serve(): Promise<void> {
  if (server !== null) throw new Error('It runs.')
  output = ''
  const started = run(paths.server, program.serverArguments({ folder, port }, settings))
  server = started
  started.once('exit', () => (server = null))
  await new Promise<void>((resolve, reject) => {
    for (const stream of [started.stdout, started.stderr])
      stream?.on('data', () => {
        if (program.readyLine.test(output)) resolve()
      })
    started.once('exit', (code, signal) => reject(new Error(`${program.server} ended with ${code ?? signal}.`)))
    started.once('error', reject)
  })
}

async function end(signal: NodeJS.Signals): Promise<void> {
  if (server === null) return
  const ended = once(server, 'exit')
  server.kill(signal)
  await ended
}

function run(path: string, words: readonly string[]): ChildProcess {
  const child = spawn(path, words, { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'], ...user })
  const keep = (bytes: Buffer) => {
    output = `${output}${String(bytes)}`.slice(-4000)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  return child
}

/** Below the ports that systems give to outgoing connections, so that it is still free after a stop. */
async function freePort(): Promise<number> {
  for (;;) {
    const candidate = randomInt(20_000, 32_000)
    const probe = createServer()
    try {
      probe.listen(candidate, '127.0.0.1')
      await once(probe, 'listening')
      return candidate
    } catch {
      // Taken: the next one.
    } finally {
      probe.close()
    }
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  } catch {
    // Not Linux: the processes notice by themselves.
    return []
  }
}

/** Resolves when the process has ended. */
async function killed(pid: number): Promise<void> {
  try {
    process.kill(pid, 'SIGKILL')
    // A process that nobody waits for stays in the state Z, with nothing open.
    while (!/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) await setTimeout(5)
  } catch {
    // It is gone.
  }
}
