import type { CapabilityLookup, PostFacts } from './capability-lookup.js'

const wordpressStatuses = new Set(
  ['publish', 'future', 'draft', 'pending', 'private', 'trash', 'auto-draft', 'inherit'].concat(
    ['pending', 'confirmed', 'failed', 'completed'].map((step) => `request-${step}`),
  ),
)

/**
 * The status that decides who may read a record: its own, or for an attachment that of its parent record.
 * @returns `null` for a status that WordPress does not register.
 */
export async function statusToRead(post: PostFacts, lookup: CapabilityLookup): Promise<string | null> {
  const status = post.post_type === 'attachment' ? await statusOfAttachment(post, lookup) : post.post_status
  return wordpressStatuses.has(status) ? status : null
}

/** Statuses that an attachment has independently of its parent. */
const independentStatuses = new Set(['private', 'trash', 'auto-draft'])

/** An attachment without a parent counts as published. */
async function statusOfAttachment(post: PostFacts, lookup: CapabilityLookup): Promise<string> {
  if (independentStatuses.has(post.post_status)) return post.post_status
  const parentId = post.post_status === 'inherit' && post.post_parent !== post.ID ? post.post_parent : 0
  const parent = parentId > 0 ? await lookup.post(parentId) : null
  if (!parent) return 'publish'
  // Attachments are not nested in practice. The status of a parent that is an attachment is read from its own row.
  if (parent.post_status !== 'trash') return parent.post_status === 'inherit' ? 'publish' : parent.post_status
  return (await lookup.statusBeforeTrash(parent.ID)) || 'publish'
}
