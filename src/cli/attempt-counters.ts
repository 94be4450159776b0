import type { Attempt, LockOut } from '../auth/attempt-limiter.js'
import { ProcessRequestCounters } from '../auth/process-request-counters.js'
import { RateLimiter } from '../auth/rate-limiter.js'
import { rateLimits, type LimitName } from '../auth/rate-limits.js'
import {
  attemptType,
  type AttemptReply,
  type AttemptArguments,
  type AttemptMessage,
  type RequestReply,
} from './attempt-messages.js'

/** A worker that sends the messages of its attempts, and receives the replies. */
export interface AttemptSender {
  send(message: object): void
}

/** Counts the failed logins and the limited requests of all workers of a command, so that the limits are those of one process. */
export class AttemptCounters {
  readonly #limiters = new Map<LimitName, RateLimiter>()
  readonly #inProgress = new Map<AttemptSender, Map<number, Attempt>>()
  readonly #ended = new WeakSet<AttemptSender>()
  readonly #clock: () => number
  readonly #requests: ProcessRequestCounters
  #lockOuts: LockOut[] = []

  /** @param clock milliseconds of a monotonic clock. */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
    this.#requests = new ProcessRequestCounters(clock)
  }

  receive(message: AttemptMessage, sender: AttemptSender): void {
    if (message.step === 'begin') sender.send(this.#begin(message, sender))
    else if (message.step === 'end') this.#end(message, sender)
    else if (message.step === 'request') {
      const { id, counter } = message
      void this.#requests
        .count(counter)
        .then((counted) => sender.send({ type: attemptType, id, counted } satisfies RequestReply))
    } else {
      const attempt = this.#attempt(message)
      if (typeof attempt !== 'number') attempt.failed()
    }
  }

  /**
   * To be called when a worker has ended. It may have refused a password without reporting that here, so its open attempts
   * count as failed, also those whose messages arrive later.
   */
  forget(sender: AttemptSender): void {
    this.#ended.add(sender)
    for (const attempt of this.#inProgress.get(sender)?.values() ?? []) attempt.failed()
    this.#inProgress.delete(sender)
  }

  #begin(message: AttemptMessage & { readonly step: 'begin' }, sender: AttemptSender): AttemptReply {
    const { id } = message
    this.#lockOuts = []
    const attempt = this.#attempt(message)
    const lockOuts = this.#lockOuts
    if (typeof attempt === 'number') return { type: attemptType, id, wait: attempt, isTrusted: false, lockOuts }
    if (this.#ended.has(sender)) attempt.failed()
    else this.#attemptsOf(sender).set(id, attempt)
    return { type: attemptType, id, wait: 0, isTrusted: attempt.requester.isTrusted, lockOuts }
  }

  #end({ id, outcome }: AttemptMessage & { readonly step: 'end' }, sender: AttemptSender): void {
    const attempts = this.#inProgress.get(sender)
    attempts?.get(id)?.[outcome]()
    attempts?.delete(id)
  }

  #attemptsOf(sender: AttemptSender): Map<number, Attempt> {
    let attempts = this.#inProgress.get(sender)
    if (attempts === undefined) {
      attempts = new Map()
      this.#inProgress.set(sender, attempts)
    }
    return attempts
  }

  #attempt({ limiter: name, account, address, login }: AttemptArguments): Attempt | number {
    let limiter = this.#limiters.get(name)
    if (limiter === undefined) {
      limiter = new RateLimiter(rateLimits[name], this.#clock, (lockOut) => this.#lockOuts.push(lockOut))
      this.#limiters.set(name, limiter)
    }
    return limiter.begin(account, address, login)
  }
}
