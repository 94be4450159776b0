import { LRUCache } from 'lru-cache'
import { callerOf } from '../permission/capabilities.js'
import type { Caller } from '../permission/caller.js'
import type { Roles } from '../permission/role.js'
import type { MetaEntry, Storage, UserRow, UserWithMeta } from '../storage/storage.js'
import {
  applicationPasswordsKey,
  parseApplicationPasswords,
  type ApplicationPassword,
} from './application-passwords.js'
import { isEmailName, cleanName, loginSpellings } from './login-name.js'
import { parseSessions, sessionsKey, type StoredSessions } from './sessions.js'

/** A user with everything that deciding on his requests takes. */
export interface Account {
  readonly user: UserRow
  readonly caller: Caller
  readonly sessions: StoredSessions
  readonly applicationPasswords: readonly ApplicationPassword[]
}

/** How many users' parsed metadata are kept. */
const mostKept = 500

/**
 * Users as authentication sees them, read from the database each time in one round trip. What is parsed out of their
 * metadata is kept and used again while the stored text is the same, so nothing here can be out of date.
 */
export class Accounts {
  readonly #storage: Storage
  readonly #roles: Roles
  readonly #prefix: string
  /** The metadata that counts here, and no other: in the order of {@link Texts}. */
  readonly #metaKeys: readonly string[]
  readonly #kept = new LRUCache<number, { readonly from: Texts; readonly account: Account }>({ max: mostKept })

  /** @param prefix of the tables. */
  constructor(storage: Storage, roles: Roles, prefix = 'wp_') {
    this.#storage = storage
    this.#roles = roles
    this.#prefix = prefix
    this.#metaKeys = [`${prefix}capabilities`, sessionsKey, applicationPasswordsKey]
  }

  /** The account of a login as people spell it: blanks around it, tags and the like do not count. */
  async byLogin(name: string): Promise<Account | null> {
    for (const login of loginSpellings(name)) {
      const found = await this.#storage.users.findWithMeta({ login }, this.#metaKeys)
      if (found !== null) return this.#accountOf(found)
    }
    return null
  }

  /** The account of an e-mail address; null at once for what is none. */
  async byEmail(typed: string): Promise<Account | null> {
    if (!isEmailName(typed)) return null
    const found = await this.#storage.users.findWithMeta({ email: cleanName(typed) }, this.#metaKeys)
    return found === null ? null : this.#accountOf(found)
  }

  #accountOf(found: UserWithMeta): Account {
    const from = textsOf(found, this.#metaKeys)
    const kept = this.#kept.get(found.user.ID)
    if (kept !== undefined && sameTexts(kept.from, from)) return { ...kept.account, user: found.user }
    const account = {
      user: found.user,
      caller: callerOf(found, this.#roles, this.#prefix),
      sessions: parseSessions(from.sessions),
      applicationPasswords: parseApplicationPasswords(from.applicationPasswords),
    }
    this.#kept.set(found.user.ID, { from, account })
    return account
  }
}

/** Everything stored that the parsed parts of an account are made of. */
interface Texts {
  readonly login: string
  readonly displayName: string
  readonly email: string
  readonly capabilities: string | null
  readonly sessions: string | null
  readonly applicationPasswords: string | null
}

function textsOf({ user, meta }: UserWithMeta, metaKeys: readonly string[]): Texts {
  const [capabilities = null, sessions = null, applicationPasswords = null] = metaKeys.map((key) => valueOf(meta, key))
  return {
    login: user.user_login,
    displayName: user.display_name,
    email: user.user_email,
    capabilities,
    sessions,
    applicationPasswords,
  }
}

/** Keys compare without case; they mostly come back as they were asked for. */
function valueOf(meta: readonly MetaEntry[], key: string): string | null {
  const found =
    meta.find((entry) => entry.key === key) ?? meta.find((entry) => entry.key.toLowerCase() === key.toLowerCase())
  return found?.value ?? null
}

function sameTexts(one: Texts, other: Texts): boolean {
  return (
    one.capabilities === other.capabilities &&
    one.sessions === other.sessions &&
    one.applicationPasswords === other.applicationPasswords &&
    one.login === other.login &&
    one.displayName === other.displayName &&
    one.email === other.email
  )
}
