import type { Caller } from '../http/caller.js'
import type { CapabilityLookup } from './capability-lookup.js'
import { metadataCheckOf, requiredForMetadata } from './metadata-capabilities.js'
import { postCheckOf, postCheckOfType, postOf, requiredForPost } from './post-capabilities.js'
import { nameOf, primitivesOf } from './primitives.js'
import { requiredForUser } from './user-capabilities.js'

/**
 * The primitive capabilities that a check needs. The caller needs all of them: `edit_post` on another user's published
 * record needs `edit_others_posts` and `edit_published_posts`. An empty list allows every caller, `['do_not_allow']`
 * denies every caller.
 * Rules: docs/wire.md#meta-capabilities.
 *
 * @param target id of the record or user (a number or numeric text), or an object with an `id`. Capabilities without a
 *   target ignore it. The others are denied for a missing or invalid target.
 * @param metaKey the metadata key, for `edit_post_meta` and the other capabilities over metadata.
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
  const required = requiredWithoutLookup(capability, caller, target)
  if (required) return required
  // WordPress's own capabilities take precedence: a record type with the stem `user` does not redefine `edit_user`.
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

/** Whether the caller has a capability without a target. Capabilities over one record or its metadata are denied. */
export function callerCan(caller: Caller, capability: string): boolean {
  if (postCheckOf(capability) || metadataCheckOf(capability)) return false
  const name = nameOf(capability)
  return holdsAll(caller, requiredWithoutLookup(name, caller, undefined) ?? [name])
}

/** The primitive capabilities for a check that needs no lookup; `null` for a primitive capability and one over a record. */
function requiredWithoutLookup(capability: string, caller: Caller, target: unknown): readonly string[] | null {
  return requiredForUser(capability, caller, target) ?? primitivesOf(capability)
}

function holdsAll(caller: Caller, required: readonly string[]): boolean {
  return required.every((capability) => capability !== 'do_not_allow' && caller.capabilities.has(capability))
}
