/** In the environment of the process that serves, while it starts. */
export const supervisedVariable = 'AS_REST_ROUTE_SUPERVISED'

/** Sent to the supervisor by a service that begins to stop by itself. */
export const stoppingMessage = 'as-rest-route: stopping'

/** Milliseconds until a stop ends the process. Longer than the grace period: the stop itself may hang. */
export const stopDeadline = 15_000

/** Whether the command is `serve`, and this process shall run it in another one. */
export function needsSupervisor([command]: readonly string[]): boolean {
  const { env, execArgv, platform } = process
  // Windows has no signals that could be forwarded.
  if (command !== 'serve' || env[supervisedVariable] !== undefined || platform === 'win32') return false
  // A debugger is attached to the process that was started.
  if (/--inspect/.test(`${execArgv.join(' ')} ${env['NODE_OPTIONS'] ?? ''}`)) return false
  // The command `tsx` forwards signals, and it watches the modules of the process that it has started, of no other.
  return !execArgv.some((word) => /[\\/]tsx[\\/]dist[\\/]preflight/.test(word))
}
