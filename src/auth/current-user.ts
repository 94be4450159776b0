import { AsyncLocalStorage } from 'node:async_hooks'
import type { Complaint } from '../base/complaint.js'
import { anonymous, type Caller } from '../http/caller.js'
import { callerCan } from './meta-capabilities.js'
import type { MetadataCapability } from './metadata-capabilities.js'
import type { PostCapability } from './post-capabilities.js'

/** A caller together with the means to ask what he may do with one record or user. */
export interface CallerContext {
  readonly caller: Caller
  /**
   * @param target id of a record or user, depending on the capability.
   * @param metaKey for `edit_post_meta` and its like.
   */
  can(capability: string, target: number | string, metaKey?: string): Promise<boolean>
}

const callers = new AsyncLocalStorage<CallerContext | undefined>()

/** Who sent the request in progress; anonymous when nobody identified himself, and outside a request. */
export function currentUser(): Caller {
  return callers.getStore()?.caller ?? anonymous
}

/** Complains of a capability that nobody has without an id, where its name is known. */
type WithoutId<Capability extends string> = Capability extends PostCapability | MetadataCapability
  ? Complaint<`'${Capability}' is denied without an id: write await currentUserCan('${Capability}', id)`>
  : unknown

/**
 * Whether the caller of the request in progress has a capability.
 *
 * Without an id the answer is at hand: `currentUserCan('manage_options')`. Capabilities over one record or user take its
 * id and ask the store: `await currentUserCan('edit_post', 5)`; an unknown id is denied. Without an id those over a record or
 * metadata are denied, and refused by the compiler; those over a user speak of users in general.
 * Those over metadata (`add_`, `edit_` and `delete_post_meta`, and the same of `user`) take the key as well; without one
 * the question is about keys that do not begin with `_`.
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
  if (target.length === 0) return callerCan(context?.caller ?? anonymous, capability)
  // Every capability over a target needs more than the `exist` that a visitor has (docs/wire.md#meta-capabilities).
  if (!context) return Promise.resolve(capability === 'exist')
  // JavaScript may pass undefined here: that is an unknown id, and still a promise.
  return context.can(capability, id ?? 0, metaKey)
}

/** Runs `work`, and everything it starts, on behalf of a caller who identified himself. */
export function runAs<T>(context: CallerContext, work: () => T): T {
  return callers.run(context, work)
}

/**
 * Runs `work` on behalf of nobody. Costs nothing unless it is nested in the work of a known caller, because most
 * requests are anonymous and an asynchronous context takes up to a fifth of a small one on Node 20.
 */
export function runAsAnonymous<T>(work: () => T): T {
  return callers.getStore() === undefined ? work() : callers.run(undefined, work)
}

/** Whether a known caller's context is active: an anonymous request inside it has to leave it. */
export function isInContext(): boolean {
  return callers.getStore() !== undefined
}
