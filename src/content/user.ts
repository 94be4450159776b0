import type { Caller } from '../http/caller.js'
import { callerOf } from '../auth/capabilities.js'
import type { Roles } from '../auth/role.js'
import type { UserWithMeta } from '../database/storage.js'

/** A user of the service, with what he may do; also the caller he would be. */
export interface User extends Caller {
  /** The name in addresses: `mia-miller`. */
  readonly nicename: string
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  readonly registered: string
}

/** What `create` takes; undefined is as good as left out. */
export interface NewUser {
  /** Letters, digits, spaces and `_.-@`; at most 60 characters. Kept for good. */
  readonly login: string
  readonly email: string
  /** Trimmed, as WordPress does. */
  readonly password: string
  /** Default `subscriber`; `null` for none. */
  readonly role?: string | null | undefined
  /** Default: the login. */
  readonly displayName?: string | undefined
  /** A known id to keep, for imports. */
  readonly id?: number | undefined
}

/** What `update` changes; what is left out, or undefined, stays. */
export interface UserChange {
  readonly email?: string | undefined
  /** Trimmed, as WordPress does. */
  readonly password?: string | undefined
  readonly displayName?: string | undefined
  /** Instead of those he has; `null` for none. Personal grants stay. */
  readonly role?: string | null | undefined
}

/** @param prefix of the tables, as in `callerOf`. */
export function userOf(stored: UserWithMeta, roles: Roles, prefix: string): User {
  return {
    ...callerOf(stored, roles, prefix),
    nicename: stored.user.user_nicename,
    registered: stored.user.user_registered,
  }
}
