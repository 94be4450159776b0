import type { MetaEntry, Storage, UserRow } from '../database/storage.js'
import { metaValue } from '../database/meta-value.js'
import { toBoolean } from '../php/cast.js'
import { storedDescription, storedName } from '../sanitizers/user-texts.js'
import { storedDbVersion } from './site.js'

/** The metadata of every new user beside the nickname. WordPress's own pages read a missing value of these keys as false. */
export const shortProfile = [
  ['rich_editing', 'true'],
  ['syntax_highlighting', 'true'],
] as const

export type Profile = readonly (readonly [key: string, value: string])[]

const scrollingKey = 'infinite_scrolling'

function profileOf({ adminColor, hasScrolling }: { adminColor: string; hasScrolling: boolean }): Profile {
  return [
    ['first_name', ''],
    ['last_name', ''],
    ['description', ''],
    ...shortProfile,
    ...(hasScrolling ? ([[scrollingKey, 'true']] as const) : []),
    ['comment_shortcuts', 'false'],
    ['admin_color', adminColor],
    ['use_ssl', '0'],
    ['show_admin_bar_front', 'true'],
    ['locale', ''],
  ]
}

export const profileKeys: readonly string[] = [
  'nickname',
  ...profileOf({ adminColor: '', hasScrolling: true }).map(([key]) => key),
]

/** The `db_version` of WordPress 7.0, the first with another scheme of colours for new users. */
const firstWithModernColors = 61_833

/**
 * All metadata that the WordPress of these tables writes for a new user after the nickname, in its order.
 * @param storage outside of a transaction, in which the search for owners would lock their rows.
 */
export async function wholeProfile(storage: Pick<Storage, 'options' | 'users'>): Promise<Profile> {
  if ((await storedDbVersion(storage)) < firstWithModernColors)
    return profileOf({ adminColor: 'fresh', hasScrolling: false })
  // 7.1 has the db_version of 7.0. Only users of 7.1 have this preference.
  const ownersOf = (value: string) => storage.users.meta.ownersOf(scrollingKey, value, 1)
  const hasScrolling = (await ownersOf('true')).length > 0 || (await ownersOf('false')).length > 0
  return profileOf({ adminColor: 'modern', hasScrolling })
}

/**
 * The metadata that an update of a user writes on the tables of a WordPress: the changed texts, and each stored value that is
 * missing or not in the form that WordPress writes. WordPress writes the whole profile with each update.
 * @param stored the metadata under `profileKeys`.
 * @param profile that of a new user.
 */
export function wholeProfileOf(
  changed: ReadonlyMap<string, string>,
  { user_login }: UserRow,
  stored: readonly MetaEntry[],
  profile: Profile,
): ReadonlyMap<string, string> {
  const initial = [['nickname', storedName(user_login)], ...profile] as const
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
