import type { Caller } from '../http/caller.js'
import type { CapabilityLookup, PostFacts, RecordTypeLookup } from './capability-lookup.js'
import { statusToRead } from './status-to-read.js'
import { idOf } from './targets.js'

/** The checks about one record. */
export type PostCheck = 'edit_post' | 'delete_post' | 'read_post' | 'publish_post'

/** A capability over one record of any type, by its name. */
export type PostCapability = PostCheck | `${'edit' | 'delete' | 'read'}_page`

const unknownType = ['edit_others_posts']

const checkOf: Readonly<Record<PostCapability, PostCheck>> = {
  edit_post: 'edit_post',
  edit_page: 'edit_post',
  delete_post: 'delete_post',
  delete_page: 'delete_post',
  read_post: 'read_post',
  read_page: 'read_post',
  publish_post: 'publish_post',
}
const checks = new Map<string, PostCheck>(Object.entries(checkOf))

/** The check of a capability: `edit_post` and `edit_page` have the same check for a record of any type. */
export function postCheckOf(capability: string): PostCheck | null {
  return checks.get(capability) ?? null
}

/** As `edit_post`: `edit_book`, when a type with that stem has its capabilities mapped. */
export function postCheckOfType(capability: string, types: RecordTypeLookup): PostCheck | null {
  for (const type of types.all())
    if (type.map_meta_cap)
      for (const action of ['edit', 'delete', 'read'] as const)
        if (capability === `${action}_${type.capability_type}`) return `${action}_post`
  return null
}

/** The record of a target; `null` when there is none. */
export async function postOf(target: unknown, lookup: CapabilityLookup): Promise<PostFacts | null> {
  const id = idOf(target)
  return id > 0 ? lookup.post(id) : null
}

/** The primitive capabilities that a check of this record requires. Source: recorded `caps-posts`. */
export async function requiredForPost(
  check: PostCheck,
  caller: Caller,
  post: PostFacts,
  lookup: CapabilityLookup,
): Promise<readonly string[]> {
  if (check === 'publish_post') return requiredToPublish(post, lookup)
  if (post.post_type !== 'revision') return requiredForRecord(check, caller, post, lookup)
  // A revision is read and edited as the record it belongs to, and never deleted on its own.
  const original = check === 'delete_post' ? null : await lookup.post(post.post_parent)
  return original ? requiredForRecord(check, caller, original, lookup) : ['do_not_allow']
}

function requiredToPublish(post: PostFacts, lookup: CapabilityLookup): readonly string[] {
  const type = lookup.types.get(post.post_type)
  return type ? [`publish_${type.capability_type}s`] : unknownType
}

async function requiredForRecord(
  check: Exclude<PostCheck, 'publish_post'>,
  caller: Caller,
  post: PostFacts,
  lookup: CapabilityLookup,
): Promise<readonly string[]> {
  // Only pages can have a special use, such as the front page, so other types need no query.
  const special = post.post_type === 'page' && check !== 'read_post' ? await lookup.specialPages() : null
  if (check === 'delete_post' && (post.ID === special?.frontPage || post.ID === special?.postsPage))
    return ['manage_options']
  const type = lookup.types.get(post.post_type)
  if (!type) return unknownType
  const stem = type.capability_type
  const action = check === 'delete_post' ? 'delete' : 'edit'
  if (!type.map_meta_cap) return [check === 'read_post' ? `read_${stem}` : `${action}_${stem}`]
  if (check === 'read_post')
    return (await requiredToRead(stem, caller, post, lookup)) ?? requiredForPost('edit_post', caller, post, lookup)
  const required = isAuthor(caller, post)
    ? await requiredOfAuthor(action, stem, post, lookup)
    : requiredOfOthers(action, stem, post)
  return post.ID === special?.privacyPage ? [...required, 'manage_options'] : required
}

/** `null` when reading requires permission to edit the record. */
async function requiredToRead(
  stem: string,
  caller: Caller,
  post: PostFacts,
  lookup: CapabilityLookup,
): Promise<readonly string[] | null> {
  const status = await statusToRead(post, lookup)
  if (status === null) return ['edit_others_posts']
  if (status === 'publish' || isAuthor(caller, post)) return ['read']
  return status === 'private' ? [`read_private_${stem}s`] : null
}

async function requiredOfAuthor(
  action: 'edit' | 'delete',
  stem: string,
  post: PostFacts,
  lookup: CapabilityLookup,
): Promise<readonly string[]> {
  const status = post.post_status === 'trash' ? await lookup.statusBeforeTrash(post.ID) : post.post_status
  return [isPublished(status) ? `${action}_published_${stem}s` : `${action}_${stem}s`]
}

/** A record in the trash counts with its current status for other users, not for its author. */
function requiredOfOthers(action: 'edit' | 'delete', stem: string, post: PostFacts): readonly string[] {
  const others = `${action}_others_${stem}s`
  if (isPublished(post.post_status)) return [others, `${action}_published_${stem}s`]
  return post.post_status === 'private' ? [others, `${action}_private_${stem}s`] : [others]
}

const isAuthor = (caller: Caller, post: PostFacts): boolean => caller.id !== 0 && caller.id === post.post_author
const isPublished = (status: string): boolean => status === 'publish' || status === 'future'
