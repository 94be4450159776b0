import { currentUser } from '../auth/current-user.js'
import { unknownRequester, type Requester } from '../auth/fair-queue.js'
import type { PasswordHasher } from '../auth/password-hash.js'
import { Sessions } from '../auth/sessions.js'
import { requireNumber, requireString, typeOfValue } from '../base/value-type.js'
import { isIntegerKey } from '../php/array-shape.js'
import { maybeUnserialize } from '../php/serialize.js'
import { grantsIn, grantsText } from '../auth/grants.js'
import type { Roles } from '../auth/role.js'
import type { StoredRoles } from '../auth/roles.js'
import { lockName, withoutNumber } from '../database/lock-name.js'
import type { Storage, UserKey, UserQuery as StoredUserQuery } from '../database/storage.js'
import { dateText } from './dates.js'
import { DeclaredValues } from './declared-values.js'
import { checkNewUser, checkUserChange } from './new-user-checks.js'
import { nicenameOf, requireNicename, uniqueNicename } from './nicename.js'
import { ObjectMeta } from './object-meta.js'
import type { DeclaredUserMeta, NewUserMeta } from './registered.js'
import { userOf, type NewUser, type User, type UserChange } from './user.js'
import { profileKeys, shortProfile, wholeProfile, type Profile } from './user-profile.js'
import { changesTexts, missingDisplayName, namesInPlaceOfEmpty, storedChange, writeUserTexts } from './user-update.js'
import { UserRejectedError } from './user-rejected-error.js'

export interface UsersDependencies {
  readonly storage: Storage
  readonly hasher: PasswordHasher
  /** `ensure` must have been called. */
  readonly roles: Pick<StoredRoles, 'current'>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** The prefix of the tables. */
  readonly prefix: string
  /**
   * Whether a WordPress site uses the same tables. A new user then gets all metadata that WordPress writes, and texts are stored
   * as WordPress stores them, because its pages print stored texts without escaping. Default false: a new user gets only the
   * metadata that WordPress's pages require, and texts are stored unchanged.
   */
  readonly sharesTables?: boolean
  /**
   * Deletes the records of a user, or moves them to the trash, before the user is deleted. Left out: they stay.
   */
  readonly deleteRecordsOf?: (author: number) => Promise<void>
  /** The metadata that the application declares. Default: none. */
  readonly meta?: DeclaredValues
}

/** A query for users. An undefined field does not restrict it. */
export interface UserQuery {
  /** Users who have this role, possibly with other roles. */
  readonly role?: string | undefined
  /**
   * A text in login name, email address, nicename or display name, case-insensitive. A text of more than 200 characters
   * gives no users.
   */
  readonly search?: string | undefined
  /** Begins with 1. Default 1, also for smaller numbers. */
  readonly page?: number | undefined
  /** At most 1,000. Default 100, also for numbers less than 1. */
  readonly per_page?: number | undefined
}

interface UserUpdateOptions {
  readonly keptSession?: string
  readonly sanitize?: boolean
  readonly onNewHash?: (hash: string) => void
}

/** Maximum of `per_page`. A client may choose `per_page`, and one request must not load every user into memory. */
const maxPerPage = 1000

const noKeys: readonly string[] = []

/** Number of records per query when the records of a user are reassigned. */
const batchSize = 200

/**
 * The users of a service, stored in WordPress's tables. A handler class injects them:
 * `constructor(private readonly users = inject(Users)) {}`. The methods do not check whether the caller may use them: that
 * is the route's `permission`.
 */
// Rules: docs/wire.md#users.
export class Users {
  readonly #storage: Storage
  readonly #hasher: PasswordHasher
  readonly #roles: Pick<StoredRoles, 'current'>
  readonly #clock: () => number
  readonly #prefix: string
  readonly #sharesTables: boolean
  readonly #deleteRecordsOf: ((author: number) => Promise<void>) | undefined
  readonly #meta: ObjectMeta

  constructor({
    storage,
    hasher,
    roles,
    clock,
    prefix,
    sharesTables = false,
    deleteRecordsOf,
    meta = new DeclaredValues('user_meta'),
  }: UsersDependencies) {
    this.#meta = new ObjectMeta(meta, ({ users }) => users.meta)
    this.#sharesTables = sharesTables
    this.#deleteRecordsOf = deleteRecordsOf
    this.#storage = storage
    this.#hasher = hasher
    this.#roles = roles
    this.#clock = clock
    this.#prefix = prefix
  }

