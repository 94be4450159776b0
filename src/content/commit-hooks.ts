import { currentClientWork } from '../auth/current-user.js'
import { UnavailableError } from '../http/unavailable.js'
import { netChanges, type CommittedChange } from './committed-change.js'
import type { RecordTypes } from './record-types.js'

/** Too many functions of `after_commit` wait or run. */
class TooManyHooksError extends UnavailableError {
  override readonly name = 'TooManyHooksError'

  constructor() {
    super('Too much work waits to be done after the writes of records.', 10)
  }
}

/** Maximum number of functions that run at the same time. */
const maxRunning = 50
/** Number of functions that wait or run from which on further writes are refused. */
const maxWaiting = 10_000

/** A call of a function of `after_commit` that has failed. */
export interface FailedHook {
  readonly type: string
  readonly id: number
  readonly kind: CommittedChange['kind']
  /** The request whose write it was; null for none, and for one that only reads. */
  readonly requestId: string | null
}

export interface HookCalls {
  /** Calls a function so that `inject` works until it awaits something. */
  readonly enter: <T>(work: () => T) => T
  readonly onFailure: (error: unknown, hook: FailedHook) => void
  /** @param hooks the number of functions that wait or run at the end of the grace period. */
  readonly onCutOff: (hooks: number) => void
}

/** Calls the functions of `after_commit`. */
export class CommitHooks {
  readonly #types: RecordTypes
  #calls: HookCalls | null = null
  readonly #running = new Set<Promise<void>>()
  /** The last call for each record, while it waits or runs. */
  readonly #lastOf = new Map<number, Promise<void>>()
  /** The calls that wait until fewer functions run. Each entry lets its call go on. */
  readonly #waiting: (() => void)[] = []
  /** The number of functions that may begin now. */
  #places = maxRunning

  constructor(types: RecordTypes) {
    this.#types = types
  }

  /** From now on functions are called. What was written before, by `seed` or a `start()`, has no calls. */
  start(calls: HookCalls): void {
    this.#calls = calls
  }

  /** Whether the records of a type have functions. */
  isDeclaredFor(type: string): boolean {
    return this.#calls !== null && (this.#types.get(type)?.afterCommit ?? null) !== null
  }

  /** @throws UnavailableError when a write would add to too many waiting calls. */
  requireRoom(): void {
    if (this.#running.size >= maxWaiting) throw new TooManyHooksError()
  }

  /** Calls the functions for what a transaction has changed, in the asynchronous context of the caller. */
  committed(changes: readonly CommittedChange[]): void {
    const calls = this.#calls
    if (calls === null) return
    const requestId = currentClientWork()?.requestId ?? null
    for (const change of netChanges(changes)) {
      const { id, type } = change.record
      const work = this.#workOf(change)
      if (work === null) continue
      const earlier = this.#lastOf.get(id)
      const call = this.#call(earlier, () => calls.enter(work)).catch((error: unknown) =>
        calls.onFailure(error, { type, id, kind: change.kind, requestId }),
      )
      this.#lastOf.set(id, call)
      this.#running.add(call)
      void call.finally(() => {
        this.#running.delete(call)
        if (this.#lastOf.get(id) === call) this.#lastOf.delete(id)
      })
    }
  }

  /** Whether a function waits or runs. */
  get isBusy(): boolean {
    return this.#running.size > 0
  }

  /** Resolves when no function waits or runs. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** The grace period of a stop is over: reports how many functions are lost. */
  cut(): void {
    if (this.isBusy) this.#calls?.onCutOff(this.#running.size)
  }

  #workOf(change: CommittedChange): (() => unknown) | null {
    const hooks = this.#types.get(change.record.type)?.afterCommit
    if (!hooks) return null
    const { inserted, updated, deleted } = hooks
    if (change.kind === 'inserted') return inserted ? () => inserted(change.record) : null
    if (change.kind === 'deleted') return deleted ? () => deleted(change.record) : null
    return updated ? () => updated(change.record, change.before) : null
  }

  /** @param earlier the call for the same record that is waited for. It never rejects. */
  async #call(earlier: Promise<void> | undefined, work: () => unknown): Promise<void> {
    await earlier
    if (this.#places === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#places -= 1
    try {
      // The response of the request comes first.
      await new Promise((resolve) => setImmediate(resolve))
      await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#places += 1
      else next()
    }
  }
}
