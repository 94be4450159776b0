import { boot } from '../boot.js'
import type { BootOptions } from '../service/settings.js'
import { applicationAt, databaseOption } from './application.js'
import { CommandFailed } from './fail.js'
import { greetFirstStart } from './first-start.js'
import type { Output } from './output.js'

export interface ServeOptions {
  readonly port?: string
  readonly host?: string
  readonly database?: string
  readonly baseUrl?: string
  readonly workers?: string
}

/** Starts an application and serves it until it is told to stop. */
export async function serve(folder: string, given: ServeOptions, output: Output): Promise<void> {
  refuseWhatIsLater(given)
  const port = portOf(given.port ?? process.env['PORT'] ?? '8080')
  const host = given.host ?? process.env['HOST'] ?? '127.0.0.1'
  const { handlers } = await applicationAt(folder)
  const options: BootOptions = {
    ...databaseOption(given.database),
    ...(given.baseUrl !== undefined && { base_url: given.baseUrl }),
  }
  const service = await boot(handlers, options)
  try {
    const { url } = await service.listen({ port, host })
    if (service.created) await greetFirstStart(service, url, output)
    output.line(`${service.routes.length} routes at ${output.colors.cyan(`${url}/`)}`)
  } catch (error) {
    await service.close()
    throw listenFailure(error, port, host)
  }
  await stopSignal()
  await service.close()
}

/** Resolves at SIGTERM or SIGINT; the second one does not wait for anybody. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    const stop = () => {
      if (asked) process.exit(1)
      asked = true
      resolve()
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  })
}

function portOf(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new CommandFailed(`'${text}' is not a port. Give a number from 0 to 65535.`, 2)
  return port
}

function listenFailure(error: unknown, port: number, host: string): unknown {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'EADDRINUSE')
    return new CommandFailed(`Port ${port} is taken by another program. Give another one: --port ${port + 1}`)
  if (code === 'EACCES')
    return new CommandFailed(`Port ${port} may not be used by this user. Give one above 1023: --port 8080`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new CommandFailed(`This machine has no address '${host}'. Give --host 127.0.0.1, or 0.0.0.0 for all.`)
  return error
}

/** Refused with a sentence until it is there, never half there. */
function refuseWhatIsLater({ workers }: ServeOptions): void {
  if (workers !== undefined && workers !== '1')
    throw new CommandFailed('This version serves with one process; --workers is not supported yet.', 2)
  if (process.env['REDIS_URL'])
    throw new CommandFailed('REDIS_URL is set, but this version does not use Redis yet. Unset it.', 2)
}
