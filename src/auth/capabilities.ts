import { maybeUnserialize } from '../php/serialize.js'
import { metaValue } from '../database/meta-value.js'
import type { UserWithMeta } from '../database/storage.js'
import type { Caller } from '../http/caller.js'
import type { Roles } from './role.js'
import { grantsIn } from './grants.js'

/**
 * The caller for a stored user: the roles, and all primitive capabilities from the roles and the personal grants.
 *
 * The metadata `wp_capabilities` maps names to true or false. The name of a role gives the role, whatever its value.
 * Where roles disagree, the later one takes precedence. The entries of the map itself override the roles: each name is
 * granted, or revoked when false, names of roles included. Every caller has `exist`, and no caller has `do_not_allow`.
 * Rules: docs/wire.md#capabilities-of-a-caller.
 *
 * @param prefix the prefix of the tables; the key of the metadata is `<prefix>capabilities`.
 */
export function callerOf({ user, meta }: UserWithMeta, roles: Roles, prefix: string): Caller {
  const personalGrants = grantsIn(maybeUnserialize(metaValue(meta, `${prefix}capabilities`) ?? ''))
  return {
    id: user.ID,
    login: user.user_login,
    displayName: user.display_name,
    email: user.user_email,
    roles: [...personalGrants.keys()].filter((name) => roles.has(name)),
    capabilities: capabilitiesFrom(personalGrants, roles),
  }
}

/** The id of a caller that represents a role. It is positive, as for every user, and no user has an id so large. */
export const roleCallerId = Number.MAX_SAFE_INTEGER

/**
 * A caller with one role and no personal grants, for checks of what the role allows. An unknown role gives `exist`
 * only.
 */
export function callerOfRole(name: string, roles: Roles): Caller {
  return {
    id: roleCallerId,
    login: name,
    displayName: roles.get(name)?.label ?? name,
    email: '',
    roles: roles.has(name) ? [name] : [],
    capabilities: capabilitiesFrom(new Map(roles.has(name) ? [[name, true]] : []), roles),
  }
}

/**
 * The grants and refusals of roles and personal grants. A later role overrides an earlier one; personal grants override
 * roles.
 */
export function grantsFrom(personalGrants: ReadonlyMap<string, boolean>, roles: Roles): Map<string, boolean> {
  const granted = new Map<string, boolean>()
  for (const name of personalGrants.keys())
    for (const [capability, allowed] of roles.get(name)?.capabilities ?? []) granted.set(capability, allowed)
  for (const [capability, allowed] of personalGrants) granted.set(capability, allowed)
  return granted
}

function capabilitiesFrom(personalGrants: ReadonlyMap<string, boolean>, roles: Roles): ReadonlySet<string> {
  const granted = grantsFrom(personalGrants, roles)
  for (const [capability, sources] of implied)
    if (sources.some((source) => granted.get(source) === true)) granted.set(capability, true)
  granted.set('exist', true)
  granted.delete('do_not_allow')
  return new Set([...granted].flatMap(([capability, allowed]) => (allowed ? [capability] : [])))
}

/**
 * Capabilities that no role stores. A user with one of the sources has them. See
 * conformance/recorded/vectors/caps-roles.json.
 */
const implied: readonly (readonly [capability: string, sources: readonly string[]])[] = [
  ['install_languages', ['update_core', 'install_plugins', 'install_themes']],
  ['resume_plugins', ['activate_plugins']],
  ['resume_themes', ['switch_themes']],
  ['view_site_health_checks', ['install_plugins']],
]
export const impliedCapabilities: readonly string[] = implied.map(([capability]) => capability)
