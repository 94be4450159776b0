import { AsyncLocalStorage } from 'node:async_hooks'
import { anonymousClientWork, type ClientWork } from '../base/client-presence.js'
import type { Complaint } from '../base/complaint.js'
import { anonymous, type Caller } from '../http/caller.js'
import { callerCan } from './meta-capabilities.js'
import type { MetadataCapability } from './metadata-capabilities.js'
import type { PostCapability } from './post-capabilities.js'

/** A caller, and a function that checks the caller's capabilities over one record or user. */
export interface CallerContext {
  readonly caller: Caller
  /**
   * @param target id of a record or user, depending on the capability.
   * @param metaKey the metadata key, for `edit_post_meta` and the other capabilities over metadata.
   */
  can(capability: string, target: number | string, metaKey?: string): Promise<boolean>
  /**
   * Reports a capability that a handler checks, in the environment `development`. It is called before each check over a target,
   * and after each denial of one without a target.
   */
  readonly onCheck?: ((capability: string) => void) | undefined
  /**
   * The request in progress, when it may write. It shares the asynchronous context of the caller: on Node 20 a context of its
   * own took 5 % of a POST.
   */
  readonly clientWork?: ClientWork
}

const callers = new AsyncLocalStorage<CallerContext | undefined>()

/**
 * The caller of the request in progress. Anonymous when the request has no valid credentials, and outside a request.
 */
export function currentUser(): Caller {
  return callers.getStore()?.caller ?? anonymous
}

/** A compile-time error for a literal capability that is always denied without an id. */
type WithoutId<Capability extends string> = Capability extends PostCapability | MetadataCapability
  ? Complaint<`'${Capability}' is denied without an id: write await currentUserCan('${Capability}', id)`>
  : unknown

/**
 * Whether the caller of the request in progress has a capability.
 *
 * Without an id the result is a boolean: `currentUserCan('manage_options')`. Capabilities over one record or user take
 * its id, and the result is a promise, because the database is read: `await currentUserCan('edit_post', 5)`. An unknown
 * id is denied.
 *
 * Without an id, capabilities over a record or metadata are denied, and are a compile-time error. Capabilities over a
 * user are then checked for users in general.
 *
 * Capabilities over metadata (`add_post_meta`, `edit_post_meta`, `delete_post_meta`, and the same with `user`) also
 * take the metadata key. Without a key the check is about keys that do not begin with `_`.
 */
export function currentUserCan<Capability extends string>(capability: Capability & WithoutId<Capability>): boolean
export function currentUserCan(capability: string, id: number | string): Promise<boolean>
export function currentUserCan(capability: MetadataCapability, id: number | string, metaKey: string): Promise<boolean>
export function currentUserCan(
  capability: string,
  ...target: readonly [] | readonly [id: number | string, metaKey?: string]
): boolean | Promise<boolean> {
  const context = callers.getStore()
  const [id, metaKey] = target
  if (target.length === 0) {
    const isAllowed = callerCan(context?.caller ?? anonymous, capability)
    if (!isAllowed) context?.onCheck?.(capability)
    return isAllowed
  }
  // An anonymous caller has only `exist`, and every capability over a target needs more
  // (docs/wire.md#meta-capabilities).
  if (!context) return Promise.resolve(capability === 'exist')
  // A JavaScript caller may pass undefined. That is an unknown id, and the result is still a promise.
  context.onCheck?.(capability)
  return context.can(capability, id ?? 0, metaKey)
}

/** The request in progress, when it may write and its client can leave; null otherwise. */
export function currentClientWork(): ClientWork | null {
  return callers.getStore()?.clientWork ?? anonymousClientWork()
}

/** Runs `work`, and everything it starts, with the caller of the context as current user. */
export function runAs<T>(context: CallerContext, work: () => T): T {
  return callers.run(context, work)
}

/**
 * Runs `work` with an anonymous current user. It enters an asynchronous context only inside the work of a logged-in
 * user. Most requests are anonymous, and a context costs up to a fifth of the time of a small request on Node 20.
 */
export function runAsAnonymous<T>(work: () => T): T {
  return callers.getStore() === undefined ? work() : callers.run(undefined, work)
}

/** Whether the context of a logged-in user is active. An anonymous request inside it must leave it. */
export function isInContext(): boolean {
  return callers.getStore() !== undefined
}
