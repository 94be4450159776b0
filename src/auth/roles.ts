import { serialize, maybeUnserialize } from '../php/serialize.js'
import type { KindVersions } from '../database/kind-versions.js'
import type { ChangeToken, Storage } from '../database/storage.js'
import { withDeclaredRoles, type RoleDeclarations } from './declared-roles.js'
import { defaultRoles } from './default-roles.js'
import { entriesOrNone, grantsIn, mapOf } from './grants.js'
import type { Roles } from './role.js'

/** A change token, or the versions that were read after it. */
type Moment = ChangeToken | KindVersions

/** The roles that one text of the option has. */
export interface RolesRevision {
  /** Another number for each text that follows another one. */
  readonly revision: number
  readonly roles: Roles
}

/**
 * The roles in the option `<prefix>user_roles` of the database, with the declared roles added. Declared roles are not
 * written. When the option is damaged or removed, the last readable roles stay in use, so that users neither lose nor
 * gain capabilities. Before the first readable option there are no roles.
 */
// Rules: docs/wire.md#roles.
export class StoredRoles {
  readonly #storage: Storage
  /** The name of the option. */
  readonly #name: string
  readonly #declared: RoleDeclarations
  #onUnreadable: (message: string) => void = () => {}
  /** The last text of the option and its roles. */
  #parsed: (RolesRevision & { readonly text: string | null }) | null = null
  /** The roles at the latest moment, so that concurrent requests share one query. */
  #latest: { readonly moment: Moment; readonly roles: Promise<RolesRevision> } | null = null

  /**
   * @param prefix the prefix of the tables.
   * @param declared the boot option `roles`.
   */
  constructor(storage: Storage, prefix: string, declared: RoleDeclarations = {}) {
    this.#storage = storage
    this.#name = `${prefix}user_roles`
    this.#declared = declared
  }

  /**
   * Reads the roles. A database without the option gets WordPress's five default roles. Of several processes that start
   * at the same time, one writes them.
   * @param onUnreadable is called once for each text that cannot be read. Default: no call.
   */
  async ensure(onUnreadable: (message: string) => void = () => {}): Promise<this> {
    this.#onUnreadable = onUnreadable
    const text = await this.#storage.options.read(this.#name)
    this.#revisionOf(text ?? (await this.#storage.options.writeOnce(this.#name, storedRoles(defaultRoles))))
    return this
  }

  /**
   * Reads the option. Inside a transaction use `currentIn`: with a database in memory, the query waits for the end of the
   * transaction, which would wait for the query.
   */
  async current(): Promise<Roles> {
    return (await this.#currentRevision()).roles
  }

  async #currentRevision(): Promise<RolesRevision> {
    return this.#revisionOf(await this.#storage.options.read(this.#name))
  }

  /**
   * The roles, as `current`, for work inside a transaction. `readMany` does not lock the option: transactions that read users
   * would otherwise wait for each other.
   * @param storage of the transaction.
   */
  async currentIn(storage: Storage): Promise<Roles> {
    return this.#revisionOf((await storage.options.readMany([this.#name])).get(this.#name) ?? null).roles
  }

  /**
   * The roles, as `current`. Calls with the same change token or versions share one read of the option.
   * @param moment the change token or the versions that the caller has read before this call.
   */
  at(moment: Moment): Promise<RolesRevision> {
    if (this.#latest?.moment === moment) return this.#latest.roles
    const latest = { moment, roles: this.#currentRevision() }
    this.#latest = latest
    // The next call tries again. The callers of this one get the error from the promise.
    latest.roles.catch(() => {
      if (this.#latest === latest) this.#latest = null
    })
    return latest.roles
  }

  #revisionOf(text: string | null): RolesRevision {
    const previous = this.#parsed
    if (previous?.text === text) return previous
    const storedRoles = rolesIn(text)
    const roles = storedRoles === null ? (previous?.roles ?? new Map()) : withDeclaredRoles(storedRoles, this.#declared)
    if (storedRoles === null) {
      const consequence = roles.size === 0 ? 'so no user has a role' : 'so the last readable roles stay in use'
      this.#onUnreadable(`the roles in the option ${this.#name} cannot be read, ${consequence}`)
    }
    const revision = (previous?.revision ?? 0) + 1
    this.#parsed = { text, roles, revision }
    return this.#parsed
  }
}

/** The roles in the text of the option; null when it is not a map. An entry without a name is not a role. */
export function rolesIn(text: string | null): Roles | null {
  const value = maybeUnserialize(text)
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
