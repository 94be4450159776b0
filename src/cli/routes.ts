import { openAccounts } from '../app/accounts.js'
import { inspect, type Plan } from '../app/plan.js'
import { sourceLocationText } from '../routing/source-location.js'
import { anonymous, type Caller } from '../http/caller.js'
import { callerOfRole } from '../auth/capabilities.js'
import { withDeclaredRoles } from '../auth/declared-roles.js'
import { defaultRoles } from '../auth/default-roles.js'
import type { Requirement } from '../auth/requirement.js'
import { isAboutData } from '../app/resolve-options.js'
import { summaryOf, type RouteSummary } from '../routing/route-summary.js'
import { handlersAt, databaseOption, requireDatabase, type DataOptions } from './application.js'
import { CommandError } from './command-error.js'
import type { Output } from './output.js'
import { mayCall } from './who-may-call.js'

export interface RoutesOptions {
  readonly json?: boolean
  readonly as?: string
  readonly database?: string
}

/** A row of the list. */
interface Row extends RouteSummary {
  /** Whether the caller of `--as` may call the route; null when that depends on the request. Absent without `--as`. */
  readonly allowed?: boolean | null
}

/** Prints the routes of an application and their permissions. */
export async function listRoutes(folder: string, options: RoutesOptions, output: Output): Promise<void> {
  const { handlers, configuration } = await handlersAt(folder)
  // Permission methods are called for `--as`, and belong to an instance.
  const builds = options.as !== undefined
  const plan = await inspect(handlers, databaseOption(options.database), configuration, { builds })
  const caller = options.as === undefined ? null : await callerNamed(options.as, plan, { app: folder, ...options })
  const rows: Row[] = []
  for (const route of plan.application.routes) {
    const summary = summaryOf(route, plan.options.rest_default_capability)
    rows.push(caller ? { ...summary, allowed: await mayCall(caller, route, plan) } : summary)
  }
  await plan.lifecycle.end()
  if (options.json) output.json(rows.map(jsonOf))
  else {
    const head = ['METHOD', 'ROUTE', 'WHO', 'HANDLER', 'WHERE']
    output.table(options.as === undefined ? head : [`AS ${options.as}`, ...head], rows.map(cellsOf))
  }
  if (plan.diagnostics.length > 0) {
    const count = plan.diagnostics.length === 1 ? 'one fault' : `${plan.diagnostics.length} faults`
    throw new CommandError('application-faulty', `This application does not start: ${count}. See: as-rest-route check`)
  }
}

function cellsOf({ allowed, method, namespace, route, requirement, handler, place }: Row): string[] {
  return [
    ...(allowed === undefined ? [] : [verdictText(allowed)]),
    method,
    `/${namespace}${route}`,
    requirementText(requirement),
    handler,
    sourceLocationText(place),
  ]
}

function jsonOf({ method, namespace, route, handler, requirement, args, place, allowed }: Row) {
  return {
    method,
    namespace,
    route,
    permission: requirement,
    handler,
    args,
    file: place?.file ?? null,
    line: place?.line ?? null,
    ...(allowed !== undefined && { allowed }),
  }
}

function requirementText(requirement: Requirement): string {
  switch (requirement.kind) {
    case 'anyone':
      return 'anyone'
    case 'logged-in':
      return 'any logged-in user'
    case 'capability':
      return `capability ${requirement.name}`
    case 'callback':
      return `${requirement.method}()`
  }
}

function verdictText(allowed: boolean | null): string {
  return allowed === null ? 'depends on the request' : allowed ? 'yes' : 'no'
}

/**
 * The caller of `--as`: `anonymous`, a role or a user.
 * @throws CommandError when there is no such role or user, and when the database cannot be read.
 */
async function callerNamed(name: string, { options, diagnostics }: Plan, dataOptions: DataOptions): Promise<Caller> {
  if (name === 'anonymous') return anonymous
  const roles = withDeclaredRoles(defaultRoles, options.roles ?? {})
  if (roles.has(name)) return callerOfRole(name, roles)
  const diagnostic = diagnostics.find(isAboutData)
  if (diagnostic)
    throw new CommandError(
      'database-options-invalid',
      `Whether '${name}' is a user cannot be looked up. ${diagnostic.subject}: ${diagnostic.message}`,
    )
  await requireDatabase(options, dataOptions)
  const accounts = await openAccounts(options, 'read')
  try {
    const user = await accounts.users.find(name)
    if (user) return user
  } finally {
    await accounts.close()
  }
  throw new CommandError(
    'caller-missing',
    `'${name}' is neither a role (${[...roles.keys()].join(', ')}), nor a user, nor 'anonymous'.`,
  )
}
