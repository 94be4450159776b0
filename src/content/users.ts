import type { PasswordHasher } from '../auth/password-hash.js'
import { sessionsKey } from '../auth/sessions.js'
import { requireNumber, requireString, typeOfValue } from '../base/value-type.js'
import { isIntegerKey } from '../php/array-shape.js'
import { maybeUnserialize, serialize } from '../php/serialize.js'
import { grantsIn, mapOf } from '../auth/grants.js'
import type { Roles } from '../auth/role.js'
import type { StoredRoles } from '../auth/roles.js'
import type { Storage, UserKey, UserQuery as StoredUserQuery } from '../database/storage.js'
import { dateText } from './dates.js'
import { checkNewUser, checkUserChange } from './new-user-checks.js'
import { uniqueNicename } from './nicename.js'
import { userOf, type NewUser, type User, type UserChange } from './user.js'
import { UserRejectedError } from './user-rejected-error.js'

export interface UsersDependencies {
  readonly storage: Storage
  readonly hasher: PasswordHasher
  /** Ensured before anybody is asked for. */
  readonly roles: StoredRoles
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Of the tables. */
  readonly prefix: string
}

/** Which users, and how many of them; what is undefined is as good as left out. */
export interface UserQuery {
  /** Who has this role, perhaps among others. */
  readonly role?: string | undefined
  /** Case-insensitive, in login, address, nicename or display name. More than 200 characters find nothing. */
  readonly search?: string | undefined
  /** From 1. Default 1, also for what is less. */
  readonly page?: number | undefined
  /** At most 1,000. Default 100, also for what is less than 1. */
  readonly per_page?: number | undefined
}

/** A caller may choose `per_page`: nobody makes the service hold all users in memory at once. */
const maxPerPage = 1000

/** How many records are read at once to give them to somebody else. */
const batch = 200

/**
 * The users of a service, kept as WordPress keeps them:
 * `constructor(private readonly users = inject(Users)) {}`. It asks nobody for a permission: that is the route's.
 */
// Rules: docs/wire.md#users.
export class Users {
  readonly #storage: Storage
  readonly #hasher: PasswordHasher
  readonly #roles: StoredRoles
  readonly #clock: () => number
  readonly #prefix: string

  constructor({ storage, hasher, roles, clock, prefix }: UsersDependencies) {
    this.#storage = storage
    this.#hasher = hasher
    this.#roles = roles
    this.#clock = clock
    this.#prefix = prefix
  }

