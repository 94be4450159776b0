import { incomingOf, responseOf, type Sender } from './adapters/fetch/fetch.js'
import { NodeServer, type NodeServerOptions } from './adapters/node/server.js'
import { tooLarge } from './adapters/node/refusal.js'
import type { ApplicationPasswords } from './authentication/application-passwords.js'
import type { RecordStore } from './records/record-store.js'
import type { Core } from './service/core.js'
import type { RouteSummary } from './service/route-summary.js'
import type { DeferredSite } from './site/deferred-site.js'
import type { Users } from './users/users.js'

export interface ListenOptions {
  /** Default 8080; 0 lets the system choose. */
  readonly port?: number
  /** Default `127.0.0.1`: this machine only. */
  readonly host?: string
}

export interface ListeningAt {
  /** `http://localhost:8080`, without a trailing slash. */
  readonly url: string
  readonly port: number
  readonly host: string
}

export interface ServiceParts extends NodeServerOptions {
  readonly core: Core
  readonly site: DeferredSite
  readonly routes: readonly RouteSummary[]
  readonly records: RecordStore
  readonly users: Users
  readonly applicationPasswords: ApplicationPasswords
  readonly created: boolean
  /** Lets go of database and threads. */
  readonly release: () => Promise<void>
}

/** How long `close` waits for requests in flight, in milliseconds. */
const patience = 10_000

/** A started service. */
export class Service {
  /** What was declared: who may call what, and where it is written. */
  readonly routes: readonly RouteSummary[]
  readonly records: RecordStore
  readonly users: Users
  readonly applicationPasswords: ApplicationPasswords
  /** This very start made the database. */
  readonly created: boolean
  readonly #parts: ServiceParts
  readonly #servers: NodeServer[] = []
  #closed: Promise<void> | null = null

  constructor(parts: ServiceParts) {
    this.#parts = parts
    this.routes = parts.routes
    this.records = parts.records
    this.users = parts.users
    this.applicationPasswords = parts.applicationPasswords
    this.created = parts.created
  }

  /** Answers on a socket from now on. @throws when the port is taken or may not be used. */
  async listen({ port = 8080, host = '127.0.0.1' }: ListenOptions = {}): Promise<ListeningAt> {
    const server = new NodeServer((request) => this.#parts.core.handle(request), this.#parts)
    const address = await server.listen(port, host)
    this.#servers.push(server)
    const url = `http://${hostText(host)}:${address.port}`
    this.#parts.site.listensAt(url)
    return { url, port: address.port, host }
  }

  /**
   * The whole service without a socket: for tests, and for mounting inside other frameworks. A sender without an
   * address is this machine.
   */
  async fetch(request: Request, sender: Sender = {}): Promise<Response> {
    const incoming = await incomingOf(request, sender, this.#parts.bodyLimit)
    return responseOf(incoming ? await this.#parts.core.handle(incoming) : tooLarge(this.#parts.bodyLimit))
  }

  /** Finishes the requests in flight, at most ten seconds, then closes the database. May be called twice. */
  close(): Promise<void> {
    return (this.#closed ??= this.#close())
  }

  async #close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close(patience)))
    await this.#parts.release()
  }
}

/** What a person would type: an address that means "everywhere" is reached as localhost. */
function hostText(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
