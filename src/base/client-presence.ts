import type { MaybePromise } from './maybe-promise.js'
import { TemporaryContext } from './temporary-context.js'

/** Whether the client of a request is still there. A socket has this shape. */
export interface ClientPresence {
  /** Its connection is closed. */
  readonly destroyed: boolean
  /**
   * It sends nothing more. Most such clients have left. Some have closed their side of the connection only, and wait for the
   * response.
   */
  readonly readableEnded: boolean
  /** Absent where the client cannot be watched. */
  once?(event: 'end' | 'close', listener: () => void): unknown
  off?(event: 'end' | 'close', listener: () => void): unknown
}

/**
 * The work for one request of a client that may write. A write that still waits is dropped when the client has left. Work
 * that a handler has left running belongs to it as well.
 */
export interface ClientWork {
  readonly client: ClientPresence
  /** The id of the request in the log. */
  readonly requestId: string
  /**
   * Set as soon as a write of this work has begun, and when the response is made: what follows is then finished, whether or
   * not the client is there.
   */
  isKept: boolean
}

const context = new TemporaryContext<ClientWork>()

/** Runs the work of a request that has no async context of a logged-in user, which would contain the {@link ClientWork}. */
export function runForClient<T>(clientWork: ClientWork, work: () => MaybePromise<T>): MaybePromise<T> {
  return context.run(clientWork, work)
}

/** The work that `runForClient` is running; null outside. */
export const anonymousClientWork = (): ClientWork | null => context.get() ?? null
