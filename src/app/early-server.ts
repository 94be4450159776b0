import type { IncomingRequest, OutgoingResponse, Respond } from '../http/exchange.js'
import { databaseNotReady, healthResponse } from '../http/health-response.js'
import { starting } from '../http/refusal.js'
import { TrustedProxies } from '../http/trusted-proxies.js'
import { logError } from '../log/log-error.js'
import { withCors } from '../pipeline/headers.js'
import { NodeServer } from '../server/server.js'
import { settledWithin } from './lifecycle.js'
import type { Plan } from './plan.js'
import { refusedReporter } from './refused-reporter.js'

/** How long open connections may delay the end of a start that has failed, in milliseconds. */
const gracePeriod = 250

/** A server that listens, and the port, also where the system has chosen it. */
export interface ListeningServer {
  readonly server: NodeServer
  readonly port: number
}

/**
 * The server of a service whose start waits for its database. Until the service takes it, it responds to `/healthz` with 200 and to
 * everything else with 503. So a load balancer sees a service that is not ready yet, and no connection is ever refused.
 */
export class EarlyServer {
  readonly #port: number
  readonly #host: string
  #listening: Promise<ListeningServer> | null = null

  constructor(port: number, host: string) {
    this.#port = port
    this.#host = host
  }

  /** Begins to listen, unless it does already. */
  open({ options, log }: Pick<Plan, 'options' | 'log'>): void {
    if (this.#listening !== null) return
    const onRefused = refusedReporter(log, options)
    const respond: Respond = (incoming, send) => {
      const { method, path, address } = incoming
      const response = responseTo(incoming, options.cors)
      if (response.status === 503) onRefused({ method, path, status: 503, address })
      send(method === 'HEAD' ? { ...response, body: '' } : response)
    }
    const server = new NodeServer(respond, {
      bodyLimit: options.body_limit,
      // 503 in place of 413: the route of a larger body may allow it, once the service serves.
      bodyRefusal: (origin) => withCors(starting, { origin }, options.cors),
      hasFastPath: options.http === 'fast',
      trustedProxies: new TrustedProxies(options.trusted_proxies, () => undefined),
      onFault: (err) => logError(log, 'connection-not-accepted', { err }),
      onRefused,
    })
    this.#listening = server.listen(this.#port, this.#host).then(({ port }) => ({ server, port }))
    // Ignored here: `take` rejects with the same error, and a start that fails before `take` reports its own.
    this.#listening.catch(() => undefined)
  }

  /**
   * Gives the server away, to be closed by its new owner; null when `open` was not called.
   * @throws when the port is in use or not permitted.
   */
  async take(): Promise<ListeningServer | null> {
    const listening = await this.#listening
    this.#listening = null
    return listening
  }

  /** Closes the server, unless it was taken. One that does not listen yet is closed as soon as it does, and not waited for. */
  async close(): Promise<void> {
    const closed = this.#listening?.then(
      ({ server }) => server.close(gracePeriod),
      () => 0,
    )
    this.#listening = null
    // A worker listens through its supervisor, which may not answer any more.
    if (closed !== undefined) await settledWithin(closed, 2 * gracePeriod)
  }
}

function responseTo(
  { method, path, headers, requestId }: IncomingRequest,
  cors: Plan['options']['cors'],
): OutgoingResponse {
  if (path === '/healthz') return healthResponse(200, 'ok', requestId)
  if (path === '/readyz') return healthResponse(503, databaseNotReady, requestId)
  return withCors(starting, headers, cors, method)
}
