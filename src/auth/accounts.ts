import { LRUCache } from 'lru-cache'
import { callerOf } from './capabilities.js'
import type { Caller } from '../http/caller.js'
import type { Roles } from './role.js'
import type { StoredRoles } from './roles.js'
import { metaValue } from '../database/meta-value.js'
import type { Storage, UserRow, UserWithMeta } from '../database/storage.js'
import {
  applicationPasswordsKey,
  parseApplicationPasswords,
  type ApplicationPassword,
} from './application-passwords.js'
import { isEmailName, loginSpellings } from './login-name.js'
import { parseSessions, sessionsKey, type StoredSessions } from './sessions.js'

/** A user with the metadata that decides on requests: roles, sessions and application passwords. */
export interface Account {
  readonly user: UserRow
  readonly caller: Caller
  readonly sessions: StoredSessions
  readonly applicationPasswords: readonly ApplicationPassword[]
}

/** Maximum number of cached names, and of cached users. */
const maxAccounts = 500

/**
 * Users for authentication, in one round trip to the database. A cached account is used while the change token of the
 * database is the same. Values parsed from its metadata are used while the stored text and the roles are the same.
 */
export class Accounts {
  readonly #storage: Storage
  readonly #roles: StoredRoles
  readonly #prefix: string
  /** The keys of the metadata, in the order of {@link Texts}. */
  readonly #metaKeys: readonly string[]
  readonly #read = new LRUCache<string, { readonly token: number; readonly account: Account }>({ max: maxAccounts })
  readonly #parsed = new LRUCache<number, Parsed>({ max: maxAccounts })

  /** @param prefix of the tables. */
  constructor(storage: Storage, roles: StoredRoles, prefix: string) {
    this.#storage = storage
    this.#roles = roles
    this.#prefix = prefix
    this.#metaKeys = [`${prefix}capabilities`, sessionsKey, applicationPasswordsKey]
  }

  /**
   * The account of a login name as people write it: surrounding blanks, tags and the like are ignored. Without a promise when
   * the cached account is valid.
   */
  byLogin(name: string): Account | Promise<Account | null> {
    return this.#unlessUnchanged(`login ${name}`, (roles) => this.#readByLogin(name, roles))
  }

  /** As `byLogin`. When no user has the login name, the account of the e-mail address, if the name is one. */
  byLoginOrEmail(name: string): Account | Promise<Account | null> {
    return this.#unlessUnchanged(
      `name ${name}`,
      async (roles) => (await this.#readByLogin(name, roles)) ?? (await this.#readByEmail(name, roles)),
    )
  }

  /** The account of an e-mail address; null, without a promise, for an invalid address. */
  async byEmail(address: string): Promise<Account | null> {
    return this.#readByEmail(address, await this.#roles.at(await this.#storage.changeToken()))
  }

  /**
   * The change token is read before the account, so that a write in between makes the account stale. Unknown names are not
   * cached, because they would displace known ones.
   */
  #unlessUnchanged(
    question: string,
    read: (roles: Roles) => Promise<Account | null>,
  ): Account | Promise<Account | null> {
    const answer = (token: number): Account | Promise<Account | null> => {
      const latest = this.#read.get(question)
      return latest?.token === token ? latest.account : readAgain(token)
    }
    const readAgain = async (token: number): Promise<Account | null> => {
      const account = await read(await this.#roles.at(token))
      if (account !== null) this.#read.set(question, { token, account })
      return account
    }
    const token = this.#storage.changeToken()
    return typeof token === 'number' ? answer(token) : token.then(answer)
  }

  async #readByLogin(name: string, roles: Roles): Promise<Account | null> {
    for (const login of loginSpellings(name)) {
      const found = await this.#storage.users.findWithMeta({ login }, this.#metaKeys)
      if (found !== null) return this.#accountOf(found, roles)
    }
    return null
  }

  async #readByEmail(address: string, roles: Roles): Promise<Account | null> {
    if (!isEmailName(address)) return null
    const found = await this.#storage.users.findWithMeta({ email: address }, this.#metaKeys)
    return found === null ? null : this.#accountOf(found, roles)
  }

  #accountOf(found: UserWithMeta, roles: Roles): Account {
    const from = textsOf(found, this.#metaKeys)
    const parsed = this.#parsed.get(found.user.ID)
    if (parsed?.roles === roles && sameTexts(parsed.from, from)) return { ...parsed.account, user: found.user }
    const account = {
      user: found.user,
      caller: callerOf(found, roles, this.#prefix),
      sessions: parseSessions(from.sessions),
      applicationPasswords: parseApplicationPasswords(from.applicationPasswords),
    }
    this.#parsed.set(found.user.ID, { from, roles, account })
    return account
  }
}

interface Parsed {
  readonly from: Texts
  readonly roles: Roles
  readonly account: Account
}

/** The stored texts from which the parts of an account are parsed. */
interface Texts {
  readonly login: string
  readonly displayName: string
  readonly email: string
  readonly capabilities: string | null
  readonly sessions: string | null
  readonly applicationPasswords: string | null
}

function textsOf({ user, meta }: UserWithMeta, metaKeys: readonly string[]): Texts {
  const [capabilities = null, sessions = null, applicationPasswords = null] = metaKeys.map((key) =>
    metaValue(meta, key),
  )
  return {
    login: user.user_login,
    displayName: user.display_name,
    email: user.user_email,
    capabilities,
    sessions,
    applicationPasswords,
  }
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
