import { networkOf } from '../base/network.js'
import type { Requester } from '../base/fair-queue.js'
import type { Caller } from '../http/caller.js'

let current = ''

/**
 * The address of the client whose handler is being called, until it awaits something; `''` afterwards, and outside of a request.
 * An asynchronous context would know it for longer, and would slow each anonymous request.
 */
export const currentAddress = (): string => current

/** Sets the current address. The caller sets the former one again before it returns. @returns the former one. */
export function enterAddress(address: string): string {
  const former = current
  current = address
  return former
}

/** Calls a function with a current address, until it awaits something. */
export function fromAddress<T>(address: string, work: () => T): T {
  const former = enterAddress(address)
  try {
    return work()
  } finally {
    enterAddress(former)
  }
}

/** A caller in a queue that is fair to networks. Those without an address share one network. */
export function requesterFrom(address: string, { id }: Caller): Requester {
  return {
    network: address === '' ? '' : networkOf(address),
    account: id === 0 ? '' : `user ${id}`,
    isTrusted: id !== 0,
  }
}
