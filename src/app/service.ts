import { logError } from '../log/log-error.js'
import { withCors } from '../pipeline/headers.js'
import { handleFetch, responseOf, type Sender } from '../server/fetch.js'
import type { FormOptions } from '../http/form-reader.js'
import { TemporaryFiles } from '../http/temporary-files.js'
import { TrustedProxies } from '../http/trusted-proxies.js'
import { NodeServer, type NodeServerOptions } from '../server/server.js'
import { stopping, type RefusedRequest } from '../http/refusal.js'
import type { ApplicationPasswords } from '../auth/application-passwords.js'
import type { Content } from './content.js'
import type { EarlyServer } from './early-server.js'
import type { ResolvedOptions } from './options.js'
import { refusedReporter } from './refused-reporter.js'
import type { RecordStore } from '../content/record-store.js'
import type { Core, RequestHead } from '../pipeline/core.js'
import type { Log } from '../log/log.js'
import type { RouteSummary } from '../routing/route-summary.js'
import type { Users } from '../content/users.js'
import { isWithoutTls } from './without-tls.js'

export interface ListenOptions {
  /** Default 8080; 0 lets the system choose. */
  readonly port?: number
  /** Default `127.0.0.1`: only this machine can connect. `0.0.0.0`: all addresses of the machine. */
  readonly host?: string
}

export interface ListeningAt {
  /** `http://localhost:8080`, without a trailing slash. */
  readonly url: string
  readonly port: number
  readonly host: string
}

export interface ServiceDependencies {
  readonly options: ResolvedOptions
  readonly content: Content
  readonly log: Log
  readonly core: Core
  /** If it listens, `listen` continues with its server, and ignores its own port. Null for a start that never listens early. */
  readonly earlyServer: EarlyServer | null
  readonly applicationPasswords: ApplicationPasswords
  /** The limits that routes declare, in bytes. */
  readonly bodyLimits: readonly number[]
  /** The largest number of files that a form of any route may have. */
  readonly maxFiles: number
  readonly routeCount: number
  /** Called at most once, when the routes are read. */
  readonly routes: () => readonly RouteSummary[]
  /** Ends the objects that the container has built. @param milliseconds how long they are waited for. */
  readonly endInstances: (milliseconds: number) => Promise<void>
  /** Closes the database and ends the threads. */
  readonly release: () => Promise<void>
}

export interface CloseOptions {
  /** How long `close` waits for requests in flight, in milliseconds. Default 10,000. */
  readonly gracePeriod?: number
}

/** A started service. */
export class Service {
  /** The number of declared routes. */
  readonly routeCount: number
  /** The beginning of the path of every route, without outer slashes. */
  readonly restPrefix: string
  /**
   * The store that handlers get by `inject(RecordStore)`. Outside a request the caller is anonymous: a new record has
   * no author, and its texts are filtered as those of a visitor.
   */
  readonly records: RecordStore
  /** The users that handlers get by `inject(Users)`. */
  readonly users: Users
  /**
   * The application passwords of users:
   * `const { password } = await service.applicationPasswords.create(id, { name: 'test' })`.
   */
  readonly applicationPasswords: ApplicationPasswords
  /** The log of the service. */
  readonly log: Log
  readonly #dependencies: ServiceDependencies
  readonly #trustedProxies: TrustedProxies
  readonly #servers: NodeServer[] = []
  readonly #temporaryFiles: TemporaryFiles
  readonly #refused: (refused: RefusedRequest) => void
  /** Responses of `fetch` in flight. */
  readonly #fetching = new Set<Promise<Response>>()
  #routes: readonly RouteSummary[] | null = null
  #closed: Promise<void> | null = null

