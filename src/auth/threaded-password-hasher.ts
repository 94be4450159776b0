import { availableParallelism } from 'node:os'
import type { Requester } from './fair-queue.js'
import { phpTrim } from '../php/trim.js'
import { hashOfApplicationPassword } from './application-password-hash.js'
import {
  bcryptCost,
  bytesOfPassword,
  checkOf,
  dummyHash,
  needsRehash,
  newSecret,
  portableDummyHash,
  type PasswordHasher,
} from './password-hash.js'
import { HashThreads, threadsCanStart } from './hash-threads.js'
import { MainThreadHasher } from './main-thread-hasher.js'

/** The hash of a password that is too long. No password matches it. */
const unusableHash = '*'

/** Default maximum of waiting hashes of each kind of requester. At 80 ms each, a client would not wait for more. */
const defaultMaxWaiting = 64

/**
 * The number of hashes that a process computes at the same time: one less than the processors of the machine, at least one
 * and at most four. Workers of one command share them, and each has one at least.
 */
export function defaultThreads(workers = 1): number {
  return Math.max(1, Math.floor(Math.min(4, availableParallelism() - 1) / workers))
}

export interface HashingOptions {
  /**
   * The number of hashes that are computed at the same time. With 0 they are computed on the thread that calls. Default:
   * see {@link defaultThreads}.
   */
  readonly threads?: number
  /**
   * The number of places in the queue for trusted requesters, and the number of places for the others; default 64. See
   * `FairQueue`.
   */
  readonly maxWaiting?: number
  /** The binary logarithm of the rounds of new hashes. Default 10. */
  readonly cost?: number
}

/** The {@link PasswordHasher} of the service. It has its own worker threads, which start with the first password. */
export class ThreadedPasswordHasher implements PasswordHasher {
  readonly #queue: HashThreads | MainThreadHasher
  readonly #cost: number
  /** Whether new hashes are phpass, which is all that a WordPress before 6.8 reads. May change at any time. */
  isPortable = false
  /** Called before each new hash. Resolves once `isPortable` is up to date; null when it already is. */
  formatRefreshed: () => Promise<void> | null = () => null

  constructor({ threads = defaultThreads(), maxWaiting = defaultMaxWaiting, cost = bcryptCost }: HashingOptions = {}) {
    this.#cost = cost
    if (threads === 0) this.#queue = new MainThreadHasher(maxWaiting)
    else this.#queue = threadsCanStart() ? new HashThreads(threads, maxWaiting) : withoutThreads(maxWaiting)
  }

  async hash(password: string, requester?: Requester): Promise<string> {
    await this.formatRefreshed()
    if (this.isPortable) return this.portableHash(phpTrim(password), requester)
    const secret = newSecret(password)
    if (secret === null) return unusableHash
    return `$wp${await this.#queue.run({ kind: 'create', secret, cost: this.#cost }, requester)}`
  }

  needsRehash(hash: string): boolean {
    // As in WordPress before 6.8, only an MD5 is replaced.
    return this.isPortable ? hash.length <= 32 : needsRehash(hash, this.#cost)
  }

  get dummyHash(): string {
    return this.isPortable ? portableDummyHash : dummyHash
  }

  async verify(password: string, hash: string, requester?: Requester): Promise<boolean> {
    // WordPress before 6.8 also reads the phpass of phpBB, which differs only in its prefix.
    const check = checkOf(password, this.isPortable ? hash.replace(/^\$H\$/, '$$P$$') : hash)
    return typeof check === 'boolean' ? check : (await this.#queue.run(check, requester)) === true
  }

  /**
   * The portable phpass hash of a password that is not trimmed, with 2^13 rounds: `$P$B…`. For a password of more than
   * 4,096 bytes it is `*`.
   * @throws HasherBusyError when too many calls are waiting.
   */
  async portableHash(password: string, requester?: Requester): Promise<string> {
    const bytes = bytesOfPassword(password)
    if (bytes === null) return unusableHash
    return String(await this.#queue.run({ kind: 'create-phpass', password: bytes, log2Rounds: 13 }, requester))
  }

  /**
   * The hash of a long random text, such as an application password or the key of a reset link. It is fast in WordPress's
   * current format, and phpass for a WordPress before 6.8.
   * @throws HasherBusyError when too many calls are waiting.
   */
  async hashOfRandomText(text: string): Promise<string> {
    await this.formatRefreshed()
    return this.isPortable ? this.portableHash(text) : hashOfApplicationPassword(text)
  }

  /** Ends the threads. Waiting calls, and later calls that need a slow hash, fail with a HasherBusyError. */
  close(): Promise<void> {
    return this.#queue.close()
  }
}

function withoutThreads(maxWaiting: number): MainThreadHasher {
  process.emitWarning(
    'as-rest-route: hash-worker.js does not lie beside the bundle, so passwords are checked on the thread that ' +
      'answers requests, 80 ms each. Bundle it as a second entry, or leave as-rest-route out of the bundle: docs/tools.md#bundles.',
  )
  return new MainThreadHasher(maxWaiting)
}
