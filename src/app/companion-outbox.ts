import type { WrittenRow } from '../cache/written-rows.js'

/** A notice for the companion plugin. `all`: anything may have changed. */
export type Notice =
  | WrittenRow
  | { readonly kind: 'all' }
  | { readonly kind: 'index'; readonly namespaces: readonly string[]; readonly routes: unknown }

export interface OutboxOptions {
  /** Resolves when the plugin has taken these notices. */
  readonly send: (notices: readonly Notice[]) => Promise<void>
  /** Called with the reason, once for an outage. */
  readonly onFailure: (error: unknown) => void
  /** Whether the plugin answers a message without notices now. Default: it does. */
  readonly isReachable?: () => Promise<boolean>
  /** Called at the end with the number of writes that the plugin may not have learned of. */
  readonly onLost?: (count: number) => void
  /** Maximum number of waiting notices. When there are more, a single notice `all` replaces them. Default 10,000. */
  readonly maxWaiting?: number
  /** Milliseconds for which notices are collected. Default 20. */
  readonly collecting?: number
  /** Milliseconds before the first repetition; each further one waits twice as long, up to a minute. Default 1000. */
  readonly firstDelay?: number
}

/** Maximum number of notices in one message. */
const maxBatch = 500
/** Maximum time between two repetitions, in milliseconds. */
const maxDelay = 60_000

/**
 * Notices that wait for the companion plugin, in memory. Several notices of one row become one. One message is sent at
 * a time, and repeated until the plugin accepts it. A message that fails although the plugin answers is divided: a hook of another
 * plugin may end PHP, or take too long, for one of its notices. A notice that fails twice as the only one of its message is replaced by `all`, which runs
 * no hooks.
 */
export class CompanionOutbox {
  readonly #options: Required<OutboxOptions>
  #waiting = new Map<string, Notice>()
  #timer: NodeJS.Timeout | null = null
  #sending: Promise<void> | null = null
  /** Whether the last message has failed. */
  #hasFailed = false
  /** How often the present message has been repeated as it is. */
  #repetitions = 0
  /** Notices that were waiting when sending failed; 0 without an outage. It is over when the plugin has accepted as many. */
  #heldUp = 0
  /** The key of a notice that has failed as the only one of its message, although the plugin answers; null for none. */
  #suspect: string | null = null
  /** Maximum number of notices in the next message. */
  #batchSize = maxBatch
  /** The notices of the message on its way. */
  #inFlight: Batch = []
  #isClosed = false
  /** Whether the time limit of `close` is over. Nothing is sent after that. */
  #isOver = false

  constructor(options: OutboxOptions) {
    const isReachable = () => Promise.resolve(true)
    this.#options = { maxWaiting: 10_000, collecting: 20, firstDelay: 1000, isReachable, onLost: () => {}, ...options }
  }