  /** @throws RangeError for a trusted proxy that is not an address. */
  constructor(dependencies: ServiceDependencies) {
    const { options, content, applicationPasswords, routeCount, log } = dependencies
    this.#dependencies = dependencies
    this.#temporaryFiles = new TemporaryFiles({
      folder: options.uploads?.folder ?? null,
      onFault: (err) => logError(log, 'upload-not-written', { err }),
    })
    this.#trustedProxies = new TrustedProxies(options.trusted_proxies, (address) =>
      logError(log, 'forwarded-scheme-missing', { address }),
    )
    this.#refused = refusedReporter(log, options)
    this.routeCount = routeCount
    this.restPrefix = options.rest_prefix
    this.records = content.records
    this.users = content.users
    this.applicationPasswords = applicationPasswords
    this.log = log
  }

  /** The declared routes, with their requirements and source locations. */
  get routes(): readonly RouteSummary[] {
    return (this.#routes ??= this.#dependencies.routes())
  }

  /**
   * Starts to listen on a socket.
   * @throws RangeError for an empty host, which Node takes for all addresses of the machine.
   * @throws when the port is in use or not permitted, and when the service is closed.
   */
  async listen({ port = 8080, host = '127.0.0.1' }: ListenOptions = {}): Promise<ListeningAt> {
    if (this.#closed) throw closedAlready()
    if (host === '')
      throw new RangeError(
        'service.listen: the host is empty. Leave it out for 127.0.0.1, or give 0.0.0.0 for all addresses.',
      )
    const { core, log, content, options, earlyServer } = this.#dependencies
    const serverOptions: NodeServerOptions = {
      ...this.#bodyLimits,
      usualBodyLimit: options.body_limit,
      forms: this.#forms,
      hasFastPath: options.http === 'fast',
      trustedProxies: this.#trustedProxies,
      onFault: (err) => logError(log, 'connection-not-accepted', { err }),
      onRefused: this.#refused,
    }
    const early = (await earlyServer?.take()) ?? null
    const server = early?.server ?? new NodeServer(core.handle, serverOptions)
    const listening = early ?? (await server.listen(port, host))
    // The service was closed while the server began to listen. No request has reached a handler.
    if (this.#closed) {
      await server.close(0)
      throw closedAlready()
    }
    this.#servers.push(server)
    const url = `http://${hostText(host)}:${listening.port}`
    content.site.listensAt(url)
    if (early !== null) server.serve(core.handle, serverOptions)
    const { home } = content.site
    // Only the host was unknown at the start, which has logged the error where the host does not matter.
    if (!isWithoutTls(home, options) && isWithoutTls(home, options, host))
      logError(log, 'site-address-not-https', { home })
    return { url, port: listening.port, host }
  }

  /**
   * The whole service without a socket: for tests, and for mounting inside other frameworks. A sender without an
   * address is this machine, 127.0.0.1: application passwords are accepted over plain HTTP, all clients share their limits, and
   * the forwarding headers of any client count where `trusted_proxies` has that address. So a framework has to give the
   * address of each sender. Once the service is closed, the response is a 503.
   */
  async fetch(request: Request, sender: Sender = {}): Promise<Response> {
    const { core, options } = this.#dependencies
    if (this.#closed)
      return responseOf(withCors(stopping, Object.fromEntries(request.headers), options.cors, request.method))
    const response = handleFetch(request, sender, core.handle, {
      ...this.#bodyLimits,
      forms: this.#forms,
      trustedProxies: this.#trustedProxies,
      onRefused: this.#refused,
    })
    this.#fetching.add(response)
    try {
      return await response
    } finally {
      this.#fetching.delete(response)
    }
  }

  /** The smallest limit, and that of each request where routes have their own. */
  get #bodyLimits() {
    const { core, options, bodyLimits } = this.#dependencies
    return {
      bodyLimit: Math.min(options.body_limit, ...bodyLimits),
      ...(bodyLimits.length > 0 && { bodyLimitOf: (head: RequestHead) => core.bodyLimitOf(head) }),
    }
  }

  /** How forms with files are read. */
  get #forms(): FormOptions {
    return { temporaryFiles: this.#temporaryFiles, maxFiles: this.#dependencies.maxFiles }
  }

  /**
   * Finishes the requests in flight within the grace period, then calls `[Symbol.asyncDispose]()` of the objects that the
   * service has built, the last one first, and closes the database. May be called twice.
   */
  close(options: CloseOptions = {}): Promise<void> {
    const { gracePeriod = 0 }: { readonly gracePeriod?: unknown } = options
    if (typeof gracePeriod !== 'number' || !(gracePeriod >= 0))
      throw new RangeError(`service.close: gracePeriod is ${String(gracePeriod)}; give milliseconds from 0 on.`)
    return (this.#closed ??= this.#close(options))
  }

  async #close({ gracePeriod: requested = 10_000 }: CloseOptions): Promise<void> {
    const { log } = this.#dependencies
    const gracePeriod = Math.min(requested, maxGracePeriod)
    this.#dependencies.content.jobRunner?.stop()
    if (this.#servers.length > 0)
      log.info({ gracePeriod }, 'stopping: requests in flight are finished, no others are taken')
    const end = performance.now() + gracePeriod
    this.#dependencies.core.stopping()
    let deadline: NodeJS.Timeout | undefined
    const expired = new Promise<number>((resolve) => {
      deadline = setTimeout(() => resolve(this.#fetching.size), gracePeriod)
    })
    const cutOffCounts = await Promise.all([
      ...this.#servers.map((server) => server.close(gracePeriod)),
      Promise.race([Promise.allSettled(this.#fetching).then(() => 0), expired]),
    ])
    // A handler goes on after its client has left.
    await Promise.race([this.#dependencies.core.idle(), expired])
    clearTimeout(deadline)
    this.#dependencies.core.cutOff()
    await this.#dependencies.content.jobRunner?.cutOff()
    // Afterwards, because a job that ends by its signal may have written records.
    this.#dependencies.content.hooks?.cut()
    const requests = cutOffCounts.reduce((sum, count) => sum + count, 0)
    if (requests > 0) logError(log, 'requests-cut-off', { requests, gracePeriod })
    await this.#dependencies.endInstances(end - performance.now())
    await this.#temporaryFiles.close()
    await this.#dependencies.release()
  }
}

/** In milliseconds. Node's timers fire at once for a longer time. */
const maxGracePeriod = 2 ** 31 - 1

function closedAlready(): Error {
  return new Error('The service is closed: boot another one.')
}

/** The host of the URL that a person would use: `localhost` for an address that means all addresses. */
function hostText(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
