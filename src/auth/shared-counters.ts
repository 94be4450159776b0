import { hash } from 'node:crypto'
import type { AttemptFilling } from '../database/attempt-rows.js'
import type { LockOut } from './attempt-limiter.js'
import { networkOf, prefixOf } from './network.js'
import { maxTrustedNetworks, type LimitName, type RateLimits } from './rate-limits.js'
import type { CountedRequest, RequestCounter } from './request-counters.js'

/** Counters of failed attempts that several processes share. Each is a leaky bucket, as in `FailureCounters`. */
export interface SharedCounters {
  /**
   * Begins an attempt. When all limits allow it, it is counted as a failure at once, so that attempts at several processes
   * together do not exceed a limit, and an attempt whose process ends stays counted.
   * @throws Error when the counters cannot be reached. The attempt is then not allowed.
   */
  begin(attempt: CountedAttempt): Promise<BegunAttempt>
  /**
   * Counts a failure of an attempt that was not begun here.
   * @returns the waits of the next attempt.
   */
  fail(attempt: CountedAttempt): Promise<Waits>
  /** Removes the failures of a counter. */
  empty(counter: SharedCounter): Promise<void>
  /**
   * Counts a request where its counter has room.
   * @throws Error when the counters cannot be reached.
   */
  count(counter: RequestCounter): Promise<CountedRequest>
}

/** Milliseconds until the next attempt is allowed, by the limits that do not allow it now. */
export type Waits = ReadonlyMap<LockOut['limit'], number>

export interface SharedCounter extends AttemptFilling {
  readonly limit: LockOut['limit']
  /** Milliseconds of failures that it holds before an attempt has to wait. */
  readonly capacity: number
}

/** An attempt as the counters know it: by hashes, so that the store of the counters holds no names and addresses. */
export interface CountedAttempt {
  /** The counters that have a limit, among those of the pair, the network and the account. */
  readonly counters: readonly SharedCounter[]
  /** The counter of the wider network. Attempts obey it; failures raise it only when there are too many other counters. */
  readonly prefix: SharedCounter
  /** The row with the networks that have logged in to the account, and the name of this one in it. */
  readonly trust: { readonly name: string; readonly kind: string; readonly network: string }
}

export interface BegunAttempt {
  /** Whether the network has logged in to the account before. */
  readonly isTrusted: boolean
  readonly waits: Waits
  /** The end of an attempt that is allowed; null for one that has to wait. */
  readonly end: AttemptEnd | null
}

/** The ends of an attempt. One of the functions is called, once. */
export interface AttemptEnd {
  /** The failures of the pair no longer count, and the network is trusted. */
  succeeded(): Promise<void>
  failed(): Promise<void>
  /** The attempt does not count. */
  abandoned(): Promise<void>
}

/** The counters of an attempt. See `AttemptLimiter.begin`. */
export function countedAttempt(
  limiter: LimitName,
  limits: RateLimits,
  account: string,
  address: string,
): CountedAttempt {
  const network = networkOf(address)
  const counter = (limit: LockOut['limit'], key: string): SharedCounter => {
    const { failures, secondsEach } = limits[limit === 'prefix' ? 'network' : limit]
    const kind = `${limiter}.${limit}`
    const milliseconds = secondsEach * 1000
    return { limit, name: hashOf(kind, key), kind, milliseconds, capacity: failures * milliseconds }
  }
  const trust = `${limiter}.trusted`
  return {
    counters: [
      counter('pair', `${network} ${account}`),
      counter('network', network),
      counter('account', account),
    ].filter(({ capacity }) => Number.isFinite(capacity)),
    prefix: counter('prefix', prefixOf(network)),
    trust: { name: hashOf(trust, account), kind: trust, network: hashOf(trust, network).slice(0, networkNameLength) },
  }
}

/** Length of the hashed name of a network: 96 bits in base64. */
const networkNameLength = 16

/** The name of a counter: a hash of 43 characters. */
const hashOf = (kind: string, key: string): string => hash('sha256', `${kind}\n${key}`, 'base64url')

/** Whether networks that have logged in to the account have to wait for a limit. */
export const appliesToTrusted = (limit: LockOut['limit']): boolean => limit === 'pair'

/** Milliseconds without a login after which a network is a stranger again; longer than most logins last. */
export const trustLifetime = 30 * 24 * 3600 * 1000

/**
 * The networks of an account after a login, the latest last, as text; null when the row is right as it is.
 * @param networks those before the login, with spaces between. @param expiresIn milliseconds until the row expires.
 */
export function networksAfterLogin(networks: string, network: string, expiresIn: number): string | null {
  const earlier = networks === '' ? [] : networks.split(' ')
  if (earlier.at(-1) === network && expiresIn > trustLifetime / 2) return null
  return [...earlier.filter((each) => each !== network), network].slice(-maxTrustedNetworks).join(' ')
}
