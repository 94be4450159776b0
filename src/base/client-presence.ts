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
}

/** The work for one request of a client. */
export interface ClientWork {
  readonly client: ClientPresence
  /**
   * Set as soon as a write of this work has begun, and when the response is made: what follows is then finished, whether or
   * not the client is there.
   */
  isKept: boolean
}

const context = new TemporaryContext<ClientWork>()

/** Runs the work of a request that may write, so that a write that still waits can be dropped when the client has left. */
export function runForClient<T>(client: ClientPresence, work: () => MaybePromise<T>): MaybePromise<T> {
  const clientWork: ClientWork = { client, isKept: false }
  // Work that a handler has left running inherits the context, and the client need not wait for it.
  return context.run(clientWork, work, () => {
    clientWork.isKept = true
  })
}

/** The work in progress; null outside of the requests that may write. */
export const currentClientWork = (): ClientWork | null => context.get() ?? null
