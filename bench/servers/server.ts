import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../load/exchange.js'
import { root } from '../places.js'
import { cpuSeconds, memoryMegabytes, processWith } from './processes.js'

/** How a server is started; it gets its port in `PORT`. */
export interface ServerCommand {
  readonly name: string
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Answered as soon as anything is. */
  readonly readyPath: string
  /** A word of the command line of the process that serves, when the command starts others before it. */
  readonly marker?: string
}

export interface RunningServer {
  readonly name: string
  readonly port: number
  /** From starting the process to its first answer. */
  readonly startMilliseconds: number
  readonly cpuSeconds: () => number
  readonly memoryMegabytes: () => number
  readonly stop: () => Promise<void>
}

const patience = 120_000

/** Starts a server on core 0 and waits for its first answer. @throws Error with what it printed, when it does not come. */
export async function startServer({
  name,
  command,
  environment,
  readyPath,
  marker,
}: ServerCommand): Promise<RunningServer> {
  const port = await freePort()
  const begin = performance.now()
  const child = spawn('taskset', ['-c', '0', ...command], {
    cwd: root,
    env: { ...cleanEnvironment(), ...environment, PORT: String(port), NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-4000)
    })
  }
  try {
    await firstAnswer(child, port, readyPath, begin + patience)
  } catch (error) {
    child.kill('SIGKILL')
    throw new Error(`${name} did not start. ${(error as Error).message}\n${printed}`, { cause: error })
  }
  const startMilliseconds = performance.now() - begin
  const pid = (marker === undefined ? child.pid : processWith(child.pid ?? 0, marker)) ?? 0
  return {
    name,
    port,
    startMilliseconds,
    cpuSeconds: () => cpuSeconds(pid),
    memoryMegabytes: () => memoryMegabytes(pid),
    stop: () => stopped(child, pid),
  }
}

async function stopped(child: ChildProcess, pid: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  process.kill(pid, 'SIGTERM')
  const last = setTimeout(() => process.kill(pid, 'SIGKILL'), 5000)
  await exited
  clearTimeout(last)
}

async function firstAnswer(child: ChildProcess, port: number, path: string, deadline: number): Promise<void> {
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`It ended with code ${child.exitCode}.`)
    if (await accepts(port)) {
      const { status } = await ask(port, { method: 'GET', path })
      if (status === 200) return
      throw new Error(`Its answer to ${path} has status ${status}.`)
    }
    await sleep(1)
  }
  throw new Error('It took too long.')
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** What runs this benchmark (tsx, npm) is none of a server's business. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_|TSX_|DATABASE_URL$|REDIS_URL$)/i.test(name),
  )
  return Object.fromEntries(kept)
}
