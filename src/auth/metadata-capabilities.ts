import { bytesOf } from '../php/bytes.js'
import type { Caller } from '../http/caller.js'
import type { CapabilityLookup } from './capability-lookup.js'
import { postOf, requiredForPost } from './post-capabilities.js'
import { idOf } from './targets.js'
import { requiredForUser } from './user-capabilities.js'

/** A capability over one metadata key of a record or user. */
export type MetadataCapability = `${'add' | 'edit' | 'delete'}_${'post' | 'user'}_meta`

/** A capability over metadata, and the kind of object that the metadata belongs to. */
export interface MetadataCheck {
  readonly capability: string
  readonly object: 'post' | 'user'
}

const pattern = /^(?:add|edit|delete)_(post|user)_meta$/

export const metadataCapabilities: readonly MetadataCapability[] = (['post', 'user'] as const).flatMap((object) =>
  (['add', 'edit', 'delete'] as const).map((action) => `${action}_${object}_meta` as const),
)

export function metadataCheckOf(capability: string): MetadataCheck | null {
  const object = pattern.exec(capability)?.[1]
  return object === 'post' || object === 'user' ? { capability, object } : null
}

/**
 * The primitive capabilities that writing or removing metadata needs: those for editing the object, and for a protected
 * key also the capability itself, which no role has. A key that begins with `_` is protected unless its registration
 * allows writing it. See conformance/recorded/vectors/caps-meta.json.
 *
 * @param key the metadata key. Without it, the check is about keys that are not protected.
 */
export async function requiredForMetadata(
  { capability, object }: MetadataCheck,
  caller: Caller,
  target: unknown,
  lookup: CapabilityLookup,
  key?: string,
): Promise<readonly string[]> {
  const editing =
    object === 'post' ? await editingPost(caller, target, lookup) : await editingUser(caller, target, lookup)
  if (!editing) return ['do_not_allow']
  if (key === undefined || isWritable(editing.type, key, lookup)) return editing.required
  return [...editing.required, capability]
}

/** The type of the object and the capabilities for editing it; `null` when there is no such object. */
type EditingRequirement = Promise<{ readonly type: string; readonly required: readonly string[] } | null>

async function editingPost(caller: Caller, target: unknown, lookup: CapabilityLookup): EditingRequirement {
  const post = await postOf(target, lookup)
  return post && { type: post.post_type, required: await requiredForPost('edit_post', caller, post, lookup) }
}

async function editingUser(caller: Caller, target: unknown, lookup: CapabilityLookup): EditingRequirement {
  const id = idOf(target)
  if (id === 0 || !(await lookup.userExists(id))) return null
  return { type: 'user', required: requiredForUser('edit_user', caller, id) ?? [] }
}

function isWritable(type: string, key: string, lookup: CapabilityLookup): boolean {
  return lookup.metadataAllowed?.(type, key) ?? !isProtected(key)
}

/**
 * Whether a key begins with `_`. WordPress first removes bytes that are neither printable ASCII nor letters in Latin-1.
 */
function isProtected(key: string): boolean {
  return bytesOf(key)
    .replace(/[^\x20-\x7e\p{L}]/gu, '')
    .startsWith('_')
}
