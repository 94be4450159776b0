import type { Attempt, AttemptLimiter } from '../auth/attempt-limiter.js'
import type { Requester } from '../auth/fair-queue.js'
import { networkOf } from '../auth/network.js'
import { HasherBusyError } from '../auth/password-hash.js'
import type { MaybePromise } from '../base/maybe-promise.js'

/** Milliseconds after a valid attempt in which the next one of its network and account is allowed at once. */
const confidence = 1_000

/** Maximum number of pairs of a network and an account that are remembered, and of attempts that wait. */
const maxPairs = 1_000
const maxWaiting = 1_000

/** The attempts at one account from one network. */
interface Pair {
  /** Whether an attempt is in progress. Others wait for its end. */
  isBusy: boolean
  /** Until when the next attempt is allowed at once, on the clock of `performance.now()`. */
  confidentUntil: number
  readonly waiting: Waiting[]
}

interface Waiting {
  readonly login: string
  readonly resolve: (attempt: MaybePromise<Attempt | number>) => void
}

/**
 * Calls another limiter only once a second for a client whose attempts are valid. Attempts of one network at one account
 * are made one after the other, so that fifty concurrent requests of one program do not count as fifty possible failures.
 *
 * A wrong attempt ends the confidence and is reported afterwards. So for each second with a valid attempt, one wrong
 * attempt may be checked that a limit would have refused.
 */
export class SteadyLimiter implements AttemptLimiter {
  readonly #limiter: AttemptLimiter
  readonly #reportFailure: (account: string, address: string, login: string) => void
  readonly #clock: () => number
  readonly #pairs = new Map<string, Pair>()
  #waiting = 0

  /** @param reportFailure counts a failed attempt that did not go through the limiter. */
  constructor(
    limiter: AttemptLimiter,
    reportFailure: (account: string, address: string, login: string) => void,
    clock: () => number = () => performance.now(),
  ) {
    this.#limiter = limiter
    this.#reportFailure = reportFailure
    this.#clock = clock
  }

  begin(account: string, address: string, login = account): MaybePromise<Attempt | number> {
    const network = networkOf(address)
    const key = `${network} ${account}`
    const pair = this.#pairs.get(key) ?? this.#add(key)
    if (!pair.isBusy) return this.#start(pair, key, { network, account, isTrusted: true }, address, login)
    if (this.#waiting >= maxWaiting) return Promise.reject(new HasherBusyError('Too many attempts wait.'))
    this.#waiting += 1
    return new Promise((resolve) => pair.waiting.push({ login, resolve }))
  }

  #start(
    pair: Pair,
    key: string,
    requester: Requester,
    address: string,
    login: string,
  ): MaybePromise<Attempt | number> {
    pair.isBusy = true
    const next = () => this.#next(pair, key, requester, address)
    if (pair.confidentUntil > this.#clock()) {
      const fail = () => this.#reportFailure(requester.account, address, login)
      return attemptOf(requester, pair, next, { succeeded: () => {}, failed: fail, abandoned: () => {} })
    }
    return this.#ask(pair, next, requester, address, login)
  }

  async #ask(
    pair: Pair,
    next: () => void,
    { account }: Requester,
    address: string,
    login: string,
  ): Promise<Attempt | number> {
    const allowedAt = this.#clock()
    let attempt: Attempt | number = 0
    try {
      attempt = await this.#limiter.begin(account, address, login)
    } finally {
      if (typeof attempt === 'number') next()
    }
    if (typeof attempt === 'number') return attempt
    const { requester, succeeded } = attempt
    const succeed = () => {
      pair.confidentUntil = allowedAt + confidence
      succeeded()
    }
    return attemptOf(requester, pair, next, { ...attempt, succeeded: succeed })
  }

  /** Begins the next waiting attempt of a pair. */
  #next(pair: Pair, key: string, requester: Requester, address: string): void {
    pair.isBusy = false
    const waiting = pair.waiting.shift()
    if (waiting === undefined) return
    this.#waiting -= 1
    waiting.resolve(this.#start(pair, key, requester, address, waiting.login))
  }

  #add(key: string): Pair {
    if (this.#pairs.size >= maxPairs)
      for (const [other, { isBusy }] of this.#pairs) if (!isBusy) this.#pairs.delete(other)
    const pair = { isBusy: false, confidentUntil: 0, waiting: [] }
    this.#pairs.set(key, pair)
    return pair
  }
}

/** An attempt whose end begins the next one of its pair. Only the first call of its methods ends it. */
function attemptOf(
  requester: Requester,
  pair: Pair,
  next: () => void,
  { succeeded, failed, abandoned }: Omit<Attempt, 'requester'>,
): Attempt {
  let isOpen = true
  const end = (outcome: () => void) => (): void => {
    if (!isOpen) return
    isOpen = false
    outcome()
    next()
  }
  return {
    requester,
    succeeded: end(succeeded),
    failed: end(() => {
      pair.confidentUntil = 0
      failed()
    }),
    abandoned: end(abandoned),
  }
}
