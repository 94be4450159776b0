import type { ClientWork } from '../../base/client-presence.js'
import { StorageError } from '../storage-error.js'

/**
 * A check to make when a write has its connection: whether its client still waits. From then on it is written in any case.
 * @param current the request that the write is submitted for; null for none.
 */
export function clientCheck(current: ClientWork | null): () => void {
  // A handler that goes on after its client has left may have done what cannot be undone, such as a payment.
  if (current === null || current.client.destroyed) return () => undefined
  return () => {
    if (!current.isKept && current.client.destroyed)
      throw new StorageError('busy', 'The client has left before its write began: nothing was stored.')
    current.isKept = true
  }
}
