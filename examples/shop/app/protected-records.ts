import { currentUserCan, type StoredRecord } from 'as-rest-route'

/** A record as the present caller may see it: what a password protects is for those who may edit the record. */
export async function shown(record: StoredRecord): Promise<StoredRecord> {
  if (!record.isProtected || (await currentUserCan('edit_post', record.id))) return record
  return { ...record, content: '', excerpt: 'There is no excerpt because this is a protected post.' }
}

/** Nearly every list has nothing to hide, and then costs nothing. */
export async function allShown(records: readonly StoredRecord[]): Promise<readonly StoredRecord[]> {
  return records.some(({ isProtected }) => isProtected) ? Promise.all(records.map(shown)) : records
}
