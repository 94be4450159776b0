import type { MaybePromise } from '../base/maybe-promise.js'
import type { Requester } from './fair-queue.js'
import type { RateLimits } from './rate-limits.js'

/** A limit has begun to refuse attempts. Reported once, and again only after the counter was empty. */
export interface LockOut {
  /** The limit that refuses attempts; `prefix`: that of the wider network. */
  readonly limit: keyof RateLimits | 'prefix'
  readonly network: string
  /** The user name in the first refused attempt. */
  readonly login: string
  /** Seconds until one more attempt is allowed. */
  readonly wait: number
}

/** An attempt that the limiter allows. It counts as a failure until its end, the first call of one of these methods. */
export interface Attempt {
  /** The source of the attempt, for the queue of password hashes. */
  readonly requester: Requester
  /** The credentials were valid. Earlier failures at this account from this network no longer count. */
  succeeded(): void
  /** The credentials were wrong. */
  failed(): void
  /** The credentials were not checked. The attempt does not count. */
  abandoned(): void
}

/** Refuses attempts after too many failed ones. */
export interface AttemptLimiter {
  /**
   * Begins an attempt before its credentials are checked. Attempts in progress count, so that concurrent attempts do
   * not exceed the limits.
   *
   * @param account a key of the account, which may be unknown.
   * @param address the network address of the client.
   * @param login the user name for {@link LockOut}.
   * @returns the attempt, or the number of seconds to wait. Not a promise when this process counts the attempts.
   * @throws HasherBusyError when the process that counts them does not answer. The attempt is then not allowed.
   */
  begin(account: string, address: string, login?: string): MaybePromise<Attempt | number>
}
