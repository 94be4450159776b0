import { startChild, stopChild } from './child.js'
import { firstResponse, freePort } from './first-response.js'
import { cpuSecondsOfAll, memoryMegabytes, processWith } from './processes.js'

/** How a server is started; it gets its port in `PORT`. */
export interface ServerCommand {
  readonly name: string
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** The folder that the command runs in. Default: this checkout. */
  readonly folder?: string
  /** Answered as soon as anything is. */
  readonly readyPath: string
  /** A word of the command line of the process that serves, when the command starts others before it. */
  readonly marker?: string
}

export interface RunningServer {
  readonly name: string
  readonly port: number
  /** From starting the process to its first response. */
  readonly startMilliseconds: number
  readonly cpuSeconds: () => number
  readonly memoryMegabytes: () => number
  readonly stop: () => Promise<void>
}

/** Starts a server and waits for its first response. @throws Error with what it printed, when it does not come. */
export async function startServer(server: ServerCommand): Promise<RunningServer> {
  const { name, command, environment, readyPath, marker, folder } = server
  const port = await freePort()
  const begin = performance.now()
  const started = { ...environment, PORT: String(port), NODE_ENV: 'production' }
  const { process: child, printed } = startChild(command, started, folder)
  try {
    await firstResponse([child], port, readyPath)
  } catch (error) {
    child.kill('SIGKILL')
    throw new Error(`${name} did not start. ${(error as Error).message}\n${printed()}`, { cause: error })
  }
  const startMilliseconds = performance.now() - begin
  const pid = marker === undefined || child.pid === undefined ? child.pid : processWith(child.pid, marker)
  // Not 0 in its place: a signal to that would end this benchmark as well.
  if (pid === undefined || pid === null) {
    child.kill('SIGKILL')
    throw new Error(`${name} answers, but no process of its own is '${marker ?? command[0]}'.`)
  }
  return {
    name,
    port,
    startMilliseconds,
    cpuSeconds: () => cpuSecondsOfAll(pid),
    memoryMegabytes: () => memoryMegabytes(pid),
    stop: () => stopChild(child, pid),
  }
}
