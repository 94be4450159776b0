import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { root } from '../places.js'

export interface Child {
  readonly process: ChildProcess
  /** The last of what it wrote to either stream. */
  readonly printed: () => string
}

/** The load comes from another one: `bench/run.mjs` chooses both. */
const serverCore = process.env['BENCH_SERVER_CORE'] ?? '0'

const running = new Set<ChildProcess>()

/** Servers do not outlive a benchmark that somebody interrupts. */
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const child of running) child.kill('SIGTERM')
    process.exit(130)
  })
}

/** Starts a server on its core. @param folder that it runs in. */
export function startChild(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  folder = root,
): Child {
  return startBeside(['taskset', '-c', serverCore, ...command], environment, folder)
}

/** Starts what is to run on the core of the load. */
export function startBeside(
  [program = '', ...args]: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  folder = root,
): Child {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...cleanEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-4000)
    })
  }
  return { process: child, printed: () => printed }
}

/** @param pid of the process to tell, when it is not the child itself; one that does not listen is killed. */
export async function stopChild(child: ChildProcess, pid = child.pid): Promise<void> {
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  process.kill(pid, 'SIGTERM')
  const last = setTimeout(() => process.kill(pid, 'SIGKILL'), 5000)
  await exited
  clearTimeout(last)
}

/** What runs this benchmark (tsx, npm) is none of a server's business. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_|TSX_|BENCH_|DATABASE_URL$|REDIS_URL$)/i.test(name),
  )
  return Object.fromEntries(kept)
}
