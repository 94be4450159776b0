import { LRUCache } from 'lru-cache'
import { callerOf } from './capabilities.js'
import type { Caller } from '../http/caller.js'
import { mapMaybePromise, type MaybePromise } from '../base/maybe-promise.js'
import type { RolesRevision, StoredRoles } from './roles.js'
import { metaValue } from '../database/meta-value.js'
import { ReadsInFlight } from '../database/reads-in-flight.js'
import type { KindVersions } from '../database/kind-versions.js'
import type { ChangeToken, Storage, UserRow, UserWithMeta } from '../database/storage.js'
import {
  applicationPasswordsKey,
  parseApplicationPasswords,
  type ApplicationPassword,
} from './stored-application-passwords.js'
import { isEmailName, loginSpellings } from './login-name.js'
import { allowsOf, type AllowsRequest } from './scopes.js'
import { parseSessions, sessionsKey, type StoredSessions } from './sessions.js'

/** An application password of an account. */
export interface AccountPassword extends ApplicationPassword {
  /** Its compiled scopes. Null: every request is allowed. */
  readonly allows: AllowsRequest | null
}

/** A user with all data that authentication needs. */
export interface Account {
  readonly user: UserRow
  readonly caller: Caller
  readonly sessions: StoredSessions
  readonly applicationPasswords: readonly AccountPassword[]
}

/** Maximum number of entries of each cache. */
const maxAccounts = 500

/** The kinds of rows that an account is made of: the user with metadata, and the roles. */
const accountTags = ['users', 'options']

interface CachedAccount {
  /** From before the account was read, or from before its rows were found to be unchanged. */
  token: ChangeToken
  /** From before the account was read; null where they were not read. */
  readonly versions: KindVersions | null
  readonly account: Account
}

/**
 * Reads accounts in one round trip to the database, and caches them. A cached account is used only while the change token of
 * the database is the same, or the versions of its rows are, so it is never stale. Otherwise the user is read again. Metadata
 * are parsed again only when their text or the roles have changed.
 */
export class Accounts {
  readonly #storage: Storage
  readonly #roles: StoredRoles
  readonly #prefix: string
  /** The keys of the metadata to read: capabilities, sessions, application passwords. */
  readonly #metaKeys: readonly string[]
  /** By kind of name and name. */
  readonly #cachedByName = new LRUCache<string, CachedAccount>({ max: maxAccounts })
  readonly #reads = new ReadsInFlight<Account | null>()
  /** By user id. */
  readonly #parsed = new LRUCache<number, ParsedAccount>({ max: maxAccounts })

  readonly #denied: readonly string[]

  /**
   * @param prefix the prefix of the tables.
   * @param denied capabilities that no caller has, whatever the roles grant.
   */
  constructor(storage: Storage, roles: StoredRoles, prefix: string, denied: readonly string[] = []) {
    this.#denied = denied
    this.#storage = storage
    this.#roles = roles
    this.#prefix = prefix
    this.#metaKeys = [`${prefix}capabilities`, sessionsKey, applicationPasswordsKey]
  }

  /** The account of a login name. Spaces around the name, tags and accents are ignored. */
  byLogin(name: string): Promise<Account | null> {
    return this.#cached(`login ${name}`, (roles) => this.#readByLogin(name, roles))
  }

  /** The account of a login name, as `byLogin`, or else of an email address, which must not need trimming. */
  byLoginOrEmail(name: string): Promise<Account | null> {
    return this.#cached(
      `name ${name}`,
      async (roles) => (await this.#readByLogin(name, roles)) ?? (await this.#readByEmail(name, roles)),
    )
  }

  /** The account of an email address; null for a text that is not an email address. */
  async byEmail(address: string): Promise<Account | null> {
    return this.#readByEmail(address, await this.#roles.at(await this.#storage.changeToken()))
  }

