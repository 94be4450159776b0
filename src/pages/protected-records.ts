import type { SignedInVisitor } from '../auth/authenticator.js'
import type { StoredRecord } from '../content/record.js'
import type { PageAuthentication } from './page-dependencies.js'

/** Whether a visitor needs the password of a record. A user who may edit the record does not. */
export async function requiresPassword(
  { id, isProtected }: StoredRecord,
  { contextOf }: PageAuthentication,
  visitor: SignedInVisitor | null,
): Promise<boolean> {
  if (!isProtected) return false
  return visitor === null || !(await contextOf(visitor.account.caller).can('edit_post', id))
}

/** The record as a visitor without its password sees it. The excerpt is WordPress's sentence. */
export function withoutContent<R extends StoredRecord>(record: R): R {
  return { ...record, content: '', excerpt: 'There is no excerpt because this is a protected post.' }
}

/** The records of a list as this visitor sees them: without content where a password is required. */
export async function recordsForLists<R extends StoredRecord>(
  records: readonly R[],
  authentication: PageAuthentication,
  visitor: SignedInVisitor | null,
): Promise<readonly R[]> {
  return Promise.all(
    records.map(async (record) =>
      (await requiresPassword(record, authentication, visitor)) ? withoutContent(record) : record,
    ),
  )
}