  /**
   * Creates a user. Of two concurrent calls with the same login name or email address, one fails.
   * @throws UserRejectedError
   * @throws TypeError for a field that does not exist.
   * @throws HasherBusyError when too many passwords are being hashed. The status of the response is 503 unless the handler
   *   catches the error.
   */
  async create(user: NewUser): Promise<User> {
    let roles: Roles = new Map()
    let user_pass = ''
    let profile: Profile = shortProfile
    const prepare = async (): Promise<void> => {
      roles = await this.#roles.current()
      checkNewUser(user, roles)
      if (this.#sharesTables) profile = await wholeProfile(this.#storage)
      await checkUnused(user, this.#storage)
      user_pass = await this.#hasher.hash(user.password, requesterOfCaller())
    }
    return this.#storage.write(async (storage) => {
      const { login, email, id: requestedId } = user
      const nicename = nicenameOf(login, this.#unnamed)
      await storage.lock([
        lockName('login', login),
        lockName('email', email),
        lockName('nicename', withoutNumber(nicename)),
        ...(requestedId === undefined ? [] : [lockName('user', requestedId)]),
      ])
      await checkUnused(user, storage)
      await requireNicename(nicename, storage)
      // Metadata of a deleted user with the same id would give the new user its roles and application passwords.
      if (user.id !== undefined) await storage.users.delete(user.id)
      const id = await storage.users.insert({
        ...(user.id === undefined ? {} : { ID: user.id }),
        user_login: login,
        user_pass,
        user_nicename: await uniqueNicename(nicename, storage),
        user_email: user.email,
        user_url: '',
        user_registered: dateText(this.#clock()),
        user_activation_key: '',
        user_status: 0,
        display_name: this.#displayName(user, roles),
      })
      await storage.users.meta.write(id, 'nickname', login)
      for (const [key, value] of profile) await storage.users.meta.write(id, key, value)
      const { role = 'subscriber' } = user
      await this.#writeRoles(storage, id, role === null ? [] : [role], new Map(), roles)
      return existing(await this.#read(storage, { id }, roles))
    }, prepare)
  }

  /**
   * Finds a user by id, else by login name, else by email address. A string of digits is an id when it has no leading zero
   * (`7`, not `007`) and a user has that id, as in WP-CLI. Otherwise it is a login name.
   * @returns null when there is no such user.
   * @throws TypeError for a key that is neither a number nor a string.
   */
  async find(key: number | string): Promise<User | null> {
    if (typeof key !== 'number' && typeof key !== 'string')
      throw new TypeError(`The key of a user must be a number or a string; it is ${typeOfValue(key)}.`)
    const id = typeof key === 'number' ? key : /^[1-9]\d{0,14}$/.test(key) ? Number(key) : 0
    const roles = await this.#roles.current()
    const byId = id > 0 ? await this.#read(this.#storage, { id }, roles) : null
    if (byId || typeof key === 'number') return byId
    return (
      (await this.#read(this.#storage, { login: key }, roles)) ??
      (key.includes('@') ? this.#read(this.#storage, { email: key }, roles) : null)
    )
  }

  /** The users of one page, sorted by id. @throws TypeError for a value of a wrong type. */
  async list({ page = 1, per_page = 100, ...query }: UserQuery = {}): Promise<readonly User[]> {
    const roles = await this.#roles.current()
    if (page !== null) requireNumber(page, `'page' of a query for users`)
    if (per_page !== null) requireNumber(per_page, `'per_page' of a query for users`)
    const tableQuery = this.#tableQuery(query, roles)
    if (tableQuery === null) return []
    const limit = Math.min(positiveInteger(per_page, 100), maxPerPage)
    const offset = (positiveInteger(page, 1) - 1) * limit
    const rows = await this.#storage.users.list({ ...tableQuery, limit, offset })
    return rows.map((row) => userOf(row, roles, this.#prefix))
  }

  /** The number of users on all pages of the query. @throws TypeError for a value of a wrong type. */
  async count(query: Pick<UserQuery, 'role' | 'search'> = {}): Promise<number> {
    const tableQuery = this.#tableQuery(query, await this.#roles.current())
    return tableQuery === null ? 0 : this.#storage.users.count(tableQuery)
  }

  /**
   * Changes a user in one transaction. A new password ends all sessions of the user. Application passwords stay valid.
   * @param options `keptSession` is the token of a session that stays. It is ignored on the tables of a WordPress, where the rows of
   *   all sessions stay. With `sanitize`, and always on the tables of a WordPress, texts are stored as WordPress stores them,
   *   without scripts. `onNewHash` is called with the hash of a new password once it is stored.
   * @throws UserRejectedError
   * @throws TypeError for a field that does not exist.
   * @throws HasherBusyError when too many passwords are being hashed.
   */
  async update(
    id: number,
    change: UserChange,
    { keptSession = '', sanitize = false, onNewHash }: UserUpdateOptions = {},
  ): Promise<void> {
    requireNumber(id, 'The id of a user')
    const { password, role } = change
    const isSanitized = sanitize || this.#sharesTables
    const texts = isSanitized ? storedChange(change) : change
    let roles: Roles = new Map()
    let user_pass: string | undefined
    // With a change of texts, and with each request for a change, WordPress updates the whole user.
    const isWhole = this.#sharesTables && (sanitize || changesTexts(change))
    let profile: Profile = []
    const prepare = async (): Promise<void> => {
      roles = await this.#roles.current()
      checkUserChange(texts, roles)
      if (isWhole) profile = await wholeProfile(this.#storage)
      if (password !== undefined) user_pass = await this.#hasher.hash(password, requesterOfCaller())
    }
    await this.#storage.write(async (storage) => {
      const { email } = change
      await storage.lock([lockName('user', id), ...(email === undefined ? [] : [lockName('email', email)])])
      const row = await storage.users.findWithMeta({ id }, isWhole ? profileKeys : noKeys)
      if (!row) throw new UserRejectedError('invalid_user_id')
      const { user } = row
      const names = isSanitized ? namesInPlaceOfEmpty(change, user.user_login) : {}
      const written = { ...texts, ...(isWhole && missingDisplayName(user, texts)), ...names }
      await writeUserTexts(storage, user, written, this.#unnamed, isWhole ? { stored: row.meta, profile } : null)
      if (user_pass !== undefined) {
        await storage.users.update(id, { user_pass, user_activation_key: '' })
        // WordPress keeps the rows of sessions. Their cookies are signed with the former hash, so they are invalid.
        if (!this.#sharesTables) await new Sessions(storage, this.#clock).endOthers(id, keptSession)
      }
      const newRoles = change.roles ?? (role === undefined ? undefined : role === null ? [] : [role])
      if (newRoles === undefined) return
      const [text = null] = await storage.users.meta.read(id, `${this.#prefix}capabilities`)
      const personalGrants = [...grantsIn(maybeUnserialize(text))].filter(([name]) => !roles.has(name))
      await this.#writeRoles(storage, id, newRoles, new Map(personalGrants), roles)
    }, prepare)
    if (user_pass !== undefined) onNewHash?.(user_pass)
  }

  /**
   * Deletes a user permanently, with sessions and application passwords. The records of the user stay, except on the
   * tables of a WordPress where `reassign` is left out.
   * @param options `reassign` is the id of the new author of the records; null sets their author to 0, the id of no user. Without it
   *   the records keep the id of the deleted user, except on the tables of a WordPress. There, as in WordPress, posts and pages are
   *   moved to the trash, and posts and pages in the trash, attachments, revisions and the records of types with the support
   *   `author` are deleted. This happens in one transaction, which may last 30 seconds: for some thousands of records it fails, and
   *   nothing is changed. Pass `reassign` for such users.
   * @returns `false` when there is no user with this id.
   * @throws UserRejectedError when `reassign` is not the id of another user.
   */
  async delete(id: number, { reassign }: { readonly reassign?: number | null | undefined } = {}): Promise<boolean> {
    requireNumber(id, 'The id of a user')
    return this.#storage.transaction(async (storage) => {
      await storage.lock([lockName('user', id)])
      if (!(await storage.users.find({ id }))) return false
      // Inside the transaction: otherwise a concurrent call would delete the records that this one has just moved to the trash.
      if (reassign === undefined) await this.#deleteRecordsOf?.(id)
      else await reassignRecords(storage, id, reassign)
      return storage.users.delete(id, reassign === null ? 0 : reassign)
    })
  }

  /** The metadata of a user that the option `user_meta` declares, with their types and defaults. */
  async getMeta(id: number): Promise<DeclaredUserMeta> {
    requireNumber(id, 'The id of a user')
    return (await this.#meta.read(id, this.#storage)) as DeclaredUserMeta
  }

  /**
   * Writes metadata of a user; null removes a value.
   * @throws UndeclaredNameError for a key that is not declared.
   * @throws RecordRejectedError `invalid_meta_value` for a value against its rules.
   * @throws UserRejectedError `invalid_user_id` when there is no such user.
   */
  async setMeta(id: number, meta: NewUserMeta): Promise<void> {
    requireNumber(id, 'The id of a user')
    const write = this.#meta.prepared(meta)
    await this.#storage.write(async (storage) => {
      await storage.lock([lockName('user', id)])
      if (!(await storage.users.find({ id }))) throw new UserRejectedError('invalid_user_id')
      await write(id, storage)
    })
  }

  /** @throws UserRejectedError when escaped characters make it too long. */
  #displayName({ login, displayName = login }: NewUser, roles: Roles): string {
    if (!this.#sharesTables) return displayName
    const change = { displayName }
    const stored = { ...storedChange(change), ...namesInPlaceOfEmpty(change, login) }
    checkUserChange(stored, roles)
    return stored.displayName ?? login
  }

  /** The nicename for a login without a character that a nicename may have, such as `..`. */
  get #unnamed(): '' | 'user' {
    return this.#sharesTables ? '' : 'user'
  }

  async #read(storage: Storage, key: UserKey, roles: Roles): Promise<User | null> {
    const row = await storage.users.findWithMeta(key)
    return row && userOf(row, roles, this.#prefix)
  }

  /**
   * The query of the tables. Users with a role are found as in WordPress: the serialised text of their capabilities
   * contains the name of the role. Null when the role does not exist, so that no user can have it.
   */
  #tableQuery({ role, search }: Pick<UserQuery, 'role' | 'search'>, roles: Roles): StoredUserQuery | null {
    if (role !== undefined) requireString(role, `'role' of a query for users`)
    if (search !== undefined) requireString(search, `'search' of a query for users`)
    if (role !== undefined && !roles.has(role)) return null
    const serializedRole = role !== undefined && (isIntegerKey(role) ? `i:${role};` : `"${role}"`)
    return {
      ...(search !== undefined && { search }),
      ...(serializedRole !== false && { meta: { key: `${this.#prefix}capabilities`, contains: serializedRole } }),
    }
  }

  async #writeRoles(
    storage: Storage,
    id: number,
    names: readonly string[],
    personalGrants: ReadonlyMap<string, boolean>,
    roles: Roles,
  ): Promise<void> {
    const grants = grantsText([...personalGrants, ...names.map((name) => [name, true] as const)])
    await storage.users.meta.write(id, `${this.#prefix}capabilities`, grants)
    await storage.users.meta.write(id, `${this.#prefix}user_level`, String(levelOf(names, roles)))
  }
}

/** Each logged-in user has a separate share of the hasher's queue, and does not wait for the logins of strangers. */
function requesterOfCaller(): Requester {
  const { id } = currentUser()
  return id === 0 ? unknownRequester : { network: `user ${id}`, account: `user ${id}`, isTrusted: true }
}

/** @throws UserRejectedError when another user has the login name, the email address or the id. */
async function checkUnused({ login, email, id }: NewUser, { users }: Storage): Promise<void> {
  if (await users.find({ login })) throw new UserRejectedError('existing_user_login')
  if (await users.find({ email })) throw new UserRejectedError('existing_user_email')
  if (id !== undefined && (await users.find({ id }))) throw new UserRejectedError('existing_user_id', String(id))
}

async function reassignRecords({ posts, users }: Storage, from: number, to: number | null): Promise<void> {
  if (to !== null && (to === from || !(await users.find({ id: to })))) throw new UserRejectedError('invalid_reassign')
  for (;;) {
    const { rows } = await posts.list({
      author: from,
      order: [{ by: 'id', direction: 'asc' }],
      limit: batchSize,
      offset: 0,
    })
    for (const { post } of rows) await posts.update(post.ID, { post_author: to ?? 0 })
    if (rows.length < batchSize) return
  }
}

/** The number of the highest `level_N` capability of the roles, which old plugins read. */
function levelOf(names: readonly string[], roles: Roles): number {
  const capabilities = names.flatMap((name) => [...(roles.get(name)?.capabilities.keys() ?? [])])
  const levels = capabilities.map((name) => Number(/^level_(\d{1,2})$/.exec(name)?.[1] ?? 0))
  return Math.max(0, ...levels)
}

/** The number without its fraction, or `fallback` when it is less than 1 or NaN. */
function positiveInteger(number: number, fallback: number): number {
  return number >= 1 ? Math.trunc(number) : fallback
}

function existing(user: User | null): User {
  if (!user) throw new Error('A user that was just written cannot be read.')
  return user
}
