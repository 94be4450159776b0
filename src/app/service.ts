import { answerFetch, responseOf, type Sender } from '../server/fetch.js'
import { TrustedProxies } from '../http/trusted-proxies.js'
import { NodeServer } from '../server/server.js'
import { stopping, type Refused } from '../http/refusal.js'
import { publishRefusal } from '../http/request-channels.js'
import type { ApplicationPasswords } from '../auth/application-passwords.js'
import type { Content } from './content.js'
import type { ResolvedOptions } from './options.js'
import type { RecordStore } from '../content/record-store.js'
import type { Core } from '../pipeline/core.js'
import type { Log } from '../log/log.js'
import type { RouteSummary } from '../routing/route-summary.js'
import type { Users } from '../content/users.js'

export interface ListenOptions {
  /** Default 8080; 0 lets the system choose. */
  readonly port?: number
  /** Default `127.0.0.1`: this machine only. `0.0.0.0` is every address it has. */
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
  readonly applicationPasswords: ApplicationPasswords
  readonly routeCount: number
  /** Called at most once, when the routes are read. */
  readonly routes: () => readonly RouteSummary[]
  /** Closes the database and ends the threads. */
  readonly release: () => Promise<void>
}

export interface CloseOptions {
  /** How long to wait for requests in flight, in milliseconds. Default 10,000. */
  readonly gracePeriod?: number
}

/** A started service. */
export class Service {
  /** How many routes were declared. */
  readonly routeCount: number
  /** Path of every route below the address listened on, without slashes around it. */
  readonly restPrefix: string
  /**
   * What handlers get by `inject(RecordStore)`. Outside a request nobody is the caller: a new record has no author, and its
   * texts are filtered as those of a visitor.
   */
  readonly records: RecordStore
  /** What handlers get by `inject(Users)`. */
  readonly users: Users
  /** What programs log in with: `const { password } = await service.applicationPasswords.create(id, { name: 'test' })`. */
  readonly applicationPasswords: ApplicationPasswords
  /** Where it writes what happened. */
  readonly log: Log
  readonly #dependencies: ServiceDependencies
  readonly #forwarding: TrustedProxies
  readonly #servers: NodeServer[] = []
  /** Answers that are being made without a socket. */
  readonly #fetching = new Set<Promise<Response>>()
  #routes: readonly RouteSummary[] | null = null
  #closed: Promise<void> | null = null

  /** @throws RangeError for a trusted proxy that is no address. */
  constructor(dependencies: ServiceDependencies) {
    const { options, content, applicationPasswords, routeCount, log } = dependencies
    this.#dependencies = dependencies
    this.#forwarding = new TrustedProxies(options.trusted_proxies)
    this.routeCount = routeCount
    this.restPrefix = options.rest_prefix
    this.records = content.records
    this.users = content.users
    this.applicationPasswords = applicationPasswords
    this.log = log
  }

  /** What was declared: who may call what, and where it is written. */
  get routes(): readonly RouteSummary[] {
    return (this.#routes ??= this.#dependencies.routes())
  }

  /**
   * Answers on a socket from now on.
   * @throws RangeError for an empty host, which Node takes for every address of the machine.
   * @throws when the port is taken or may not be used, and when the service is closed.
   */
  async listen({ port = 8080, host = '127.0.0.1' }: ListenOptions = {}): Promise<ListeningAt> {
    if (this.#closed) throw closedAlready()
    if (host === '')
      throw new RangeError(
        'service.listen: the host is empty. Leave it out for 127.0.0.1, or give 0.0.0.0 for all addresses.',
      )
    const { core, log, content, options } = this.#dependencies
    const server = new NodeServer(core.handle, {
      bodyLimit: options.body_limit,
      hasFastPath: options.http === 'fast',
      forwarding: this.#forwarding,
      onFault: (err) => log.error({ err }, 'a connection could not be accepted'),
      onRefused: this.#refused,
    })
    const address = await server.listen(port, host)
    // Closed meanwhile: no connection has been taken yet.
    if (this.#closed) {
      await server.close(0)
      throw closedAlready()
    }
    this.#servers.push(server)
    const url = `http://${hostText(host)}:${address.port}`
    content.site.listensAt(url)
    return { url, port: address.port, host }
  }

  /**
   * The whole service without a socket: for tests, and for mounting inside other frameworks. A sender without an
   * address is this machine, from which application passwords are taken over plain HTTP: a framework has to give the
   * address of each sender, see docs/operating.md. Once the service is closed, the answer is a 503.
   */
  async fetch(request: Request, sender: Sender = {}): Promise<Response> {
    if (this.#closed) return responseOf(stopping)
    const { core, options } = this.#dependencies
    const answer = answerFetch(request, sender, (incoming) => core.handle(incoming), {
      bodyLimit: options.body_limit,
      forwarding: this.#forwarding,
      onRefused: this.#refused,
    })
    this.#fetching.add(answer)
    try {
      return await answer
    } finally {
      this.#fetching.delete(answer)
    }
  }

  readonly #refused = (refused: Refused): void => {
    const { log, options } = this.#dependencies
    const { status, ...request } = refused
    publishRefusal(request, status)
    if (options.request_log) log.info(refused, 'answered')
  }

  /** Finishes the requests in flight within the grace period, then closes the database. May be called twice. */
  close(options: CloseOptions = {}): Promise<void> {
    const { gracePeriod = 0 }: { readonly gracePeriod?: unknown } = options
    if (typeof gracePeriod !== 'number' || !(gracePeriod >= 0))
      throw new RangeError(`service.close: gracePeriod is ${String(gracePeriod)}; give milliseconds from 0 on.`)
    return (this.#closed ??= this.#close(options))
  }

  async #close({ gracePeriod: requested = 10_000 }: CloseOptions): Promise<void> {
    const { log } = this.#dependencies
    const gracePeriod = Math.min(requested, maxGracePeriod)
    if (this.#servers.length > 0)
      log.info({ gracePeriod }, 'stopping: requests in flight are finished, no others are taken')
    let deadline: NodeJS.Timeout | undefined
    const expired = new Promise<number>((resolve) => {
      deadline = setTimeout(() => resolve(this.#fetching.size), gracePeriod)
    })
    const cut = await Promise.all([
      ...this.#servers.map((server) => server.close(gracePeriod)),
      Promise.race([Promise.allSettled(this.#fetching).then(() => 0), expired]),
    ])
    // A handler goes on when its client is gone.
    await Promise.race([this.#dependencies.core.idle(), expired])
    clearTimeout(deadline)
    const requests = cut.reduce((sum, some) => sum + some, 0)
    if (requests > 0) log.warn({ requests, gracePeriod }, 'requests were cut off: they took longer than a stop waits')
    await this.#dependencies.release()
  }
}

/** Milliseconds: Node's timers take no more, and strike at once when they are given more. */
const maxGracePeriod = 2 ** 31 - 1

function closedAlready(): Error {
  return new Error('The service is closed: boot another one.')
}

/** What a person would type: an address that means "everywhere" is reached as localhost. */
function hostText(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
