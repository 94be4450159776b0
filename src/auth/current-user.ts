import { AsyncLocalStorage } from 'node:async_hooks'
import type { Complaint } from '../base/complaint.js'
import { anonymous, type Caller } from '../http/caller.js'
import { callerCan } from './meta-capabilities.js'
import type { MetadataCapability } from './metadata-capabilities.js'
import type { PostCapability } from './post-capabilities.js'

/** A caller with the function that decides capabilities over one record or user. */
export interface CallerContext {
  readonly caller: Caller
  /**
   * @param target id of a record or user, depending on the capability.
   * @param metaKey for `edit_post_meta` and its like.
   */
  can(capability: string, target: number | string, metaKey?: string): Promise<boolean>
}

const callers = new AsyncLocalStorage<CallerContext | undefined>()

/** The caller of the request in progress; anonymous for a request without credentials, and outside a request. */
export function currentUser(): Caller {
  return callers.getStore()?.caller ?? anonymous
}

/** A compile-time message for a capability that is always denied without an id. */
type WithoutId<Capability extends string> = Capability extends PostCapability | MetadataCapability
  ? Complaint<`'${Capability}' is denied without an id: write await currentUserCan('${Capability}', id)`>
  : unknown

/**
 * Whether the caller of the request in progress has a capability.
 *
 * Without an id the result is a boolean: `currentUserCan('manage_options')`. Capabilities over one record or user take its id
 * and query the store: `await currentUserCan('edit_post', 5)`. An unknown id is denied. Without an id, capabilities over a
 * record or metadata are denied, and refused by the compiler; those over a user apply to users in general.
 * Capabilities over metadata (`add_`, `edit_` and `delete_post_meta`, and the same of `user`) take the key as well. Without a
 * key they apply to keys that do not begin with `_`.
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
  // Plain JavaScript may pass undefined: an unknown id, whose result is a promise as well.
  return context.can(capability, id ?? 0, metaKey)
}

/** Runs `work`, and everything it starts, for an identified caller. */
export function runAs<T>(context: CallerContext, work: () => T): T {
  return callers.run(context, work)
}

/**
 * Runs `work` for an anonymous caller. It enters an asynchronous context only inside the work of an identified caller: most
 * requests are anonymous, and a context takes up to a fifth of a small one on Node 20.
 */
export function runAsAnonymous<T>(work: () => T): T {
  return callers.getStore() === undefined ? work() : callers.run(undefined, work)
}

/** Whether the context of an identified caller is active. An anonymous request inside it has to leave it. */
export function isInContext(): boolean {
  return callers.getStore() !== undefined
}
