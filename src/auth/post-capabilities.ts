import type { Caller } from '../http/caller.js'
import type { CapabilityLookup, PostFacts, RecordTypeLookup } from './capability-lookup.js'
import { statusToRead } from './status-to-read.js'
import { idOf } from './targets.js'

/** The checks of one record. */
export type PostCheck = 'edit_post' | 'delete_post' | 'read_post' | 'publish_post'

/** The capabilities over one record of any type. */
export type PostCapability = PostCheck | `${'edit' | 'delete' | 'read'}_page`

const requiredForUnknownType = ['edit_others_posts']

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
export const postCapabilities: readonly string[] = [...checks.keys()]

/** The check for a capability. `edit_post` and `edit_page` are the same check, for records of any type. */
export function postCheckOf(capability: string): PostCheck | null {
  return checks.get(capability) ?? null
}

/**
 * The check for a capability of a record type: `edit_book` is `edit_post` where a type has the `capability_type` `book`, and
 * `map_meta_cap`.
 */
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

/**
 * The primitive capabilities that a check of this record needs. See conformance/recorded/vectors/caps-posts.json.
 */
export async function requiredForPost(
  check: PostCheck,
  caller: Caller,
  post: PostFacts,
  lookup: CapabilityLookup,
): Promise<readonly string[]> {
  if (check === 'publish_post') return requiredToPublish(post, lookup)
  if (post.post_type !== 'revision') return requiredForRecord(check, caller, post, lookup)
  // A revision is read and edited with the capabilities for its parent record. It cannot be deleted on its own.
  const parent = check === 'delete_post' ? null : await lookup.post(post.post_parent)
  return parent ? requiredForRecord(check, caller, parent, lookup) : ['do_not_allow']
}

function requiredToPublish(post: PostFacts, lookup: CapabilityLookup): readonly string[] {
  const type = lookup.types.get(post.post_type)
  return type ? [`publish_${type.capability_type}s`] : requiredForUnknownType
}

async function requiredForRecord(
  check: Exclude<PostCheck, 'publish_post'>,
  caller: Caller,
  post: PostFacts,
  lookup: CapabilityLookup,
): Promise<readonly string[]> {
  // Only a page can be a special page. Checks of other records save the query.
  const specialPages = post.post_type === 'page' && check !== 'read_post' ? await lookup.specialPages() : null
  if (check === 'delete_post' && (post.ID === specialPages?.frontPage || post.ID === specialPages?.postsPage))
    return ['manage_options']
  const type = lookup.types.get(post.post_type)
  if (!type) return requiredForUnknownType
  const stem = type.capability_type
  const action = check === 'delete_post' ? 'delete' : 'edit'
  if (!type.map_meta_cap) return [check === 'read_post' ? `read_${stem}` : `${action}_${stem}`]
  if (check === 'read_post')
    return (await requiredToRead(stem, caller, post, lookup)) ?? requiredForPost('edit_post', caller, post, lookup)
  const required = isAuthor(caller, post)
    ? await requiredOfAuthor(action, stem, post, lookup)
    : requiredOfOthers(action, stem, post)
  return post.ID === specialPages?.privacyPage ? [...required, 'manage_options'] : required
}

/** `null` when reading the record needs the capabilities for editing it. */
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

/**
 * For another user's record in the trash, the status before the trash does not count, unlike for the author's own
 * record.
 */
function requiredOfOthers(action: 'edit' | 'delete', stem: string, post: PostFacts): readonly string[] {
  const others = `${action}_others_${stem}s`
  if (isPublished(post.post_status)) return [others, `${action}_published_${stem}s`]
  return post.post_status === 'private' ? [others, `${action}_private_${stem}s`] : [others]
}

const isAuthor = (caller: Caller, post: PostFacts): boolean => caller.id !== 0 && caller.id === post.post_author
const isPublished = (status: string): boolean => status === 'publish' || status === 'future'
