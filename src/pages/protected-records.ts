import type { SignedInVisitor } from '../auth/authenticator.js'
import type { StoredRecord } from '../content/record.js'
import type { PageDependencies } from './page-parts.js'

/** A password is asked of readers, but not of those who may edit the record anyway. */
export async function asksForPassword(
  { id, isProtected }: StoredRecord,
  { contextOf }: PageDependencies,
  visitor: SignedInVisitor | null,
): Promise<boolean> {
  if (!isProtected) return false
  return visitor === null || !(await contextOf(visitor.account.caller).can('edit_post', id))
}

/** A record as it is shown to those who have not given its password; the sentence is WordPress's. */
export function withoutContent(record: StoredRecord): StoredRecord {
  return { ...record, content: '', excerpt: 'There is no excerpt because this is a protected post.' }
}

/** Records as they are shown in lists to this visitor. */
export async function shownInLists(
  records: readonly StoredRecord[],
  parts: PageDependencies,
  visitor: SignedInVisitor | null,
): Promise<readonly StoredRecord[]> {
  const shown = records.map(async (record) =>
    (await asksForPassword(record, parts, visitor)) ? withoutContent(record) : record,
  )
  return Promise.all(shown)
}
