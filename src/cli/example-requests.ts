import { callerOfRole } from '../auth/capabilities.js'
import { defaultRoles } from '../auth/default-roles.js'
import { callerCan } from '../auth/meta-capabilities.js'
import type { RouteSummary } from '../routing/route-summary.js'
import { shellQuoted } from './shell.js'

type ArgumentSchema = RouteSummary['args']
type ArgumentRules = ArgumentSchema[string]

/**
 * Three `curl` commands that succeed: a public read, a read with credentials, and a write with credentials. They use routes
 * without path parameters whose required arguments have an example value. Streams of events, which do not end, and routes
 * that require an idempotency key are left out. When the application has no such route, a command uses one of the service's
 * own routes.
 * @param root `http://localhost:8080/wp-json`
 * @param credentials `login:password`, quoted for a shell.
 */
export function exampleRequests(routes: readonly RouteSummary[], root: string, credentials: string): readonly string[] {
  const callable = routes.filter(
    ({ route, args, isEventStream, idempotencyKey }) =>
      /^[\w/-]+$/.test(route) && exampleBody(args) !== null && !isEventStream && idempotencyKey !== 'required',
  )
  const write = callable.find(({ method, args }) => method === 'POST' && requiredIn(args).length > 0)
  const reads = callable.filter(({ method, args }) => method === 'GET' && requiredIn(args).length === 0)
  const publicReads = reads.filter(({ requirement }) => requirement.kind === 'anyone')
  const publicRead = publicReads.find((route) => write && pathOf(route) === pathOf(write)) ?? publicReads[0]
  const protectedRead = reads.find(({ requirement }) => admitsAdministrator(requirement))
  const body = JSON.stringify(write ? exampleBody(write.args) : { name: 'My first program' })
  const url = (path: string) => shellQuoted(`${root}${path}`)
  return [
    `curl ${url(publicRead ? `${pathOf(publicRead)}${pageQuery(publicRead)}` : '/')}`,
    `curl -u ${credentials} ${url(protectedRead ? pathOf(protectedRead) : '/wp/v2/users/me')}`,
    `curl -u ${credentials} -H 'Content-Type: application/json' -d ${shellQuoted(body)} ${url(write ? pathOf(write) : '/wp/v2/users/me/application-passwords')}`,
  ]
}

function pathOf({ namespace, route }: RouteSummary): string {
  return `/${namespace}${route}`
}

/** Whether the requirement excludes anonymous callers and admits an administrator. The result of a callback is unknown. */
function admitsAdministrator(requirement: RouteSummary['requirement']): boolean {
  if (requirement.kind === 'logged-in') return true
  return requirement.kind === 'capability' && callerCan(callerOfRole('administrator', defaultRoles), requirement.name)
}

function pageQuery({ args }: RouteSummary): string {
  return Object.hasOwn(args, 'per_page') ? '?per_page=3' : ''
}

function requiredIn(args: ArgumentSchema): [string, ArgumentRules][] {
  return Object.entries(args).filter(([, rules]) => rules.required === true)
}

/** Example values of the required arguments; null when one of them has no example. */
function exampleBody(args: ArgumentSchema): Record<string, unknown> | null {
  const values = requiredIn(args).map(([name, rules]) => [name, exampleValue(name, rules)] as const)
  return values.some(([, value]) => value === undefined) ? null : Object.fromEntries(values)
}

/** Rules that an example value may break. An argument with one of them has no example. */
const restrictingRules = [
  'format',
  'pattern',
  'validate_callback',
  'minLength',
  'maxLength',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'minProperties',
  'properties',
  'anyOf',
  'oneOf',
] as const satisfies readonly (keyof ArgumentRules)[]

/** A valid value of the argument; undefined when there is no example. */
function exampleValue(name: string, rules: ArgumentRules): unknown {
  const { type, enum: allowed, minimum, default: fallback } = rules
  if (fallback !== undefined) return fallback
  if (allowed?.[0] !== undefined) return allowed[0]
  if (restrictingRules.some((rule) => rules[rule] !== undefined)) return undefined
  // A route that takes files reads a form, and the machine may have no file that it accepts.
  if (type === 'file' || rules.items?.type === 'file') return undefined
  switch (Array.isArray(type) ? (type[0] as unknown) : type) {
    case 'integer':
      return minimum === undefined ? 1 : Math.ceil(minimum)
    case 'number':
      return minimum ?? 9.5
    case 'boolean':
      return true
    case 'array':
      return []
    case 'object':
      return {}
    default:
      return `My first ${name}`
  }
}
