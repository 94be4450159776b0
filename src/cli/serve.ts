import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { abortable } from '../base/abortable.js'
import { defaultThreads } from '../auth/threaded-password-hasher.js'
import type { Limiters } from '../app/compose.js'
import { RefusalCache } from '../auth/refusal-cache.js'
import { start } from '../app/boot.js'
import { EarlyServer } from '../app/early-server.js'
import { sharesLimits } from '../app/shared-limits.js'
import { storeAdapterOf } from '../app/stores.js'
import { setLogFields } from '../log/log-fields.js'
import { inspect } from '../app/plan.js'
import type { Service } from '../app/service.js'
import { environmentVariable } from '../app/environment-variable.js'
import type { BootOptions, ResolvedOptions } from '../app/options.js'
import type { SiteAddresses } from '../http/site-addresses.js'
import { announcementOn, type Announcement } from './announcement.js'
import { handlersAt, databaseOption, folderOfDatabase } from './application.js'
import { CommandError } from './command-error.js'
import { createAdministrator, hasUsers, printFirstSteps, type Credentials } from './first-start.js'
import { counted, type Output } from './output.js'
import { Stop } from './stop.js'
import { maxWorkers, parsedWorkers, readyMessage, supervisedVariable, type WorkerPlace } from './supervision.js'
import { supervisedWorkers } from './write-messages.js'
import { withInitialYoungGeneration } from './young-generation.js'

export interface ServeOptions {
  readonly port?: string
  readonly host?: string
  readonly database?: string
  readonly wordpress?: string
  readonly baseUrl?: string
  readonly workers?: string
}

/**
 * Starts an application and serves it until a signal or an error outside of all requests stops it.
 * @throws CommandError when the start fails, and after a stop by such an error.
 */
export async function serve(folder: string, serveOptions: ServeOptions, output: Output): Promise<void> {
  const place = takePlace()
  refuseWorkers(serveOptions, place)
  if (isOneOfSeveral(place)) setLogFields({ worker: place.number, pid: process.pid })
  const port = portOf(serveOptions)
  const host = hostOf(serveOptions)
  const { handlers, configuration } = await handlersAt(folder)
  const options: BootOptions = {
    ...databaseOption(serveOptions.database),
    ...(serveOptions.wordpress !== undefined && { wordpress: { config: serveOptions.wordpress } }),
    ...(serveOptions.baseUrl !== undefined && { base_url: serveOptions.baseUrl }),
  }
  const stop = new Stop(place !== null)
  // Beside workers that already serve, an early server would take requests from them, and answer 503.
  const earlyServer = place?.begins === false ? null : new EarlyServer(port, host)
  let service: Service | null = null
  try {
    let credentials = null as Credentials | null
    let onRejection: BootOptions['unhandled_rejections']
    let environment: ResolvedOptions['environment'] = 'production'
    let site = null as SiteAddresses | null
    service = await withInitialYoungGeneration(async () => {
      const hashing = { threads: defaultThreads(place?.count) }
      const plan = await inspect(handlers, options, configuration, { hashing })
      if (isOneOfSeveral(place)) refuseMemory(plan.options)
      if (plan.diagnostics.length === 0 && place?.begins !== false) await requireFreePort(port, host)
      onRejection = plan.options.unhandled_rejections
      environment = plan.options.environment
      site = plan.content.site
      return start(plan, [], {
        complete: async (newService) => {
          const announcement = announcementOn(output, environment, newService.log)
          credentials = await createAdministrator(newService, announcement, folderOfDatabase(plan.options.database))
        },
        signal: stop.signal,
        earlyServer,
        workers: isOneOfSeveral(place) ? supervisedWorkers : null,
        limiters: isOneOfSeveral(place) && !sharesLimits(plan.options) ? await supervisedLimiters() : null,
      })
    })
    stop.watchErrors(service.log, onRejection)
    // The start may finish after the request to stop.
    stop.signal.throwIfAborted()
    // A worker listens through its supervisor. When the supervisor is gone, the call never ends.
    const url = await abortable(listen(service, port, host), stop.signal)
    if (place !== null && process.connected) process.send?.(readyMessage)
    const announcement = announcementOn(output, environment, service.log)
    if (place?.announces !== false) await announce(service, { url, site }, credentials, announcement)
    // Also for a worker that replaces another one, whose end is in the output as well.
    else if (isOneOfSeveral(place)) announcement.line(`Worker ${place.number} of ${place.count} accepts requests.`)
    await stop.requested
  } catch (error) {
    // The signal came while the start waited: for the first start of another process, or for an injected class.
    if (error !== stop.signal.reason) throw error
  } finally {
    await earlyServer?.close()
    await service?.close()
    stop.restoreSignals()
  }
  if (stop.failure !== null)
    throw new CommandError('service-failed', `The service ended because of ${stop.failure}. See the log.`)
}

