import type { MetaEntry, UserRow } from '../database/storage.js'
import { metaValue } from '../database/meta-value.js'
import { toBoolean } from '../php/cast.js'
import { storedDescription, storedName } from '../sanitizers/user-texts.js'

/** WordPress's own pages read a missing value of these two keys as false. */
export const shortProfile = [
  ['rich_editing', 'true'],
  ['syntax_highlighting', 'true'],
] as const

/** The metadata of a new user behind the nickname, in WordPress's order. */
export const wholeProfile = [
  ['first_name', ''],
  ['last_name', ''],
  ['description', ''],
  ...shortProfile,
  ['comment_shortcuts', 'false'],
  ['admin_color', 'fresh'],
  ['use_ssl', '0'],
  ['show_admin_bar_front', 'true'],
  ['locale', ''],
] as const

export const profileKeys: readonly string[] = ['nickname', ...wholeProfile.map(([key]) => key)]

/**
 * The metadata that an update of a user writes in a WordPress: the changed texts, and what is missing or in another form than WordPress
 * writes, since it writes all of the profile with each update.
 * @param stored the metadata under `profileKeys`.
 */
export function wholeProfileOf(
  changed: ReadonlyMap<string, string>,
  { user_login }: UserRow,
  stored: readonly MetaEntry[],
): ReadonlyMap<string, string> {
  const initial = [['nickname', storedName(user_login)], ...wholeProfile] as const
  return new Map(
    initial.flatMap(([key, value]) => {
      const former = metaValue(stored, key)
      const text = changed.get(key) ?? (isEmpty(key, former) ? value : formOf(key, former ?? ''))
      return text === former ? [] : [[key, text] as const]
    }),
  )
}

function isEmpty(key: string, former: string | null): boolean {
  return key === 'locale' ? former === null : !toBoolean(former ?? '')
}

/** The form in which WordPress writes a value that is not empty. */
function formOf(key: string, text: string): string {
  switch (key) {
    case 'nickname':
    case 'first_name':
    case 'last_name':
      return storedName(text)
    case 'description':
      return storedDescription(text)
    case 'comment_shortcuts':
      return text === 'false' ? 'false' : 'true'
    case 'admin_color':
      return text.replace(/[^a-z0-9 _.\-@]/gi, '')
    case 'use_ssl':
      return '1'
    default:
      return text
  }
}
