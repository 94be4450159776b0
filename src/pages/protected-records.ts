import type { SignedInVisitor } from '../authentication/authenticator.js'
import type { StoredRecord } from '../records/record.js'
import type { PageParts } from './page-parts.js'

/** A password is asked of readers, but not of those who may edit the record anyway. */
export async function asksForPassword(
  { ID, post_password }: { readonly ID: number; readonly post_password: string },
  { contextOf }: PageParts,
  visitor: SignedInVisitor | null,
): Promise<boolean> {
  if (post_password === '') return false
  return visitor === null || !(await contextOf(visitor.account.caller).can('edit_post', ID))
}

/** A record as it is shown to those who have not given its password. */
export function withoutContent(record: StoredRecord): StoredRecord {
  return { ...record, content: '', excerpt: '' }
}

/** Records as they are shown in lists to this visitor. */
export async function shownInLists(
  records: readonly StoredRecord[],
  parts: PageParts,
  visitor: SignedInVisitor | null,
): Promise<readonly StoredRecord[]> {
  const rows = await parts.storage.posts.findWithMeta(records.map(({ id }) => id))
  const hidden = new Set<number>()
  for (const { post } of rows) if (await asksForPassword(post, parts, visitor)) hidden.add(post.ID)
  return records.map((record) => (hidden.has(record.id) ? withoutContent(record) : record))
}
