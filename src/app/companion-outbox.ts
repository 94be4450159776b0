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
  /** Called at the end with the number of writes that the plugin may not have learned of. */
  readonly onLost?: (count: number) => void
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
 * PHP has answered a message, and without the answer of the plugin: the plugin is not there, or a hook has ended PHP while it
 * took these notices. It would end PHP again.
 */
export class MissingAnswerError extends Error {
  override readonly name = 'MissingAnswerError'
}

/**
 * Notices that wait for the companion plugin, in memory. Several notices of one row become one. One message is sent at
 * a time, and repeated until the plugin accepts it. A notice that ends PHP also when it is sent alone is replaced by `all`,
 * which runs no hooks.
 */
export class CompanionOutbox {
  readonly #options: Required<OutboxOptions>
  #waiting = new Map<string, Notice>()
  #timer: NodeJS.Timeout | null = null
  #sending: Promise<void> | null = null
  #failures = 0
  /** Notices of the next message. Fewer after a message that ended PHP, until the one that does so is alone. */
  #batchSize = maxBatch
  /** The notices of the message on its way. */
  #inFlight: readonly (readonly [key: string, notice: Notice])[] = []
  #isClosed = false

  constructor(options: OutboxOptions) {
    this.#options = { maxWaiting: 10_000, collecting: 20, firstDelay: 1000, onLost: () => {}, ...options }
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
    const kinds = [...this.#waiting.values(), ...this.#inFlight.map(([, notice]) => notice)].map(({ kind }) => kind)
    const lost = kinds.filter((kind) => kind !== 'index').length
    if (lost > 0) this.#options.onLost(lost)
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
    const batch = [...this.#waiting].slice(0, this.#batchSize)
    if (this.#sending !== null || batch.length === 0) return
    for (const [key] of batch) this.#waiting.delete(key)
    this.#inFlight = batch
    this.#sending = Promise.resolve().then(() => this.#sent(batch))
  }

  /** Never rejects. */
  async #sent(batch: readonly (readonly [key: string, notice: Notice])[]): Promise<void> {
    let isDivided = false
    try {
      await this.#options.send(batch.map(([, notice]) => notice))
      this.#failures = 0
      this.#batchSize = Math.min(maxBatch, this.#batchSize * 2)
    } catch (error) {
      this.#failures += 1
      if (this.#failures === 1) this.#options.onFailure(error)
      isDivided = this.#keepForLater(batch, error)
    }
    this.#inFlight = []
    this.#sending = null
    const { firstDelay, collecting } = this.#options
    // Up to ten messages find the notice that ends PHP, so they do not wait longer each time.
    const doublings = isDivided ? 0 : this.#failures - 1
    this.#schedule(this.#failures === 0 ? collecting : Math.min(maxDelay, firstDelay * 2 ** doublings))
  }

  /** @returns whether the next message differs, because this one has ended PHP. */
  #keepForLater(batch: readonly (readonly [key: string, notice: Notice])[], error: unknown): boolean {
    const hasEndedPhp = error instanceof MissingAnswerError
    const later = this.#waiting
    const [only] = batch
    const isAlone = hasEndedPhp && batch.length === 1 && only !== undefined
    const first = isAlone && only[1].kind !== 'all' ? replacement(only[1]) : batch
    this.#waiting = new Map(first)
    for (const notice of later.values()) this.#keep(notice)
    if (isAlone && only[1].kind === 'index') this.#keep(only[1])
    // A slow PHP would take too long for the same message each time.
    if (hasEndedPhp || isTimeout(error)) this.#batchSize = Math.ceil(batch.length / 2)
    return hasEndedPhp && (!isAlone || (only[1].kind !== 'all' && only[1].kind !== 'index'))
  }
}

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'

/** What is sent in place of a notice that ends PHP. The routes for the index come last instead, since they are no write. */
const replacement = ({ kind }: Notice): [string, Notice][] => (kind === 'index' ? [] : [['all', { kind: 'all' }]])

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
