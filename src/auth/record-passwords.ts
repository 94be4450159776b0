import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { isLonger } from '../php/text-length.js'
import type { AttemptLimiter } from './attempt-limiter.js'
import type { ThreadedPasswordHasher } from './threaded-password-hasher.js'

/** The hashes that the cookie may contain: phpass of 2^13 rounds, so that no client can demand more work. */
const cookieHash = /^\$P\$B[./0-9A-Za-z]{30}$/

/** Length of the column `post_password`, in characters: a longer text is right for no record and is not worth hashing. */
const maxPasswordLength = 255

/** The key of all entered passwords, for the rate limiter and the queue of password hashes. */
const enteredPassword = 'record password'

/** Maximum number of results that are kept in memory. */
const maxResults = 1000

/** A record with a password. */
export interface ProtectedRecord {
  readonly id: number
  /** Not empty. */
  readonly password: string
}

/** The result of a check, or the seconds to wait when there were too many wrong passwords. */
export type RecordPasswordResult = 'missing' | 'right' | 'wrong' | number

/**
 * The passwords of records. A cookie holds the phpass hash of the password that a visitor has entered, as in WordPress,
 * so that both accept the cookie of the other.
 */
// Rules: docs/wire.md#protected-records.
export class RecordPasswords {
  readonly #hasher: Pick<ThreadedPasswordHasher, 'portableHash' | 'verify'>
  readonly #rateLimiter: AttemptLimiter
  readonly #enteredLimiter: AttemptLimiter
  /** Results by a digest of hash and password, so that a visitor who returns causes no further hashing. */
  readonly #results = new LRUCache<string, boolean>({ max: maxResults })

  /**
   * @param rateLimiter counts wrong cookies.
   * @param enteredLimiter counts the passwords that are hashed for a cookie.
   */
  constructor(
    hasher: Pick<ThreadedPasswordHasher, 'portableHash' | 'verify'>,
    rateLimiter: AttemptLimiter,
    enteredLimiter: AttemptLimiter,
  ) {
    this.#hasher = hasher
    this.#rateLimiter = rateLimiter
    this.#enteredLimiter = enteredLimiter
  }

  /**
   * The value of the cookie for a password. `*`, which is right for no record, for a password that no record can have.
   * @param address the network address of the client.
   * @returns the value, or the seconds to wait when the network has entered too many passwords.
   * @throws HasherBusyError when too many passwords wait.
   */
  async cookieFor(password: string, address: string): Promise<string | number> {
    if (isLonger(password, maxPasswordLength)) return '*'
    const attempt = await this.#enteredLimiter.begin(enteredPassword, address)
    if (typeof attempt === 'number') return attempt
    try {
      const hash = await this.#hasher.portableHash(password, attempt.requester)
      attempt.failed()
      return hash
    } finally {
      attempt.abandoned()
    }
  }

  /**
   * Whether a cookie has the password of a record. A wrong one counts as a failed attempt at this record. Lists have counters
   * of their own: a visitor who has entered the password of one record sees others in lists, and guesses nothing there.
   * @param cookie its value; undefined without one.
   * @throws HasherBusyError when too many passwords wait.
   */
  async check(
    cookie: string | undefined,
    { id, password }: ProtectedRecord,
    address: string,
    place: 'page' | 'list' = 'page',
  ): Promise<RecordPasswordResult> {
    if (cookie === undefined) return 'missing'
    if (!cookieHash.test(cookie)) return 'wrong'
    const key = hash('sha256', `${cookie} ${password}`, 'base64')
    const earlier = this.#results.get(key)
    if (earlier !== undefined) return earlier ? 'right' : 'wrong'
    const attempt = await this.#rateLimiter.begin(place === 'page' ? `record ${id}` : `listed record ${id}`, address)
    if (typeof attempt === 'number') return attempt
    try {
      const isRight = await this.#hasher.verify(password, cookie, attempt.requester)
      this.#results.set(key, isRight)
      if (isRight) attempt.succeeded()
      else attempt.failed()
      return isRight ? 'right' : 'wrong'
    } finally {
      attempt.abandoned()
    }
  }
}
