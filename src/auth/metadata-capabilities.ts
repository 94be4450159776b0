import { bytesOf } from '../php/bytes.js'
import type { Caller } from '../http/caller.js'
import type { CapabilityLookup } from './capability-lookup.js'
import { postOf, requiredForPost } from './post-capabilities.js'
import { idOf } from './targets.js'
import { requiredForUser } from './user-capabilities.js'

/** A capability over one metadata key of a record or user. */
export type MetadataCapability = `${'add' | 'edit' | 'delete'}_${'post' | 'user'}_meta`

/** `edit_post_meta`: metadata with a key, on a record or a user. */
export interface MetadataCheck {
  readonly capability: string
  readonly object: 'post' | 'user'
}

const pattern = /^(?:add|edit|delete)_(post|user)_meta$/

export function metadataCheckOf(capability: string): MetadataCheck | null {
  const object = pattern.exec(capability)?.[1]
  return object === 'post' || object === 'user' ? { capability, object } : null
}

/**
 * The capabilities for writing or removing metadata: those for editing the object, and for a protected key the capability
 * itself, which no role has. Keys that begin with `_` are protected unless they are registered otherwise.
 * Source: recorded `caps-meta`.
 *
 * @param key left out: the question is not about one key.
 */
export async function requiredForMetadata(
  { capability, object }: MetadataCheck,
  caller: Caller,
  target: unknown,
  lookup: CapabilityLookup,
  key?: string,
): Promise<readonly string[]> {
  const found =
    object === 'post' ? await editingPost(caller, target, lookup) : await editingUser(caller, target, lookup)
  if (!found) return ['do_not_allow']
  if (key === undefined || isOpen(found.type, key, lookup)) return found.required
  return [...found.required, capability]
}

/** The kind of object and what editing it needs; `null` when there is no such object. */
type Editing = Promise<{ readonly type: string; readonly required: readonly string[] } | null>

async function editingPost(caller: Caller, target: unknown, lookup: CapabilityLookup): Editing {
  const post = await postOf(target, lookup)
  return post && { type: post.post_type, required: await requiredForPost('edit_post', caller, post, lookup) }
}

async function editingUser(caller: Caller, target: unknown, lookup: CapabilityLookup): Editing {
  const id = idOf(target)
  if (id === 0 || !(await lookup.userExists(id))) return null
  return { type: 'user', required: requiredForUser('edit_user', caller, id) ?? [] }
}

function isOpen(type: string, key: string, lookup: CapabilityLookup): boolean {
  return lookup.metadataAllowed?.(type, key) ?? !isProtected(key)
}

/** Whether a key begins with `_`, perhaps after bytes that WordPress leaves out: those that are no letters in Latin-1. */
function isProtected(key: string): boolean {
  return bytesOf(key)
    .replace(/[^\x20-\x7e\p{L}]/gu, '')
    .startsWith('_')
}
