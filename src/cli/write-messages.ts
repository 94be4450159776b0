import type { OtherWorkers, WorkerMessage } from '../app/foreign-writes.js'

/** Says that a worker, or PHP, wrote to the tables of a WordPress site. The supervisor passes it on to the other workers. */
export interface WriteMessage extends WorkerMessage {
  readonly type: typeof writeType
}

/** Distinguishes these messages from those that the application sends. */
const writeType = 'as-rest-route: write'

export function isWriteMessage(message: unknown): message is WriteMessage {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === writeType
}

/** The workers that the supervisor of this process runs. */
export const supervisedWorkers: OtherWorkers = {
  send({ report }) {
    const message: WriteMessage = { type: writeType, report }
    // A message that cannot be sent is lost: without the supervisor, the other workers end as well.
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
  },
  listen(onMessage) {
    process.on('message', (message) => {
      if (isWriteMessage(message)) onMessage(message)
    })
  },
}
