import type { ApplicationPassword } from './stored-application-passwords.js'

/** An application password as clients receive it, without its hash. Dates are UTC, `YYYY-MM-DDTHH:MM:SS`. */
export interface ApplicationPasswordView {
  readonly uuid: string
  readonly app_id: string
  readonly name: string
  readonly created: string
  readonly last_used: string | null
  readonly last_ip: string | null
  /** Absent for a password without scopes. */
  readonly scopes?: unknown
  /** Absent for a password that does not expire. */
  readonly expires?: string
}

// Rules: docs/wire.md#application-password-endpoints.
export function viewOfApplicationPassword(item: ApplicationPassword): ApplicationPasswordView {
  return {
    uuid: item.uuid,
    app_id: item.app_id,
    name: item.name,
    created: dateOf(item.created),
    last_used: item.last_used === null ? null : dateOf(item.last_used),
    last_ip: item.last_ip,
    ...(item.scopes !== undefined && { scopes: item.scopes }),
    ...(typeof item.expires === 'number' && { expires: dateOf(item.expires) }),
  }
}

function dateOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19)
}
