import { AsyncLocalStorage } from 'node:async_hooks'
import type { MaybePromise } from './maybe-promise.js'

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

const storage = new AsyncLocalStorage<ClientWork | undefined>()
/** The number of calls of `runForClient` in progress. */
let running = 0

/**
 * Runs the work of a request that may write, so that a write that still waits can be dropped when the client has left. The
 * asynchronous context exists only meanwhile: on Node 20 a context slows every small request of the process.
 */
export function runForClient<T>(client: ClientPresence, work: () => MaybePromise<T>): MaybePromise<T> {
  running += 1
  const clientWork: ClientWork = { client, isKept: false }
  const ended = (): void => {
    // Work that a handler has left running inherits the context, and the client need not wait for it.
    clientWork.isKept = true
    running -= 1
    if (running === 0) storage.disable()
  }
  let result: MaybePromise<T>
  try {
    result = storage.run(clientWork, work)
  } catch (error) {
    ended()
    throw error
  }
  if (result instanceof Promise) return result.finally(ended)
  ended()
  return result
}

/** The work in progress; null outside of the requests that may write. */
export const currentClientWork = (): ClientWork | null => storage.getStore() ?? null