  /** Never waits and never throws. */
  add(notices: readonly Notice[]): void {
    for (const notice of notices) this.#keep(notice)
    if (this.#waiting.size > this.#options.maxWaiting) this.#replaceByAll()
    this.#schedule(this.#hasFailed ? null : this.#options.collecting)
  }

  /** Sends what waits, once, and resolves at the latest after these milliseconds. Nothing is sent later. */
  async close(limit: number): Promise<void> {
    this.#isClosed = true
    let deadline: NodeJS.Timeout | undefined
    const expired = new Promise<void>((resolve) => (deadline = setTimeout(resolve, limit)))
    const sent = async (): Promise<void> => {
      await this.#sending
      while (this.#waiting.size > 0 && !this.#isOver) {
        this.#send()
        await this.#sending
        if (this.#hasFailed) return
      }
    }
    await Promise.race([sent(), expired])
    this.#isOver = true
    clearTimeout(deadline)
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const kinds = [...this.#waiting.values(), ...this.#inFlight.map(([, notice]) => notice)].map(({ kind }) => kind)
    const lost = kinds.filter((kind) => kind !== 'index').length
    if (lost > 0) this.#options.onLost(lost)
  }

  #keep(notice: Notice): void {
    const key = keyOf(notice)
    const before = this.#waiting.get(key)
    this.#waiting.set(key, before === undefined ? notice : merged(before, notice))
  }

  /** The notice with the routes for the index of WordPress is not about a write: it stays. */
  #replaceByAll(): void {
    const index = this.#waiting.get('index')
    this.#waiting = new Map([['all', { kind: 'all' }]])
    if (index !== undefined) this.#waiting.set('index', index)
  }

  /** @param delay milliseconds. Null after a failure: its repetition is scheduled already, and sends these notices too. */
  #schedule(delay: number | null): void {
    if (this.#isClosed || delay === null || this.#timer !== null || this.#sending !== null || this.#waiting.size === 0)
      return
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#send()
    }, delay).unref()
  }

  #send(): void {
    const batch = [...this.#waiting].slice(0, this.#batchSize)
    if (this.#sending !== null || batch.length === 0) return
    for (const [key] of batch) this.#waiting.delete(key)
    this.#inFlight = batch
    this.#sending = Promise.resolve().then(() => this.#sent(batch))
  }

  /** Never rejects. */
  async #sent(batch: Batch): Promise<void> {
    const { send, onFailure, firstDelay, collecting } = this.#options
    try {
      await send(batch.map(([, notice]) => notice))
      this.#hasFailed = false
      this.#repetitions = 0
      this.#batchSize = Math.min(maxBatch, this.#batchSize * 2)
      this.#heldUp = Math.max(0, Math.min(this.#heldUp - batch.length, this.#waiting.size))
      this.#suspect = null
    } catch (error) {
      this.#hasFailed = true
      if (this.#heldUp === 0) onFailure(error)
      // The halves of a divided message are new messages, whose delays begin anew.
      this.#repetitions = (await this.#keepForLater(batch, error)) ? 0 : this.#repetitions + 1
      this.#heldUp = this.#waiting.size
    }
    this.#inFlight = []
    this.#sending = null
    const doublings = Math.max(0, this.#repetitions - 1)
    this.#schedule(this.#hasFailed ? Math.min(maxDelay, firstDelay * 2 ** doublings) : collecting)
  }

  /** @returns whether the next message is sent without a longer delay. */
  async #keepForLater(batch: Batch, error: unknown): Promise<boolean> {
    const isReachable = !this.#isClosed && (await this.#isReachable())
    const isDivided = batch.length > 1 && (isReachable || isTimeout(error))
    const [only] = batch
    const single = batch.length === 1 && isReachable ? (only ?? null) : null
    const isAtFault = single !== null && single[0] === this.#suspect
    this.#suspect = isAtFault ? null : (single?.[0] ?? null)
    const later = this.#waiting
    if (isDivided || single !== null) this.#batchSize = Math.ceil(batch.length / 2)
    if (single !== null && (single[1].kind === 'all' || single[1].kind === 'index')) {
      // No other notice can replace it. It is sent last, so that the others do not wait for it.
      if (!later.has(single[0])) later.set(...single)
      return false
    }
    // A newer notice of the same row would fail as well. `all` replaces both.
    if (isAtFault) later.delete(single[0])
    this.#waiting = new Map(isAtFault ? [['all', { kind: 'all' }]] : batch)
    for (const notice of later.values()) this.#keep(notice)
    return isDivided || single !== null
  }

  #isReachable(): Promise<boolean> {
    return this.#options.isReachable().catch(() => false)
  }
}

type Batch = readonly (readonly [key: string, notice: Notice])[]

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'

function keyOf(notice: Notice): string {
  switch (notice.kind) {
    case 'term':
      return `term ${notice.taxonomy} ${notice.id}`
    case 'option':
      return `option ${notice.name}`
    case 'post':
    case 'user':
      return `${notice.kind} ${notice.id}`
    default:
      return notice.kind
  }
}

/**
 * One notice for two of the same row. An insert stays an insert when an update follows, and a write of the row itself
 * stays one when a write of its metadata follows.
 */
function merged(before: Notice, after: Notice): Notice {
  if (!('event' in before) || !('event' in after)) return after
  const isLess = after.event === 'meta' || (after.event === 'update' && before.event === 'insert')
  const event = isLess && before.event !== 'delete' ? before.event : after.event
  const terms = [...termsIn(before), ...termsIn(after)]
  return { ...before, ...after, event, ...(terms.length > 0 && { terms: [...new Set(terms)] }) } as Notice
}

const termsIn = (notice: Notice): readonly number[] => ('terms' in notice ? (notice.terms ?? []) : [])