/** Says where the service is, and who can log in. */
async function announce(
  service: Service,
  { url, site }: { readonly url: string; readonly site: SiteAddresses | null },
  credentials: Credentials | null,
  announcement: Announcement,
): Promise<void> {
  if (credentials !== null && site !== null) printFirstSteps(service, { url, site }, credentials, announcement)
  else if (!(await hasUsers(service)))
    announcement.line('Nobody can log in yet. See: as-rest-route user create <login> <email> --role=administrator')
  const address = `${url}/`
  const routes = counted(service.routeCount, 'route')
  announcement.line(`${routes} at ${announcement.colors?.cyan(address) ?? address}`, { url: address })
}

/** Listens. @returns the URL of the service. @throws CommandError when the address cannot be used. */
async function listen(service: Service, port: number, host: string): Promise<string> {
  try {
    return (await service.listen({ port, host })).url
  } catch (error) {
    throw listenFailure(error, port, host)
  }
}

/** Milliseconds. A program of this machine accepts a connection at once. */
const probeTimeout = 1_000

/**
 * Refuses a port at which another program listens, before the start creates a database, an administrator and the file of the
 * passwords. The test is a connection to the port. To listen for a moment instead would cut off clients that connect
 * meanwhile. To be called only while no other process of the command listens.
 * @throws CommandError
 */
async function requireFreePort(port: number, host: string): Promise<void> {
  if (port === 0) return
  const local = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  const socket = connect({ port, host: local, timeout: probeTimeout })
  const isTaken = await new Promise<boolean>((resolve) => {
    // The host may be an address of another machine, whose program at this port does not matter.
    socket.once('connect', () => resolve(isOfThisMachine(socket.remoteAddress)))
    for (const event of ['error', 'timeout']) socket.once(event, () => resolve(false))
  })
  socket.destroy()
  if (isTaken) throw portTaken(port, host)
}

const isOfThisMachine = (address = ''): boolean =>
  address.startsWith('127.') ||
  Object.values(networkInterfaces()).some((list) => list?.some((network) => network.address === address))

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
      return portTaken(port, host)
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

/** Rate limiters whose counters all workers share. */
async function supervisedLimiters(): Promise<Limiters> {
  const { SupervisedLimiters } = await import('./supervised-limiters.js')
  const limiters = new SupervisedLimiters()
  return {
    createLimiter: (name, onLockOut) => limiters.limiter(name, onLockOut),
    requestCounters: new RefusalCache(limiters, () => performance.now()),
  }
}

/** The place that the supervisor has given to this process; null without a supervisor. */
function takePlace(): WorkerPlace | null {
  const text = process.env[supervisedVariable]
  // Processes that the application starts are not supervised.
  delete process.env[supervisedVariable]
  return text === undefined ? null : (JSON.parse(text) as WorkerPlace)
}

const isOneOfSeveral = (place: WorkerPlace | null): place is WorkerPlace => place !== null && place.count > 1

/** @throws CommandError for an invalid number of workers, and for one that this process cannot start. */
function refuseWorkers({ workers }: ServeOptions, place: WorkerPlace | null): void {
  const text = workers ?? environmentVariable('WORKERS') ?? '1'
  const source = workers === undefined ? 'The environment variable WORKERS' : '--workers'
  const number = parsedWorkers(text)
  if (number === null)
    throw new CommandError(
      'workers-invalid',
      `${source}: '${text}' is not a number of workers. Give a number from 1 to ${maxWorkers}, or 'auto' for one worker a processor.`,
    )
  if (place === null && number > 1)
    throw new CommandError(
      'workers-unsupported',
      `${source}: several workers need a supervisor, which the command does not start on Windows, under a debugger ` +
        'and under tsx. Give 1.',
    )
}

/** @throws CommandError for a database that other processes cannot open. */
function refuseMemory({ database, service_database = database }: ResolvedOptions): void {
  if ([database, service_database].some((address) => storeAdapterOf(address).locate(address).isTemporary))
    throw new CommandError(
      'workers-share-database',
      'Several workers share one database, and a database in memory belongs to one process. Name a file with ' +
        '--database, or give --workers 1.',
    )
}

const portTaken = (port: number, host: string): CommandError =>
  new CommandError('port-taken', `Port ${port} of ${host} is taken by another program. Give another one with --port.`)
