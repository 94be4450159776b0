/** The requirement of a route for its callers. Computed once, when the service starts. */
export type Requirement =
  | { readonly kind: 'anyone' }
  | { readonly kind: 'logged-in' }
  | { readonly kind: 'capability'; readonly name: string }
  | { readonly kind: 'callback'; readonly method: string }

/**
 * The requirement of a route: its `permission`, or without one the boot option `rest_default_capability`. There `null`
 * means any logged-in user.
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
