import { StorageError } from '../storage-error.js'

/**
 * The result of the work of a transaction: without a limit, work that waits for anything outside its transaction would hold
 * the locks of the transaction for ever.
 * @param limit in milliseconds.
 * @throws StorageError `transaction` when the limit is over.
 */
export async function withinTime<T>(work: Promise<T>, limit: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
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
  }
}
