import { toJson } from './json.js'

/** An event of an {@link EventStream}. */
export interface ServerSentEvent {
  /** A text is sent unchanged, with one `data:` line for each of its lines. Any other value is sent as JSON. */
  readonly data: unknown
  /** The type of the event: a browser calls the listeners of this name. Default: `message`. */
  readonly event?: string
  /** The id of the event. A client that connects again sends it as `Last-Event-ID`. Default: the id of the event before. */
  readonly id?: string | number
  /** Milliseconds after which the client connects again when the connection is lost. */
  readonly retry?: number
}

export interface EventStreamOptions {
  /** Milliseconds after which a client connects again when the connection is lost. Default: the delay of the browser. */
  readonly retry?: number
}

/** The times and functions that the service gives to a stream. */
export interface EventStreamConditions {
  /** Milliseconds without an event after which a comment is sent. */
  readonly keepAlive: number
  /** Minimum number of milliseconds between two calls of `isAllowed`. */
  readonly checkInterval: number
  /** Whether the credentials of the caller are still valid. */
  readonly isAllowed: () => Promise<boolean>
  /** Called once, when the stream has ended, whatever has ended it. */
  readonly onEnd: () => void
}

/**
 * A response of server-sent events, for a route that declares `event_stream: true`:
 *
 *     return new EventStream(this.changes.after(request.lastEventId))
 *
 * The source is read no faster than the client takes the events. Comments keep the connection alive. The stream ends with the
 * source, when the client leaves, when the session of the caller ends (logout, another password, a revoked application
 * password), and when the service stops; then `return()` of the source is called, and `request.signal` aborts.
 */
export class EventStream implements AsyncIterableIterator<string> {
  readonly #source: AsyncIterable<ServerSentEvent>
  readonly #first: string
  #iterator: AsyncIterator<ServerSentEvent> | null = null
  #conditions: EventStreamConditions | null = null
  /** The result of the source that was read and is not sent yet; null when there is none. */
  #read: Promise<IteratorResult<ServerSentEvent, unknown>> | null = null
  #isReading = false
  #hasBegun = false
  #isEnded = false
  #sentAt = 0
  #checkedAt = 0
  /** Wakes a waiting call of `next`. */
  #wake = (): void => undefined

  /**
   * @throws TypeError for a source that is not an async iterable.
   * @throws RangeError for a `retry` that is not a whole number from 0 on.
   */
  constructor(source: AsyncIterable<ServerSentEvent>, { retry }: EventStreamOptions = {}) {
    if (typeof (source as Partial<typeof source> | null)?.[Symbol.asyncIterator] !== 'function')
      throw new TypeError('EventStream takes an async iterable of events, such as an async generator.')
    this.#source = source
    this.#first = retry === undefined ? ':\n\n' : retryLine(retry) + '\n'
  }

  /** Whether a service sends this stream. */
  get isOpen(): boolean {
    return this.#conditions !== null
  }

  open(conditions: EventStreamConditions): void {
    this.#conditions = conditions
    this.#sentAt = this.#checkedAt = performance.now()
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** The next event or comment as text. Call it again when the client has taken the text. */
  async next(): Promise<IteratorResult<string, undefined>> {
    try {
      return await this.#next()
    } catch (error) {
      this.end()
      throw error
    }
  }

  async #next(): Promise<IteratorResult<string, undefined>> {
    if (!this.#hasBegun && !this.#isEnded) {
      this.#hasBegun = true
      return this.#sent(this.#first)
    }
    while (!this.#isEnded) {
      if (this.#read !== null) {
        if (!(await this.#isAllowed())) break
        const { done, value } = await this.#read
        this.#read = null
        if (done === true) break
        return this.#sent(textOfEvent(value as ServerSentEvent))
      }
      this.#readNext()
      await new Promise<void>((resolve) => (this.#wake = resolve))
      if (this.#isEnded || this.#read !== null) continue
      if (!(await this.#isAllowed())) break
      if (performance.now() - this.#sentAt >= (this.#conditions?.keepAlive ?? Infinity))
        return this.#sent(': keep-alive\n\n')
    }
    return this.return()
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.end()
    return { done: true, value: undefined }
  }

  /** Lets a stream without events send a comment when one is due, and check its caller. */
  tick(): void {
    this.#wake()
  }

  /** Ends the stream and its source. May be called at any time. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#conditions?.onEnd()
    // A source that was not read yet is ended as well: it may hold a subscription.
    const iterator = this.#iterator ?? this.#source[Symbol.asyncIterator]()
    // The stream has ended, so a failure of its source is ignored.
    void Promise.resolve(iterator.return?.()).catch(() => undefined)
    this.#wake()
  }

  #readNext(): void {
    if (this.#isReading) return
    this.#isReading = true
    this.#iterator ??= this.#source[Symbol.asyncIterator]()
    const read = Promise.resolve(this.#iterator.next())
    const settled = (): void => {
      this.#isReading = false
      this.#read = read
      this.#wake()
    }
    read.then(settled, settled)
  }

  async #isAllowed(): Promise<boolean> {
    const { isAllowed, checkInterval } = this.#conditions ?? { isAllowed: async () => true, checkInterval: 0 }
    const now = performance.now()
    if (now - this.#checkedAt < checkInterval) return true
    this.#checkedAt = now
    return (await isAllowed()) && !this.#isEnded
  }

  #sent(value: string): IteratorYieldResult<string> {
    this.#sentAt = performance.now()
    return { done: false, value }
  }
}

/** The headers of a stream. A proxy such as nginx would collect events before it sends them. */
export const eventStreamFields = [
  ['Content-Type', 'text/event-stream'],
  ['Cache-Control', 'no-store'],
  ['X-Accel-Buffering', 'no'],
] as const

/** @throws TypeError for a name, an id or a time that would break the stream. */
function textOfEvent({ data, event, id, retry }: ServerSentEvent): string {
  if (data === undefined) throw new TypeError("An event has no 'data'. Give null for an event without any.")
  let text = ''
  if (event !== undefined) text += `event: ${oneLine(event, 'event')}\n`
  if (id !== undefined) text += `id: ${oneLine(String(id), 'id')}\n`
  if (retry !== undefined) text += retryLine(retry)
  const lines = (typeof data === 'string' ? data : toJson(data)).split(/\r\n|\r|\n/)
  return `${text}${lines.map((line) => `data: ${line}\n`).join('')}\n`
}

function oneLine(value: string, name: string): string {
  if (/[\r\n\0]/.test(value)) throw new TypeError(`The '${name}' of an event contains a line break or a NUL.`)
  return value
}

function retryLine(milliseconds: number): string {
  if (!Number.isSafeInteger(milliseconds) || milliseconds < 0)
    throw new RangeError(`'retry' of an event stream is ${String(milliseconds)}; give whole milliseconds from 0 on.`)
  return `retry: ${milliseconds}\n`
}
