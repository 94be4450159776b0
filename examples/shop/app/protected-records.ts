import { currentUserCan, type RecordWith } from 'as-rest-route'

/** A record as the present caller may see it: what a password protects is for those who may edit the record. */
export async function shown<R extends RecordWith<'isProtected'>>(record: R): Promise<R> {
  if (!record.isProtected || (await currentUserCan('edit_post', record.id))) return record
  return { ...record, content: '', excerpt: 'There is no excerpt because this is a protected post.' }
}

/** Nearly every list has nothing to hide, and then costs nothing. */
export async function allShown<R extends RecordWith<'isProtected'>>(records: readonly R[]): Promise<readonly R[]> {
  return records.some(({ isProtected }) => isProtected) ? Promise.all(records.map(shown)) : records
}
