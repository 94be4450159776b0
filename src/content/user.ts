import type { Caller } from '../http/caller.js'
import { callerOf } from '../auth/capabilities.js'
import type { Roles } from '../auth/role.js'
import type { UserWithMeta } from '../database/storage.js'

/** A user of the service, with roles and capabilities. */
export interface User extends Caller {
  /** The slug of the user: `mia-miller`. */
  readonly nicename: string
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  readonly registered: string
}

/** The argument of `create`. An undefined field has its default. */
export interface NewUser {
  /** Letters, digits, spaces and `_.-@`; at most 60 characters. It cannot be changed. */
  readonly login: string
  readonly email: string
  /** White space at both ends is removed, as in WordPress. */
  readonly password: string
  /** Default `subscriber`; `null` for none. */
  readonly role?: string | null | undefined
  /** Default: the login. */
  readonly displayName?: string | undefined
  /** The id of the new user, for imports. Default: the next id of the table. */
  readonly id?: number | undefined
}

/** The argument of `update`. An undefined field does not change. */
export interface UserChange {
  readonly email?: string | undefined
  /** White space at both ends is removed, as in WordPress. */
  readonly password?: string | undefined
  readonly displayName?: string | undefined
  /** Replaces all roles of the user; `null` for none. Capabilities that the user has personally stay. */
  readonly role?: string | null | undefined
  /** Replaces all roles of the user by any number of roles. With it, `role` is ignored. */
  readonly roles?: readonly string[] | undefined
  /** The website of the user. */
  readonly url?: string | undefined
  /** The slug of the user in addresses, made unique with a number. An empty text: the slug of the login. */
  readonly nicename?: string | undefined
  readonly nickname?: string | undefined
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  /** The biographical text. */
  readonly description?: string | undefined
  /** `de_DE`; empty for the locale of the site. */
  readonly locale?: string | undefined
}

/** @param prefix the prefix of the tables. */
export function userOf(row: UserWithMeta, roles: Roles, prefix: string): User {
  return {
    ...callerOf(row, roles, prefix),
    nicename: row.user.user_nicename,
    registered: row.user.user_registered,
  }
}