  /**
   * Of two that want one login or address at the same time, one gets it.
   * @throws UserRejectedError @throws HasherBusyError when too many passwords are being hashed already; uncaught, it is a 503.
   */
  async create(user: NewUser): Promise<User> {
    const roles = await this.#roles.current()
    checkNewUser(user, roles)
    await checkUnused(user, this.#storage)
    const user_pass = await this.#hasher.hash(user.password)
    return this.#storage.transaction(async (storage) => {
      await checkUnused(user, storage)
      const { login } = user
      // What lies there for an id that nobody has would be his: a role, a password for programs.
      if (user.id !== undefined) await storage.users.delete(user.id)
      const id = await storage.users.insert({
        ...(user.id === undefined ? {} : { ID: user.id }),
        user_login: login,
        user_pass,
        user_nicename: await uniqueNicename(login, storage.users),
        user_email: user.email,
        user_url: '',
        user_registered: dateText(this.#clock()),
        user_activation_key: '',
        user_status: 0,
        display_name: user.displayName ?? login,
      })
      await storage.users.meta.write(id, 'nickname', login)
      // WordPress's own pages take a missing answer to these two for a no.
      await storage.users.meta.write(id, 'rich_editing', 'true')
      await storage.users.meta.write(id, 'syntax_highlighting', 'true')
      await this.#writeRole(storage, id, user.role === undefined ? 'subscriber' : user.role, new Map(), roles)
      return found(await this.#read(storage, { id }, roles))
    })
  }

  /**
   * By id, else by login, else by address. A text is an id as WP-CLI takes one: when it is written like a number (`7`, not
   * `007`) and a user has that id; otherwise the digits are a login.
   * @throws TypeError for a key that is neither a number nor a string.
   */
  async find(key: number | string): Promise<User | null> {
    if (typeof key !== 'number' && typeof key !== 'string')
      throw new TypeError(`A user is found by a number or a string; this is ${typeOfValue(key)}.`)
    const id = typeof key === 'number' ? key : /^[1-9]\d{0,14}$/.test(key) ? Number(key) : 0
    const roles = await this.#roles.current()
    const byId = id > 0 ? await this.#read(this.#storage, { id }, roles) : null
    if (byId || typeof key === 'number') return byId
    return (
      (await this.#read(this.#storage, { login: key }, roles)) ??
      (key.includes('@') ? this.#read(this.#storage, { email: key }, roles) : null)
    )
  }

  /** In the order of their ids. @throws TypeError for a value of a type that no query takes. */
  async list({ page = 1, per_page = 100, ...query }: UserQuery = {}): Promise<readonly User[]> {
    const roles = await this.#roles.current()
    if (page !== null) requireNumber(page, `'page' of a query for users`)
    if (per_page !== null) requireNumber(per_page, `'per_page' of a query for users`)
    const asked = this.#asked(query, roles)
    if (asked === null) return []
    const limit = Math.min(wholeFrom1(per_page, 100), maxPerPage)
    const offset = (wholeFrom1(page, 1) - 1) * limit
    const rows = await this.#storage.users.list({ ...asked, limit, offset })
    return rows.map((row) => userOf(row, roles, this.#prefix))
  }

  /** How many users the query finds on all its pages. @throws TypeError as `list`. */
  async count(query: Pick<UserQuery, 'role' | 'search'> = {}): Promise<number> {
    const asked = this.#asked(query, await this.#roles.current())
    return asked === null ? 0 : this.#storage.users.count(asked)
  }

  /**
   * All of it or nothing. A new password also ends all his sessions; application passwords stay.
   * @throws UserRejectedError @throws HasherBusyError
   */
  async update(id: number, change: UserChange): Promise<void> {
    requireNumber(id, 'The id of a user')
    const { email, password, displayName, role } = change
    const roles = await this.#roles.current()
    checkUserChange(change, roles)
    const user_pass = password === undefined ? undefined : await this.#hasher.hash(password)
    await this.#storage.transaction(async (storage) => {
      if (!(await storage.users.find({ id }))) throw new UserRejectedError('invalid_user_id')
      if (email !== undefined && ((await storage.users.find({ email }))?.ID ?? id) !== id)
        throw new UserRejectedError('existing_user_email')
      await storage.users.update(id, {
        ...(email !== undefined && { user_email: email }),
        ...(displayName !== undefined && { display_name: displayName }),
        ...(user_pass !== undefined && { user_pass, user_activation_key: '' }),
      })
      if (user_pass !== undefined) await storage.users.meta.remove(id, sessionsKey)
      if (role === undefined) return
      const [stored = null] = await storage.users.meta.read(id, `${this.#prefix}capabilities`)
      const personal = [...grantsIn(maybeUnserialize(stored))].filter(([name]) => !roles.has(name))
      await this.#writeRole(storage, id, role, new Map(personal), roles)
    })
  }

  /**
   * For good, with everything that lets him in. His records stay: they go to `reassign`, or keep an author who is gone.
   * @returns `false` when there was nobody to delete.
   * @throws UserRejectedError when `reassign` is nobody else.
   */
  async delete(id: number, { reassign }: { readonly reassign?: number | undefined } = {}): Promise<boolean> {
    requireNumber(id, 'The id of a user')
    return this.#storage.transaction(async (storage) => {
      if (!(await storage.users.find({ id }))) return false
      if (reassign !== undefined) await reassignRecords(storage, id, reassign)
      return storage.users.delete(id)
    })
  }

  async #read(storage: Storage, key: UserKey, roles: Roles): Promise<User | null> {
    const stored = await storage.users.findWithMeta(key)
    return stored && userOf(stored, roles, this.#prefix)
  }

  /** As WordPress does: whoever has a role has its name in the text of his capabilities. Null when nobody can. */
  #asked({ role, search }: Pick<UserQuery, 'role' | 'search'>, roles: Roles): StoredUserQuery | null {
    if (role !== undefined) requireString(role, `'role' of a query for users`)
    if (search !== undefined) requireString(search, `'search' of a query for users`)
    if (role !== undefined && !roles.has(role)) return null
    const written = role !== undefined && (isIntegerKey(role) ? `i:${role};` : `"${role}"`)
    return {
      ...(search !== undefined && { search }),
      ...(written !== false && { meta: { key: `${this.#prefix}capabilities`, contains: written } }),
    }
  }

  async #writeRole(
    storage: Storage,
    id: number,
    role: string | null,
    personal: ReadonlyMap<string, boolean>,
    roles: Roles,
  ): Promise<void> {
    const grants = mapOf(role === null ? personal : [...personal, [role, true] as const])
    await storage.users.meta.write(id, `${this.#prefix}capabilities`, serialize(grants))
    await storage.users.meta.write(id, `${this.#prefix}user_level`, String(levelOf(role, roles)))
  }
}

/** @throws UserRejectedError when somebody has the login, the address or the id already. */
async function checkUnused({ login, email, id }: NewUser, { users }: Storage): Promise<void> {
  if (await users.find({ login })) throw new UserRejectedError('existing_user_login')
  if (await users.find({ email })) throw new UserRejectedError('existing_user_email')
  if (id !== undefined && (await users.find({ id }))) throw new UserRejectedError('existing_user_id', String(id))
}

async function reassignRecords({ posts, users }: Storage, from: number, to: number): Promise<void> {
  if (to === from || !(await users.find({ id: to }))) throw new UserRejectedError('invalid_reassign')
  for (;;) {
    const { rows: records } = await posts.list({
      author: from,
      order: [{ by: 'id', direction: 'asc' }],
      limit: batch,
      offset: 0,
    })
    for (const { post } of records) await posts.update(post.ID, { post_author: to })
    if (records.length < batch) return
  }
}

/** The number of the highest `level_N` of a role, which old plugins still ask for. */
function levelOf(role: string | null, roles: Roles): number {
  const capabilities = role === null ? undefined : roles.get(role)?.capabilities
  const levels = [...(capabilities?.keys() ?? [])].map((name) => Number(/^level_(\d{1,2})$/.exec(name)?.[1] ?? 0))
  return Math.max(0, ...levels)
}

/** The whole number; `otherwise` for what is less than 1. */
function wholeFrom1(number: number, otherwise: number): number {
  return number >= 1 ? Math.trunc(number) : otherwise
}

function found(user: User | null): User {
  if (!user) throw new Error('A user that was just written cannot be read.')
  return user
}
