import type { Caller } from '../http/caller.js'
import type { CapabilityLookup } from './capability-lookup.js'
import { metadataCheckOf, requiredForMetadata } from './metadata-capabilities.js'
import { postCheckOf, postCheckOfType, postOf, requiredForPost } from './post-capabilities.js'
import { nameOf, primitivesOf } from './primitives.js'
import { requiredForUser } from './user-capabilities.js'

/**
 * All primitive capabilities that a check requires: `edit_post` on the published record of another user requires
 * `edit_others_posts` and `edit_published_posts`. An empty list requires nothing, `['do_not_allow']` refuses every caller. Rules: docs/wire.md#meta-capabilities.
 *
 * @param target id of the record or user (a number or numeric text) or an object with an `id`; ignored by capabilities
 * that are not about one, and a missing or odd one is denied by the others.
 * @param metaKey for `edit_post_meta` and its like: the metadata key in question.
 */
export async function requiredCapabilities(
  capability: string,
  caller: Caller,
  target: unknown,
  lookup: CapabilityLookup,
  metaKey?: string,
): Promise<readonly string[]> {
  const metadata = metadataCheckOf(capability)
  if (metadata) return requiredForMetadata(metadata, caller, target, lookup, metaKey)
  const known = requiredWithoutStore(capability, caller, target)
  if (known) return known
  // Names that WordPress knows come first: a type with the stem `user` does not change what `edit_user` means.
  const check = postCheckOf(capability) ?? postCheckOfType(capability, lookup.types)
  if (!check) return [capability]
  const post = await postOf(target, lookup)
  return post ? requiredForPost(check, caller, post, lookup) : ['do_not_allow']
}

/** Whether the caller has a capability over a target. Parameters as in {@link requiredCapabilities}. */
export async function userCan(
  caller: Caller,
  capability: string,
  target: unknown,
  lookup: CapabilityLookup,
  metaKey?: string,
): Promise<boolean> {
  return holdsAll(caller, await requiredCapabilities(nameOf(capability), caller, target, lookup, metaKey))
}

/** Whether the caller has a capability that is not about one record or user; one that is, is denied. */
export function callerCan(caller: Caller, capability: string): boolean {
  if (postCheckOf(capability) || metadataCheckOf(capability)) return false
  const name = nameOf(capability)
  return holdsAll(caller, requiredWithoutStore(name, caller, undefined) ?? [name])
}

/** `null` when the name means nothing but itself, or a capability over a record. */
function requiredWithoutStore(capability: string, caller: Caller, target: unknown): readonly string[] | null {
  return requiredForUser(capability, caller, target) ?? primitivesOf(capability)
}

function holdsAll(caller: Caller, required: readonly string[]): boolean {
  return required.every((capability) => capability !== 'do_not_allow' && caller.capabilities.has(capability))
}
