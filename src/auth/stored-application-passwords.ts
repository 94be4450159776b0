import type { Storage } from '../database/storage.js'
import { arrayOf, entriesOf, isIntegerKey } from '../php/array-shape.js'
import { numberIn, serialize, SerializedFragment, unserializeForChange } from '../php/serialize.js'
import { changeMetadata, type Change } from './change-metadata.js'

/** An application password as it is stored. The stored keys have this order. Times are unix seconds. */
export interface ApplicationPassword {
  readonly uuid: string
  /** UUID of the application, or `''`. */
  readonly app_id: string
  readonly name: string
  /** The hash: `$generic$…`, or an older kind in a database of an old WordPress. */
  readonly password: string
  readonly created: number
  readonly last_used: number | null
  readonly last_ip: string | null
  /** The scopes, as `create` takes them. Absent: everything is allowed. A value that is not a list of scopes allows nothing. */
  readonly scopes?: unknown
  /** From this time on the password is refused. Absent or null: it does not expire. */
  readonly expires?: number | null
}

/** The key of the user metadata that holds the list. */
export const applicationPasswordsKey = '_application_passwords'

/** The application passwords in the text of a metadata row. Empty for a damaged text. */
export function parseApplicationPasswords(text: string | null): readonly ApplicationPassword[] {
  // In WordPress, deleting a password leaves a gap in the keys, so that the list becomes a map.
  return storedEntries(text).flatMap(([, entry]) => applicationPasswordIn(entry) ?? [])
}

export type ListChange<Result> = (list: readonly ApplicationPassword[]) => {
  readonly list: readonly ApplicationPassword[]
  readonly result: Result
}

/** Changes the list of a user. Concurrent changes, also of other processes, do not overwrite each other. */
export function changeList<Result>({ users }: Storage, userId: number, change: ListChange<Result>): Promise<Result> {
  return changeMetadata(users.meta, userId, applicationPasswordsKey, (text): Change<Result> => {
    const currentList = parseApplicationPasswords(text)
    const { list, result } = change(currentList)
    const isUnchanged = list.length === currentList.length && list.every((item, index) => item === currentList[index])
    return isUnchanged ? { result } : { value: serialize(withStoredEntries(list, text)), result }
  })
}

/**
 * Deletes the list of a user, with the entries that are not understood: PHP accepts the passwords of some of them.
 * @returns how many passwords it had.
 */
export function deleteList({ users }: Storage, userId: number): Promise<number> {
  return changeMetadata(users.meta, userId, applicationPasswordsKey, (text): Change<number> => {
    const result = parseApplicationPasswords(text).length
    return storedEntries(text).length === 0 ? { result } : { value: serialize([]), result }
  })
}

/**
 * The list with the keys that its entries have in the stored text, and following ones for new entries: as in PHP, the key of
 * a deleted entry is not used again while a later one exists. Entries that `applicationPasswordIn` does not understand stay
 * where they are: PHP adds the missing UUID to an entry, and accepts its password.
 */
function withStoredEntries(list: readonly ApplicationPassword[], text: string | null): object {
  const stored = storedEntries(text)
  const remaining = [...list]
  const storedAgain = stored.flatMap(([key, entry]): (readonly [string, unknown])[] => {
    const item = applicationPasswordIn(entry)
    if (item === null) return [[key, entry]]
    const index = remaining.findIndex(({ uuid }) => uuid === item.uuid)
    return index === -1 ? [] : remaining.splice(index, 1).map((current) => [key, current])
  })
  const keys = stored.filter(([key]) => isIntegerKey(key)).map(([key]) => Number(key))
  const next = Math.max(-1, ...keys) + 1
  return arrayOf([...storedAgain, ...remaining.map((item, index) => [String(next + index), item] as const)])
}

/** The entries of the list in the text of a metadata row, also those that are not understood. None for an object, as in WordPress. */
function storedEntries(text: string | null): readonly (readonly [string, unknown])[] {
  const list = text === null ? undefined : unserializeForChange(text)
  return typeof list === 'object' && list !== null && !(list instanceof SerializedFragment) ? entriesOf(list) : []
}

function applicationPasswordIn(entry: unknown): ApplicationPassword | null {
  if (typeof entry !== 'object' || entry === null) return null
  const { uuid, app_id, name, password, created, last_used, last_ip, expires, ...others } = entry as Record<
    string,
    unknown
  >
  if (typeof uuid !== 'string' || typeof password !== 'string') return null
  return {
    uuid,
    app_id: typeof app_id === 'string' ? app_id : '',
    name: typeof name === 'string' ? name : '',
    password,
    created: numberIn(created) ?? 0,
    last_used: numberIn(last_used),
    last_ip: typeof last_ip === 'string' ? last_ip : null,
    // A password with an unreadable expiry has expired.
    ...(expires !== undefined && { expires: numberIn(expires) ?? 0 }),
    // Fields of plugins are preserved.
    ...others,
  }
}
