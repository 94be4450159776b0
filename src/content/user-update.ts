import { isLonger } from '../php/text-length.js'
import { toBoolean } from '../php/cast.js'
import { sanitizeTitle } from '../sanitizers/title.js'
import { storedDescription, storedName, storedUserUrl } from '../sanitizers/user-texts.js'
import { sanitizeUser } from '../sanitizers/user.js'
import { lockName, withoutNumber } from '../database/lock-name.js'
import type { MetaEntry, Storage, UserRow } from '../database/storage.js'
import { maxNicenameLength, nicenameOf, requireNicename, uniqueNicename } from './nicename.js'
import type { UserChange } from './user.js'
import { wholeProfileOf, type Profile } from './user-profile.js'
import { UserRejectedError } from './user-rejected-error.js'

/** The key of the metadata that stores a member of a {@link UserChange}. */
const metaKeys = {
  nickname: 'nickname',
  firstName: 'first_name',
  lastName: 'last_name',
  description: 'description',
  locale: 'locale',
} as const satisfies Partial<Record<keyof UserChange, string>>

type TextName = 'displayName' | 'nickname' | 'firstName' | 'lastName' | 'url' | 'description'

/** The change with each text as WordPress stores it, without scripts. A text that PHP takes for empty, `0` included, is empty. */
export function storedChange(change: UserChange): UserChange {
  const text = (name: TextName, stored: (text: string) => string): UserChange => {
    const value = change[name]
    return value === undefined ? {} : { [name]: toBoolean(value) ? stored(value) : '' }
  }
  return {
    ...change,
    ...text('displayName', storedName),
    ...text('nickname', storedName),
    ...text('firstName', storedName),
    ...text('lastName', storedName),
    ...text('url', storedUserUrl),
    ...text('description', storedDescription),
  }
}

/** The login name for each of the two names that a change empties, as WordPress stores it in their place. */
export function namesInPlaceOfEmpty(change: UserChange, login: string): Pick<UserChange, 'displayName' | 'nickname'> {
  const { displayName, nickname } = change
  return {
    ...(displayName !== undefined && !toBoolean(displayName) && { displayName: storedName(login) }),
    ...(nickname !== undefined && !toBoolean(nickname) && { nickname: storedName(login) }),
  }
}

const isNoText: ReadonlySet<string> = new Set(['password', 'role', 'roles'])

export function changesTexts(change: UserChange): boolean {
  return Object.entries(change).some(([name, value]) => value !== undefined && !isNoText.has(name))
}

/** With each update, WordPress gives a user who has no display name the login for one. */
export function missingDisplayName(user: UserRow, change: UserChange): Pick<UserChange, 'displayName'> {
  return user.display_name === '' && change.displayName === undefined
    ? { displayName: storedName(user.user_login) }
    : {}
}

/**
 * Writes the changed columns and metadata of a user, all but password and roles.
 * @param unnamed see `nicenameOf`.
 * @param whole where the whole profile is written: the metadata under `profileKeys`, and the profile of a new user; else null.
 * @throws UserRejectedError
 */
export async function writeUserTexts(
  storage: Storage,
  user: UserRow,
  change: UserChange,
  unnamed: '' | 'user',
  whole: { readonly stored: readonly MetaEntry[]; readonly profile: Profile } | null,
): Promise<void> {
  const { email, displayName, url, nicename } = change
  if (email !== undefined && ((await storage.users.find({ email }))?.ID ?? user.ID) !== user.ID)
    throw new UserRejectedError('existing_user_email')
  await storage.users.update(user.ID, {
    // A link for a new password that was sent to the former address must not work any more.
    ...(email !== undefined && email !== user.user_email && { user_email: email, user_activation_key: '' }),
    ...(displayName !== undefined && { display_name: displayName }),
    ...(url !== undefined && { user_url: url }),
    ...(nicename !== undefined && { user_nicename: await newNicename(nicename, user, storage, unnamed) }),
  })
  const texts = new Map(
    Object.entries(metaKeys).flatMap(([member, key]) => {
      const text = change[member as keyof typeof metaKeys]
      return text === undefined ? [] : [[key, text] as const]
    }),
  )
  const written = whole === null ? texts : wholeProfileOf(texts, user, whole.stored, whole.profile)
  for (const [key, text] of written) await storage.users.meta.write(user.ID, key, text)
}

async function newNicename(nicename: string, user: UserRow, storage: Storage, unnamed: '' | 'user'): Promise<string> {
  const slug = nicename === '' ? nicenameOf(user.user_login, unnamed) : requestedNicename(nicename)
  await requireNicename(slug, storage)
  await storage.lock([lockName('nicename', withoutNumber(slug))])
  return uniqueNicename(slug, storage, user.ID)
}

function requestedNicename(nicename: string): string {
  const slug = sanitizeTitle(sanitizeUser(nicename, true))
  if (slug === '') throw new UserRejectedError('empty_user_nicename')
  if (isLonger(slug, maxNicenameLength)) throw new UserRejectedError('user_nicename_too_long')
  return slug
}