  /**
   * The account from the cache, or from the database. The change token is read before the account. So after a write
   * between the two, the next call reads the account again. Unknown names are not cached, so that they cannot displace
   * accounts.
   */
  #cached(key: string, read: (roles: RolesRevision) => Promise<Account | null>): Promise<Account | null> {
    return this.#storage.changeToken().then((token) => {
      const cached = this.#cachedByName.get(key)
      return cached?.token === token ? cached.account : this.#atToken(key, token, read)
    })
  }

  #atToken(
    key: string,
    token: ChangeToken,
    read: (roles: RolesRevision) => Promise<Account | null>,
  ): MaybePromise<Account | null> {
    return mapMaybePromise<KindVersions | null, Account | null>(
      this.#cachedByName.has(key) ? this.#storage.versionsAt(token) : null,
      (versions) => this.#unchanged(key, token, versions) ?? this.#readAt(key, token, versions, read),
    )
  }

  /** The cached account where neither it nor the roles were written up to the moment of these versions; null otherwise. */
  #unchanged(key: string, token: ChangeToken, versions: KindVersions | null): Account | null {
    // Looked up after the versions were read, because another caller may have cached the account meanwhile.
    const cached = this.#cachedByName.get(key)
    if (versions === null || cached?.versions?.areSame(versions, accountTags) !== true) return null
    cached.token = token
    return cached.account
  }

  #readAt(
    key: string,
    token: ChangeToken,
    versions: KindVersions | null,
    read: (roles: RolesRevision) => Promise<Account | null>,
  ): MaybePromise<Account | null> {
    return this.#reads.share(key, token, null, async () => {
      const account = await read(await this.#roles.at(versions ?? token))
      if (account !== null) this.#cachedByName.set(key, { token, versions, account })
      return account
    })
  }

  async #readByLogin(name: string, roles: RolesRevision): Promise<Account | null> {
    for (const login of loginSpellings(name)) {
      const row = await this.#storage.users.findWithMeta({ login }, this.#metaKeys)
      if (row !== null) return this.#accountOf(row, roles)
    }
    return null
  }

  async #readByEmail(address: string, roles: RolesRevision): Promise<Account | null> {
    if (!isEmailName(address)) return null
    const row = await this.#storage.users.findWithMeta({ email: address }, this.#metaKeys)
    return row === null ? null : this.#accountOf(row, roles)
  }

  #accountOf(row: UserWithMeta, { roles, revision }: RolesRevision): Account {
    const texts = textsOf(row, this.#metaKeys)
    const parsed = this.#parsed.get(row.user.ID)
    if (parsed?.rolesRevision === revision && sameTexts(parsed.texts, texts))
      return { ...parsed.account, user: row.user }
    const account = {
      user: row.user,
      caller: withoutCapabilities(callerOf(row, roles, this.#prefix), this.#denied),
      sessions: parseSessions(texts.sessions),
      applicationPasswords: accountPasswordsIn(texts.applicationPasswords),
    }
    this.#parsed.set(row.user.ID, { texts, rolesRevision: revision, account })
    return account
  }
}

function accountPasswordsIn(text: string | null): readonly AccountPassword[] {
  return parseApplicationPasswords(text).map((item) => ({
    ...item,
    allows: item.scopes === undefined ? null : allowsOf(item.scopes),
  }))
}

function withoutCapabilities(caller: Caller, denied: readonly string[]): Caller {
  if (denied.length === 0) return caller
  return { ...caller, capabilities: new Set([...caller.capabilities].filter((name) => !denied.includes(name))) }
}

interface ParsedAccount {
  readonly texts: Texts
  readonly rolesRevision: number
  readonly account: Account
}

/** The stored texts that caller, sessions and application passwords of an account depend on. */
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

function sameTexts(left: Texts, right: Texts): boolean {
  return (
    left.capabilities === right.capabilities &&
    left.sessions === right.sessions &&
    left.applicationPasswords === right.applicationPasswords &&
    left.login === right.login &&
    left.displayName === right.displayName &&
    left.email === right.email
  )
}
