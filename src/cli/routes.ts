import { inspect, openAccounts } from '../boot.js'
import { placeText } from '../discovery/place.js'
import { anonymous, type Caller } from '../permission/caller.js'
import { callerOfRole } from '../permission/capabilities.js'
import { defaultRoles } from '../permission/default-roles.js'
import { callerCan } from '../permission/meta-capabilities.js'
import type { Requirement } from '../permission/requirement.js'
import { defaultCapabilityOf } from '../service/settings.js'
import { summaryOf, type RouteSummary } from '../service/route-summary.js'
import { applicationAt, databaseOption } from './application.js'
import { CommandFailed } from './fail.js'
import type { Output } from './output.js'

export interface RoutesOptions {
  readonly json?: boolean
  readonly as?: string
  readonly database?: string
}

/** Prints what an application declares, and who may call it. */
export async function listRoutes(folder: string, options: RoutesOptions, output: Output): Promise<void> {
  const { handlers, configuration } = await applicationAt(folder)
  const plan = await inspect(handlers)
  const routes = plan.routes.map((route) => summaryOf(route, defaultCapabilityOf(plan.options)))
  const caller =
    options.as === undefined
      ? null
      : await callerNamed(options.as, { ...configuration, ...databaseOption(options.database) })
  if (options.json) {
    output.json(
      routes.map((route) => ({ ...forJson(route), ...(caller && { allowed: mayCall(caller, route.requirement) }) })),
    )
    return
  }
  const rows = routes.map((route) => [
    ...(caller ? [verdictText(mayCall(caller, route.requirement))] : []),
    route.method,
    `/${route.namespace}${route.route}`,
    requirementText(route.requirement),
    route.handler,
    placeText(route.place),
  ])
  output.table([...(caller ? [`AS ${options.as}`] : []), 'METHOD', 'ROUTE', 'WHO', 'HANDLER', 'WHERE'], rows)
  if (plan.faults.length > 0)
    output.line(`\n${plan.faults.length} faults: this application does not start. See: as-rest-route check`)
}

function forJson({ method, namespace, route, handler, requirement, args, place }: RouteSummary) {
  return {
    method,
    namespace,
    route,
    permission: requirement,
    handler,
    args,
    file: place?.file ?? null,
    line: place?.line ?? null,
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

/** `null` when only a request can tell: a callback decides. */
function mayCall(caller: Caller, requirement: Requirement): boolean | null {
  if (requirement.kind === 'anyone') return true
  if (requirement.kind === 'logged-in') return caller.id !== 0
  return requirement.kind === 'capability' ? callerCan(caller, requirement.name) : null
}

function verdictText(verdict: boolean | null): string {
  return verdict === null ? 'callback decides' : verdict ? 'yes' : 'no'
}

async function callerNamed(name: string, options: Parameters<typeof openAccounts>[0]): Promise<Caller> {
  if (name === 'anonymous') return anonymous
  const role = defaultRoles.get(name)
  if (role) return callerOfRole(name, defaultRoles)
  const accounts = await openAccounts(options)
  try {
    const user = await accounts.users.find(name)
    if (user) return user
  } finally {
    await accounts.close()
  }
  throw new CommandFailed(
    `'${name}' is neither a role (${[...defaultRoles.keys()].join(', ')}), nor a user, nor 'anonymous'.`,
  )
}
