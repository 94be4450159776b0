import type { Attempt, AttemptLimiter, LockOut } from '../auth/attempt-limiter.js'
import type { CountedRequest, RequestCounter, RequestCounters } from '../auth/request-counters.js'
import { networkOf } from '../auth/network.js'
import { HasherBusyError } from '../auth/password-hash.js'
import type { LimitName } from '../auth/rate-limits.js'
import {
  attemptType,
  isAttempt,
  type AttemptReply,
  type AttemptArguments,
  type AttemptMessage,
  type RequestReply,
} from './attempt-messages.js'
import { SteadyLimiter } from './steady-limiter.js'

/** Maximum time that an attempt waits for the supervisor, in milliseconds. */
const maxWaitMilliseconds = 5_000

/** Maximum number of attempts that wait for the supervisor. */
const maxWaiting = 1_000

type Reply = AttemptReply | RequestReply

interface Waiting {
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

/** The limiters of a worker. The supervisor counts the attempts of all workers, and replies before each is made. */
export class SupervisedLimiters implements RequestCounters {
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0

  constructor() {
    process.on('message', (message) => {
      if (isAttempt<Reply>(message)) this.#receive(message)
    })
    process.once('disconnect', () => {
      for (const [id, { reject }] of this.#waiting) {
        this.#take(id)
        reject(noReplyError())
      }
    })
  }

  /** @param onLockOut called when this worker makes the attempt with which a limit begins to refuse. */
  limiter(name: LimitName, onLockOut: (lockOut: LockOut) => void): AttemptLimiter {
    const limiter: AttemptLimiter = {
      begin: (account, address, login = account) => this.#begin({ limiter: name, account, address, login }, onLockOut),
    }
    // Programs send an application password with each request, and its check takes less time than a reply of the supervisor.
    if (name !== 'applicationPasswords') return limiter
    return new SteadyLimiter(limiter, (account, address, login) =>
      this.#send({ type: attemptType, step: 'failure', limiter: name, account, address, login }),
    )
  }

  /** Counts a request at the supervisor. @throws HasherBusyError when it does not answer. */
  async count(counter: RequestCounter): Promise<CountedRequest> {
    const { reply } = await this.#ask((id) => ({ type: attemptType, step: 'request', id, counter }))
    return (reply as RequestReply).counted
  }

  async #begin(attempt: AttemptArguments, onLockOut: (lockOut: LockOut) => void): Promise<Attempt | number> {
    const { id, reply } = await this.#ask((newId) => ({ type: attemptType, step: 'begin', id: newId, ...attempt }))
    const { wait, isTrusted, lockOuts } = reply as AttemptReply
    for (const lockOut of lockOuts) onLockOut(lockOut)
    if (wait > 0) return wait
    let isOpen = true
    const end = (outcome: 'succeeded' | 'failed' | 'abandoned') => (): void => {
      if (isOpen) this.#send({ type: attemptType, step: 'end', id, outcome })
      isOpen = false
    }
    return {
      requester: { network: networkOf(attempt.address), account: attempt.account, isTrusted },
      succeeded: end('succeeded'),
      failed: end('failed'),
      abandoned: end('abandoned'),
    }
  }

  /** @throws HasherBusyError when the supervisor does not answer. */
  async #ask(message: (id: number) => AttemptMessage): Promise<{ readonly id: number; readonly reply: Reply }> {
    if (!process.connected || this.#waiting.size >= maxWaiting) throw noReplyError()
    const id = (this.#lastId += 1)
    const reply = await new Promise<Reply>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#take(id)
        reject(noReplyError())
      }, maxWaitMilliseconds)
      this.#waiting.set(id, { resolve, reject, timer })
      this.#send(message(id))
    })
    return { id, reply }
  }

  #receive(reply: Reply): void {
    const waiting = this.#take(reply.id)
    if (waiting !== undefined) waiting.resolve(reply)
    // The attempt was refused because it waited too long, so it must not count.
    else if ('wait' in reply && reply.wait === 0)
      this.#send({ type: attemptType, step: 'end', id: reply.id, outcome: 'abandoned' })
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    clearTimeout(waiting?.timer)
    this.#waiting.delete(id)
    return waiting
  }

  /** A message that cannot be sent is lost, as are the counters of the supervisor. */
  #send(message: AttemptMessage): void {
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
  }
}

/** The error for an attempt that the supervisor did not count. Such an attempt is refused. */
function noReplyError(): HasherBusyError {
  return new HasherBusyError('The supervisor does not reply.')
}
