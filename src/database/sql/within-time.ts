import { StorageError } from '../storage-error.js'

/**
 * The result of the work of a transaction, with a time limit: otherwise work that waits for something outside its transaction
 * could hold the locks of the transaction forever.
 * @param limit in milliseconds.
 * @param stopped aborts the waiting before the limit. Left out: only the end of the connection does.
 * @throws StorageError `transaction` when the limit is over; `unavailable` after `stopped`.
 */
export async function withinTime<T>(work: Promise<T>, limit: number, stopped?: AbortSignal): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  let stop = (): void => undefined
  const tooLate = new Promise<never>((_, reject) => {
    stop = () =>
      reject(new StorageError('unavailable', 'The database was closed during a transaction, which was rolled back.'))
    stopped?.addEventListener('abort', stop, { once: true })
    timer = setTimeout(() => {
      reject(
        new StorageError(
          'transaction',
          `A transaction took longer than ${limit} ms and was rolled back. Its work must wait for nothing but the ` +
            'database, and await all of its own calls.',
        ),
      )
    }, limit)
  })
  try {
    return await Promise.race([work, tooLate])
  } finally {
    clearTimeout(timer)
    stopped?.removeEventListener('abort', stop)
  }
}
