import { start } from '../app/boot.js'
import { StartupError } from '../app/startup-error.js'
import { inspect } from '../app/plan.js'
import type { Service } from '../app/service.js'
import { environmentVariable } from '../app/environment-variable.js'
import type { BootOptions } from '../app/options.js'
import { handlersAt, databaseOption, folderOfDatabase } from './application.js'
import { CommandError } from './command-error.js'
import { createAdministrator, hasUsers, printFirstSteps, type Credentials } from './first-start.js'
import { counted, type Output } from './output.js'
import { Stop } from './stop.js'
import { withoutGrowth } from './young-generation.js'

export interface ServeOptions {
  readonly port?: string
  readonly host?: string
  readonly database?: string
  readonly baseUrl?: string
  readonly workers?: string
}

/**
 * Starts an application and serves it until a signal or an error outside of all requests stops it.
 * @throws CommandError when the start fails, and after a stop by such an error.
 */
export async function serve(folder: string, serveOptions: ServeOptions, output: Output): Promise<void> {
  refuseWorkers(serveOptions)
  const port = portOf(serveOptions)
  const host = hostOf(serveOptions)
  const { handlers, configuration } = await handlersAt(folder)
  const options: BootOptions = {
    ...databaseOption(serveOptions.database),
    ...(serveOptions.baseUrl !== undefined && { base_url: serveOptions.baseUrl }),
  }
  const stop = new Stop()
  let service: Service | null = null
  try {
    let credentials = null as Credentials | null
    let onRejection: BootOptions['unhandled_rejections']
    service = await withoutGrowth(async () => {
      const plan = await inspect(handlers, options, configuration)
      if (plan.diagnostics.length > 0) throw new StartupError(plan.diagnostics)
      onRejection = plan.options.unhandled_rejections
      return start(plan, [], {
        complete: async (newService) => {
          credentials = await createAdministrator(newService, output, folderOfDatabase(plan.options.database))
        },
        signal: stop.signal,
      })
    })
    stop.watchErrors(service.log, onRejection)
    const url = await listen(service, port, host)
    if (credentials !== null) printFirstSteps(service, url, credentials, output)
    else if (!(await hasUsers(service)))
      output.line('Nobody can log in yet. See: as-rest-route user create <login> <email> --role=administrator')
    output.line(`${counted(service.routeCount, 'route')} at ${output.colors.cyan(`${url}/`)}`)
    await stop.requested
  } catch (error) {
    // The signal came while the start waited for the first start of another process.
    if (error !== stop.signal.reason) throw error
  } finally {
    await service?.close()
    stop.restoreSignals()
  }
  if (stop.failure !== null)
    throw new CommandError('service-failed', `The service ended because of ${stop.failure}. See the log.`)
}

/** Listens. @returns the URL of the service. @throws CommandError when the address cannot be used. */
async function listen(service: Service, port: number, host: string): Promise<string> {
  try {
    return (await service.listen({ port, host })).url
  } catch (error) {
    throw listenFailure(error, port, host)
  }
}

function portOf({ port }: ServeOptions): number {
  const text = port ?? environmentVariable('PORT') ?? '8080'
  const number = Number(text)
  if (/^\d{1,5}$/.test(text) && number <= 65_535) return number
  const source = port === undefined ? 'The environment variable PORT' : '--port'
  throw new CommandError('port-invalid', `${source}: '${text}' is not a port. Give a number from 0 to 65535.`)
}

function hostOf({ host }: ServeOptions): string {
  // Node would listen on every address of the machine.
  if (host === '') throw new CommandError('host-empty', '--host is empty. Give an address, or 0.0.0.0 for all.')
  return host ?? environmentVariable('HOST') ?? '127.0.0.1'
}

/** A `CommandError` for the usual reasons why `listen` fails; other errors unchanged. */
function listenFailure(error: unknown, port: number, host: string): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new CommandError(
        'port-taken',
        `Port ${port} of ${host} is taken by another program. Give another one with --port.`,
      )
    case 'EACCES':
      return new CommandError(
        'port-forbidden',
        `Port ${port} may not be used by this user. Give one above 1023: --port 8080`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new CommandError(
        'host-unknown',
        `This machine has no address '${host}'. Give --host 127.0.0.1, or 0.0.0.0 for all.`,
      )
    default:
      return error
  }
}

/** @throws CommandError for `--workers` with another number than 1: the command starts one process that serves. */
function refuseWorkers({ workers }: ServeOptions): void {
  if (workers !== undefined && workers !== '1')
    throw new CommandError(
      'workers-unsupported',
      '--workers is not supported yet: this command starts one process. ' +
        'Several on one machine may serve one database: run it once for each, with a --port of its own.',
    )
}
