import { availableParallelism } from 'node:os'

/** In the environment of a process that serves, while it starts: its {@link WorkerPlace} as JSON. */
export const supervisedVariable = 'AS_REST_ROUTE_SUPERVISED'

/** Sent to the supervisor by a service that accepts requests. */
export const readyMessage = 'as-rest-route: ready'

/** Sent to the supervisor by a service that begins to stop by itself. */
export const stoppingMessage = 'as-rest-route: stopping'

/** Milliseconds until a stop ends the process. Longer than the grace period: the stop itself may hang. */
export const stopDeadline = 15_000

/** The place of a worker among those that its command runs. */
export interface WorkerPlace {
  /** From 1 on. The worker that replaces another one has its number. */
  readonly number: number
  /** The number of workers. */
  readonly count: number
  /** Whether the worker prints the address of the service. One of them does; the others print their number. */
  readonly announces: boolean
  /** Whether the command has just begun, so that no process of it listens yet. */
  readonly begins: boolean
}

/** Maximum number of workers: many more than a machine has processors. */
export const maxWorkers = 256

/** The value of `--workers` or `WORKERS` as a number. @returns null for another text. */
export function parsedWorkers(text: string): number | null {
  if (text === 'auto') return Math.min(availableParallelism(), maxWorkers)
  const number = Number(text)
  return /^\d{1,3}$/.test(text) && number >= 1 && number <= maxWorkers ? number : null
}

/**
 * The number of workers that a command line asks for. It is read without the parser of the command line, whose import
 * would delay the start. The first worker refuses what is wrong.
 */
export function workersOf(words: readonly string[]): number {
  const end = words.indexOf('--')
  const options = end === -1 ? words : words.slice(0, end)
  const index = options.findLastIndex((word) => word === '--workers' || word.startsWith('--workers='))
  const word = options[index] ?? ''
  const option = word === '--workers' ? options[index + 1] : word.slice('--workers='.length) || undefined
  return parsedWorkers(option ?? (process.env['WORKERS'] || '1')) ?? 1
}

/** Whether this process shall run the command in child processes: it is `serve`, and no supervisor has started this process. */
export function needsSupervisor([command]: readonly string[]): boolean {
  return command === 'serve' && process.env[supervisedVariable] === undefined && canSupervise()
}

/** Whether a process like this one can run a service in child processes. */
export function canSupervise(): boolean {
  const { env, execArgv, platform } = process
  // Windows has no signals that could be forwarded.
  if (platform === 'win32') return false
  // A debugger is attached to the process that was started.
  if (/--inspect/.test(`${execArgv.join(' ')} ${env['NODE_OPTIONS'] ?? ''}`)) return false
  // The command `tsx` forwards signals, and it watches the modules of the process that it has started, of no other.
  return !execArgv.some((word) => /[\\/]tsx[\\/]dist[\\/]preflight/.test(word))
}
