import type { OtherWorkers, WorkerNews } from '../app/foreign-writes.js'

/** A message of a worker to the supervisor, which passes it on to the other workers. */
export interface NewsMessage extends WorkerNews {
  readonly type: typeof newsType
}

/** Marks the messages among those of the application. */
const newsType = 'as-rest-route: news'

export function isNews(message: unknown): message is NewsMessage {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === newsType
}

/** The workers that the supervisor of this process runs. */
export const supervisedWorkers: OtherWorkers = {
  tell({ report }) {
    const message: NewsMessage = { type: newsType, report }
    // A message that cannot be sent is lost: without the supervisor, the other workers end as well.
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
  },
  listen(onNews) {
    process.on('message', (message) => {
      if (isNews(message)) onNews(message)
    })
  },
}
