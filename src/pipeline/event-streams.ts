import { networkOf, requesterOf, siteOf } from '../auth/network.js'
import type { EventStream } from '../http/event-stream.js'
import type { HttpRequest } from '../http/http-request.js'
import { UnavailableError } from '../http/unavailable.js'

/** Maximum number of open streams: in all, and of one user or network. */
const maxStreams = 1_000
const maxOfCaller = 50
/** Maximum number of open streams of anonymous callers of one site: a client with an IPv6 /48 could otherwise open all. */
const maxOfSite = 200

/** Maximum time between two comments of a stream, in milliseconds. */
const maxKeepAlive = 15_000
/** Maximum time between two ticks, in milliseconds. A tick tells each stream to send a comment or check its caller if that is due. */
const maxTick = 5_000
/** Maximum time for which the result of a check of a caller is used, in milliseconds. */
const maxCheckInterval = 1_000

/** The name of a counter of streams, and how many it allows. */
type StreamCounter = readonly [name: string, limit: number]

/** @param userId 0 for an anonymous caller. */
function countersOf(userId: number, address: string): readonly StreamCounter[] {
  const caller = [requesterOf(userId, address), maxOfCaller] as const
  return userId === 0 ? [caller, [`site ${siteOf(networkOf(address))}`, maxOfSite]] : [caller]
}

/** Too many event streams are open. */
class TooManyStreamsError extends UnavailableError {
  override readonly name = 'TooManyStreamsError'

  constructor() {
    super('Too many event streams are open, or the service stops.', 10)
  }
}

/** The event streams that are being sent. */
export class EventStreams {
  readonly #keepAlive: number
  readonly #open = new Set<EventStream>()
  /** Number of open streams, by user, network and site. */
  readonly #counts = new Map<string, number>()
  #timer: NodeJS.Timeout | null = null
  #isStopping = false

  /** @param idle maximum time between two chunks of a body, in milliseconds. */
  constructor(idle: number) {
    // With the time to the next tick, a comment comes well before the stream counts as silent.
    this.#keepAlive = Math.min(maxKeepAlive, idle / 3)
  }

  /**
   * Opens a stream, sends comments on it and ends it when its caller loses access.
   * @param isAllowed whether the credentials of the request are still valid. A rejection counts as false.
   * @throws UnavailableError when too many are open.
   */
  open(stream: EventStream, request: HttpRequest, isAllowed: () => Promise<boolean>): void {
    const { user, address } = request
    const counters = countersOf(user.id, address)
    const isFull = counters.some(([name, limit]) => (this.#counts.get(name) ?? 0) >= limit)
    if (this.#isStopping || this.#open.size >= maxStreams || isFull) {
      stream.end()
      throw new TooManyStreamsError()
    }
    for (const [name] of counters) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    this.#open.add(stream)
    this.#timer ??= setInterval(() => this.#tick(), Math.min(maxTick, this.#keepAlive / 2)).unref()
    stream.open({
      keepAlive: this.#keepAlive,
      checkInterval: Math.min(maxCheckInterval, this.#keepAlive),
      isAllowed: () => isAllowed().catch(() => false),
      onEnd: () => {
        this.#closed(stream, counters)
        request.abort(new DOMException('The event stream has ended.', 'AbortError'))
      },
    })
  }

  /** Ends all streams, and refuses further ones, because the service stops. Clients connect again, to another process. */
  endAll(): void {
    this.#isStopping = true
    for (const stream of this.#open) stream.end()
  }

  #closed(stream: EventStream, counters: readonly StreamCounter[]): void {
    this.#open.delete(stream)
    for (const [name] of counters) {
      const remaining = (this.#counts.get(name) ?? 1) - 1
      if (remaining > 0) this.#counts.set(name, remaining)
      else this.#counts.delete(name)
    }
    if (this.#open.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }

  #tick(): void {
    for (const stream of this.#open) stream.tick()
  }
}
