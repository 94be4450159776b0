import { maybeUnserialize } from '../php/serialize.js'
import { metaValue } from '../database/meta-value.js'
import type { UserWithMeta } from '../database/storage.js'
import type { Caller } from '../http/caller.js'
import type { Roles } from './role.js'
import { grantsIn } from './grants.js'

/**
 * The caller for a stored user: the roles, and every primitive capability of these roles and of the personal grants.
 *
 * The metadata `wp_capabilities` maps names to true or false. The name of a role gives the role, with either value. Where
 * roles disagree, the later one counts. The map itself counts more: it grants or revokes each of its names, names of roles
 * included. Every caller has `exist`, and no caller has `do_not_allow`.
 * Rules: docs/wire.md#capabilities-of-a-caller.
 *
 * @param prefix of the tables; the metadata is `<prefix>capabilities`.
 */
export function callerOf({ user, meta }: UserWithMeta, roles: Roles, prefix: string): Caller {
  const personal = grantsIn(maybeUnserialize(metaValue(meta, `${prefix}capabilities`) ?? ''))
  return {
    id: user.ID,
    login: user.user_login,
    displayName: user.display_name,
    email: user.user_email,
    roles: [...personal.keys()].filter((name) => roles.has(name)),
    capabilities: capabilitiesFrom(personal, roles),
  }
}

/** The id of a caller that stands for a role. It is positive, and larger than any id of a user. */
export const roleCallerId = Number.MAX_SAFE_INTEGER

/** A caller with one role and nothing else, to explain what the role may do. An unknown role gives `exist` only. */
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

/** The capabilities of roles and personal grants, with refusals. Later roles count more, personal grants most. */
export function grantsFrom(personal: ReadonlyMap<string, boolean>, roles: Roles): Map<string, boolean> {
  const granted = new Map<string, boolean>()
  for (const name of personal.keys())
    for (const [capability, allowed] of roles.get(name)?.capabilities ?? []) granted.set(capability, allowed)
  for (const [capability, allowed] of personal) granted.set(capability, allowed)
  return granted
}

function capabilitiesFrom(personal: ReadonlyMap<string, boolean>, roles: Roles): ReadonlySet<string> {
  const granted = grantsFrom(personal, roles)
  for (const [capability, sources] of implied)
    if (sources.some((source) => granted.get(source) === true)) granted.set(capability, true)
  granted.set('exist', true)
  granted.delete('do_not_allow')
  return new Set([...granted].flatMap(([capability, allowed]) => (allowed ? [capability] : [])))
}

/** Capabilities that are not stored: a caller with one of the others has them. Source: recorded `caps-roles`. */
const implied: readonly (readonly [capability: string, sources: readonly string[]])[] = [
  ['install_languages', ['update_core', 'install_plugins', 'install_themes']],
  ['resume_plugins', ['activate_plugins']],
  ['resume_themes', ['switch_themes']],
  ['view_site_health_checks', ['install_plugins']],
]
