import type { Caller } from '../http/caller.js'
import { idOf } from './targets.js'

type Rule = (caller: Caller, target: unknown) => readonly string[]

const denied = ['do_not_allow']

/** Users may edit themselves. Editing another user needs `edit_users`. Anonymous callers may edit no user. */
const editing: Rule = (caller, target) => {
  if (caller.id === 0) return denied
  return idOf(target) === caller.id ? [] : ['edit_users']
}

/** Users cannot remove themselves, unless they have `delete_users`. */
const removing: Rule = (caller, target) => {
  const isSelf = target != null && idOf(target) === caller.id
  return isSelf && !caller.capabilities.has('delete_users') ? denied : ['remove_users']
}

/**
 * Capabilities over users. The target is the id of a user. No rule queries the database
 * (docs/wire.md#meta-capabilities).
 */
const rules = new Map<string, Rule>([
  ['edit_user', editing],
  ['edit_users', (caller) => (caller.id === 0 ? denied : ['edit_users'])],
  ['remove_user', removing],
  ['delete_user', () => ['delete_users']],
  ['promote_user', () => ['promote_users']],
  ['create_app_password', editing],
  ['list_app_passwords', editing],
  ['read_app_password', editing],
  ['edit_app_password', editing],
  ['delete_app_password', editing],
  ['delete_app_passwords', editing],
])

export const userCapabilities: readonly string[] = [...rules.keys()]

/** The primitive capabilities that a capability over a user needs; `null` when the capability is not about users. */
export function requiredForUser(capability: string, caller: Caller, target: unknown): readonly string[] | null {
  return rules.get(capability)?.(caller, target) ?? null
}
