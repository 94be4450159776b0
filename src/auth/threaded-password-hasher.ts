import { availableParallelism } from 'node:os'
import { bcryptCost, checkOf, newSecret, type PasswordHasher } from './password-hash.js'
import { HashThreads, threadsCanStart } from './hash-threads.js'
import { HashTurns } from './hash-turns.js'

/** The hash of a password that is too long. No password verifies against it. */
const unusable = '*'

/** How many hashes may wait for a thread. Each takes 80 ms. */
const maxWaiting = 64

/** A {@link PasswordHasher} with a few threads, which start with the first password. */
export class ThreadedPasswordHasher implements PasswordHasher {
  readonly #threads: HashThreads | HashTurns

  /** @param threads how many hashes are computed at a time; one fewer than the machine has processors, at most four. */
  constructor({ threads = Math.min(4, Math.max(1, availableParallelism() - 1)), waiting = maxWaiting } = {}) {
    this.#threads = threadsCanStart() ? new HashThreads(threads, waiting) : withoutThreads(waiting)
  }

  async hash(password: string): Promise<string> {
    const secret = newSecret(password)
    if (secret === null) return unusable
    return `$wp${await this.#threads.run({ kind: 'make', secret, cost: bcryptCost })}`
  }

  async verify(password: string, stored: string): Promise<boolean> {
    const check = checkOf(password, stored)
    return typeof check === 'boolean' ? check : (await this.#threads.run(check)) === true
  }

  /** Ends the threads. Waiting calls reject with HasherBusyError. */
  close(): Promise<void> {
    return this.#threads.close()
  }
}

function withoutThreads(waiting: number): HashTurns {
  process.emitWarning(
    'as-rest-route: hash-worker.js does not lie beside the bundle, so passwords are checked on the thread that ' +
      'answers requests, 80 ms each. Bundle it as a second entry, or leave as-rest-route out of the bundle: docs/tools.md.',
  )
  return new HashTurns(waiting)
}
