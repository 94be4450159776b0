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
  /** Waiting notices. More writes are replaced by a single one: `all`. Default 10,000. */
  readonly maxWaiting?: number
  /** Milliseconds for which notices are collected. Default 20. */
  readonly collecting?: number
  /** Milliseconds before the first repetition; each further one waits twice as long, up to a minute. Default 1000. */
  readonly firstDelay?: number
}

/** Maximum number of notices in one message. */
const maxBatch = 500
const maxDelay = 60_000

/**
 * Notices that wait for the companion plugin, in memory. Several notices of one row become one. One message is sent at
 * a time, and repeated until the plugin accepts it.
 */
export class CompanionOutbox {
  readonly #options: Required<OutboxOptions>
  #waiting = new Map<string, Notice>()
  #timer: NodeJS.Timeout | null = null
  #sending: Promise<void> | null = null
  #failures = 0
  #isClosed = false

  constructor(options: OutboxOptions) {
    this.#options = { maxWaiting: 10_000, collecting: 20, firstDelay: 1000, ...options }
  }

  /** Never waits and never throws. */
  add(notices: readonly Notice[]): void {
    for (const notice of notices) this.#keep(notice)
    if (this.#waiting.size > this.#options.maxWaiting) this.#replaceByAll()
    this.#schedule(this.#failures === 0 ? this.#options.collecting : null)
  }

  /** Sends what waits, once, and resolves at the latest after these milliseconds. Nothing is sent later. */
  async close(limit: number): Promise<void> {
    this.#isClosed = true
    let deadline: NodeJS.Timeout | undefined
    const expired = new Promise<void>((resolve) => (deadline = setTimeout(resolve, limit)))
    const sent = async (): Promise<void> => {
      await this.#sending
      while (this.#waiting.size > 0) {
        this.#send()
        await this.#sending
        if (this.#failures > 0) return
      }
    }
    await Promise.race([sent(), expired])
    clearTimeout(deadline)
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  #keep(notice: Notice): void {
    const key = keyOf(notice)
    const before = this.#waiting.get(key)
    this.#waiting.set(key, before === undefined ? notice : merged(before, notice))
  }

  /** The routes for the index of WordPress are no write: they stay. */
  #replaceByAll(): void {
    const index = this.#waiting.get('index')
    this.#waiting = new Map([['all', { kind: 'all' }]])
    if (index !== undefined) this.#waiting.set('index', index)
  }

  /** @param delay null: when a repetition is due. */
  #schedule(delay: number | null): void {
    if (this.#isClosed || delay === null || this.#timer !== null || this.#sending !== null || this.#waiting.size === 0)
      return
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#send()
    }, delay).unref()
  }

  #send(): void {
    const batch = [...this.#waiting].slice(0, maxBatch)
    if (this.#sending !== null || batch.length === 0) return
    for (const [key] of batch) this.#waiting.delete(key)
    this.#sending = Promise.resolve().then(() => this.#sent(batch))
  }

  /** Never rejects. */
  async #sent(batch: readonly (readonly [key: string, notice: Notice])[]): Promise<void> {
    try {
      await this.#options.send(batch.map(([, notice]) => notice))
      this.#failures = 0
    } catch (error) {
      this.#failures += 1
      if (this.#failures === 1) this.#options.onFailure(error)
      const later = this.#waiting
      this.#waiting = new Map(batch)
      for (const notice of later.values()) this.#keep(notice)
    }
    this.#sending = null
    const { firstDelay, collecting } = this.#options
    this.#schedule(this.#failures === 0 ? collecting : Math.min(maxDelay, firstDelay * 2 ** (this.#failures - 1)))
  }
}

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

/** Two writes of one row as one. A new row stays new, and a change of more than metadata stays one. */
function merged(before: Notice, after: Notice): Notice {
  if (!('event' in before) || !('event' in after)) return after
  const isLess = after.event === 'meta' || (after.event === 'update' && before.event === 'insert')
  const event = isLess && before.event !== 'delete' ? before.event : after.event
  const terms = [...termsIn(before), ...termsIn(after)]
  return { ...before, ...after, event, ...(terms.length > 0 && { terms: [...new Set(terms)] }) } as Notice
}

const termsIn = (notice: Notice): readonly number[] => ('terms' in notice ? (notice.terms ?? []) : [])
