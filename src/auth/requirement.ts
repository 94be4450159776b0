/** What a route requires of its caller. It is decided at the start of the service. */
export type Requirement =
  | { readonly kind: 'anyone' }
  | { readonly kind: 'logged-in' }
  | { readonly kind: 'capability'; readonly name: string }
  | { readonly kind: 'callback'; readonly method: string }

/**
 * `permission` of the route first, then the service's `rest_default_capability`, where `null` asks for any logged-in
 * user.
 */
// Rules: docs/wire.md#the-permission-decision.
export function requirementOf(
  permission: string | ((...parameters: never[]) => unknown) | null | undefined,
  defaultCapability: string | null,
): Requirement {
  if (permission === 'public') return { kind: 'anyone' }
  if (typeof permission === 'function') return { kind: 'callback', method: permission.name || 'permission' }
  if (permission != null) return { kind: 'callback', method: permission }
  if (defaultCapability === null) return { kind: 'logged-in' }
  return { kind: 'capability', name: defaultCapability }
}
