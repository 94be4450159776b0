import { StorageError } from '../storage-error.js'

/**
 * The result of the work of a transaction: without a limit, work that waits for anything outside its transaction would hold
 * the locks of the transaction for ever.
 * @param limit in milliseconds.
 * @param stopped ends the transaction before. Left out: the end of its connection does.
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
