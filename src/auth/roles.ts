import { serialize, maybeUnserialize } from '../php/serialize.js'
import type { MaybePromise } from '../base/maybe-promise.js'
import type { Storage } from '../database/storage.js'
import { withDeclaredRoles, type RoleDeclarations } from './declared-roles.js'
import { defaultRoles } from './default-roles.js'
import { entriesOrNone, grantsIn, mapOf } from './grants.js'
import type { Roles } from './role.js'

/**
 * The roles as they are in the database, whoever wrote them: those of the option `<prefix>user_roles`. Declared roles come
 * on top, and are not written. When they cannot be read, or are gone, the last ones that could be read stay: nobody loses
 * or gains anything by a text that was damaged. At the start there are none.
 */
// Rules: docs/wire.md#roles.
export class StoredRoles {
  readonly #storage: Storage
  readonly #name: string
  readonly #declared: RoleDeclarations
  #onFault: (sentence: string) => void = () => {}
  /** Parsed again only when the text is another one; until then it is the same object. */
  #parsed: { readonly from: string | null; readonly roles: Roles } | null = null
  /** One answer for all who ask at one token. */
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
   * Writes WordPress's five where the database has none. Processes that start together agree on what the first one wrote.
   * @param onFault hears once of each text that cannot be read; default: nobody does.
   */
  async ensure(onFault: (sentence: string) => void = () => {}): Promise<this> {
    this.#onFault = onFault
    const stored = await this.#storage.options.read(this.#name)
    this.#rolesOf(stored ?? (await this.#storage.options.writeOnce(this.#name, storedRoles(defaultRoles))))
    return this
  }

  /** Asks the database. Not from within a transaction: a database in memory would wait for its end, and it for this. */
  async current(): Promise<Roles> {
    return this.#rolesOf(await this.#storage.options.read(this.#name))
  }

  /**
   * As `current`; at once when they were asked for at this token before.
   * @param token of the database, asked before this.
   */
  at(token: number): MaybePromise<Roles> {
    if (this.#latest?.token === token) return this.#latest.roles
    const asked = this.current()
    const latest = { token, roles: asked as MaybePromise<Roles> }
    this.#latest = latest
    asked.then(
      (roles) => (latest.roles = roles),
      // Whoever asks next tries again; those who asked are told by the promise itself.
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
