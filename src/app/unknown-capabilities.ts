import { AsyncResource } from 'node:async_hooks'
import { capabilityNames } from '../auth/capability-names.js'
import type { RecordTypeLookup } from '../auth/capability-lookup.js'
import { currentUserCan } from '../auth/current-user.js'
import { nameOf } from '../auth/primitives.js'
import type { StoredRoles } from '../auth/roles.js'
import { nearest } from '../base/nearest.js'
import { logError } from '../log/log-error.js'
import type { Log } from '../log/log.js'
import { errorLocationOf, sourceLocationText } from '../routing/source-location.js'
import type { ResolvedOptions } from './options.js'

/** Maximum number of names that are looked at. A handler may check a name that a request sends. */
const maxNames = 1000

/** Warns once for each capability that a handler checks and that no role grants. For the environment `development`. */
export class UnknownCapabilities {
  readonly #roles: StoredRoles
  readonly #log: Log
  readonly #names: ReadonlySet<string>
  readonly #checked = new Set<string>()
  /**
   * Roles are read outside the async context of the request. A read inside it would take part in a transaction of the
   * request, and would be dropped when the client leaves.
   */
  readonly #outsideRequests = new AsyncResource('UnknownCapabilities')

  constructor(roles: StoredRoles, types: RecordTypeLookup, log: Log) {
    this.#roles = roles
    this.#log = log
    this.#names = capabilityNames(types)
  }

  /** Must be called by `currentUserCan`: the place in the warning is where that was called. */
  check(text: string): void {
    const capability = nameOf(text)
    if (this.#names.has(capability) || this.#checked.has(capability) || this.#checked.size >= maxNames) return
    this.#checked.add(capability)
    const site = new Error('The stack tells the place.')
    Error.captureStackTrace(site, currentUserCan)
    const location = errorLocationOf(site)
    const place = location && sourceLocationText(location)
    // A database that fails here fails the request too, which reports it.
    void this.#outsideRequests.runInAsyncScope(() => this.#warn(capability, place)).catch(() => undefined)
  }

  async #warn(capability: string, place: string | null): Promise<void> {
    const names = new Set(this.#names)
    const roles = await this.#roles.current()
    // Roles that cannot be read are a warning of their own.
    if (roles.size === 0) return
    for (const [role, { capabilities }] of roles) {
      // WordPress also takes the name of a role for a capability.
      names.add(role)
      for (const name of capabilities.keys()) names.add(name)
    }
    if (names.has(capability)) return
    const fields = { capability, nearest: nearest(capability, names), ...(place && { place }) }
    logError(this.#log, 'checked-capability-unknown', fields)
  }
}

/** Warns of the options that name a capability which no role grants. A role of a plugin may come to the database later, so this stops no start. */
export async function warnOfUnknownOptionCapabilities(
  { rest_default_capability: defaultCapability, uploads }: ResolvedOptions,
  roles: StoredRoles,
  log: Log,
): Promise<void> {
  const readers = uploads?.permission
  const named = [
    ['rest_default_capability', defaultCapability],
    ['uploads.permission', readers === 'public' ? null : readers],
  ].filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  if (named.length === 0) return
  const granted = new Set<string>()
  for (const { capabilities } of (await roles.current()).values())
    for (const [name, isGranted] of capabilities) if (isGranted) granted.add(name)
  // Roles that cannot be read are a warning of their own.
  if (granted.size === 0) return
  for (const [option, capability] of named)
    if (!granted.has(capability))
      logError(log, 'capability-unknown', { option, capability, nearest: nearest(capability, granted) })
}
