import { serialize, maybeUnserialize } from '../php/serialize.js'
import type { MaybePromise } from '../base/maybe-promise.js'
import type { Storage } from '../database/storage.js'
import { withDeclaredRoles, type RoleDeclarations } from './declared-roles.js'
import { defaultRoles } from './default-roles.js'
import { entriesOrNone, grantsIn, mapOf } from './grants.js'
import type { Roles } from './role.js'

/**
 * The roles of the option `<prefix>user_roles` in the database, and the declared roles, which are not written. When the option
 * cannot be read or is gone, the last readable roles stay: a damaged text changes no capability. At the start there are
 * none.
 */
// Rules: docs/wire.md#roles.
export class StoredRoles {
  readonly #storage: Storage
  readonly #name: string
  readonly #declared: RoleDeclarations
  #onFault: (sentence: string) => void = () => {}
  /** Parsed again only when the text is another one; until then it is the same object. */
  #parsed: { readonly from: string | null; readonly roles: Roles } | null = null
  /** The roles at the latest token. */
  #latest: { readonly token: number; roles: MaybePromise<Roles> } | null = null

  /**
   * @param prefix of the tables.
   * @param declared the boot option `roles`.
   */
  constructor(storage: Storage, prefix: string, declared: RoleDeclarations = {}) {
    this.#storage = storage
    this.#name = `${prefix}user_roles`
    this.#declared = declared
  }

  /**
   * Writes WordPress's five roles where the database has none. Processes that start together use those of the first one.
   * @param onFault called once for each text that cannot be read. Default: no call.
   */
  async ensure(onFault: (sentence: string) => void = () => {}): Promise<this> {
    this.#onFault = onFault
    const stored = await this.#storage.options.read(this.#name)
    this.#rolesOf(stored ?? (await this.#storage.options.writeOnce(this.#name, storedRoles(defaultRoles))))
    return this
  }

  /** Reads the roles. Must not be called inside a transaction: a database in memory would wait for its end. */
  async current(): Promise<Roles> {
    return this.#rolesOf(await this.#storage.options.read(this.#name))
  }

  /**
   * As `current`, without a promise when the roles were read at this token before.
   * @param token the change token of the database, read before this call.
   */
  at(token: number): MaybePromise<Roles> {
    if (this.#latest?.token === token) return this.#latest.roles
    const asked = this.current()
    const latest = { token, roles: asked as MaybePromise<Roles> }
    this.#latest = latest
    asked.then(
      (roles) => (latest.roles = roles),
      // The next call tries again. The promise reports the error to the callers of this one.
      () => {
        if (this.#latest === latest) this.#latest = null
      },
    )
    return asked
  }

  #rolesOf(stored: string | null): Roles {
    const before = this.#parsed
    if (before?.from === stored) return before.roles
    const read = rolesIn(stored)
    const roles = read === null ? (before?.roles ?? new Map()) : withDeclaredRoles(read, this.#declared)
    if (read === null) {
      const kept = roles.size === 0 ? 'so nobody has a role' : 'so those from before still count'
      this.#onFault(`the roles in the option ${this.#name} cannot be read, ${kept}`)
    }
    this.#parsed = { from: stored, roles }
    return roles
  }
}

/** Reads the text of the option; null for one that holds no map of roles. An entry without a name is no role. */
export function rolesIn(stored: string | null): Roles | null {
  const value = maybeUnserialize(stored)
  if (typeof value !== 'object' || value === null) return null
  return new Map(
    entriesOrNone(value).flatMap(([name, role]) => {
      const fields = new Map(entriesOrNone(role))
      const label = fields.get('name') ?? null
      if (label === null) return []
      return [
        [
          name,
          { label: typeof label === 'string' ? label : name, capabilities: grantsIn(fields.get('capabilities')) },
        ] as const,
      ]
    }),
  )
}

/** The text of the option for these roles. */
export function storedRoles(roles: Roles): string {
  const entries = [...roles].map(
    ([name, { label, capabilities }]) => [name, { name: label, capabilities: mapOf(capabilities) }] as const,
  )
  return serialize(mapOf(entries))
}
