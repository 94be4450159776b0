import { serialize, maybeUnserialize } from '../php/serialize.js'
import type { Storage } from '../storage/storage.js'
import { defaultRoles } from './default-roles.js'
import { entriesOf, grantsIn, mapOf } from './grants.js'
import type { Roles } from './role.js'

/**
 * The roles of this database: those of the option `wp_user_roles` when it is there (an existing WordPress), otherwise
 * WordPress's five, which are written there. Processes that start together agree on what the first one wrote.
 * Source: WIRE 7.1.
 *
 * @param prefix of the tables; the option is `<prefix>user_roles`.
 */
export async function ensureRoles(storage: Storage, prefix = 'wp_'): Promise<Roles> {
  const name = `${prefix}user_roles`
  const stored = await storage.options.read(name)
  return rolesIn(stored ?? (await storage.options.writeOnce(name, storedRoles(defaultRoles))))
}

/** Reads the text of the option. A text that holds no map of roles gives no role at all. */
export function rolesIn(stored: string): Roles {
  return new Map(
    entriesOf(maybeUnserialize(stored)).map(([name, role]) => {
      const fields = new Map(entriesOf(role))
      const label = fields.get('name')
      return [
        name,
        { label: typeof label === 'string' ? label : name, capabilities: grantsIn(fields.get('capabilities')) },
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
