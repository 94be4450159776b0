import type { ClientWork } from '../../base/client-presence.js'
import { StorageError } from '../storage-error.js'

/**
 * The check to call when a write has got its connection: it throws when the client has left meanwhile. A write that has passed
 * the check is carried out even if the client leaves later.
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
