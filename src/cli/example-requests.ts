import type { ArgumentRules, ArgumentSchema } from '../validation/rules.js'
import { callerOfRole } from '../auth/capabilities.js'
import { defaultRoles } from '../auth/default-roles.js'
import { callerCan } from '../auth/meta-capabilities.js'
import type { RouteSummary } from '../routing/route-summary.js'
import { shellQuoted } from './shell.js'

/**
 * Three commands that work when pasted: a public read, a read that needs credentials, and a write. Only routes that an
 * administrator may call with arguments that can be made up are shown; the service's own stand in for missing ones.
 * @param root `http://localhost:8080/wp-json`
 * @param credentials `login:password`, quoted for a shell.
 */
export function exampleRequests(routes: readonly RouteSummary[], root: string, credentials: string): readonly string[] {
  const plain = routes.filter(({ route, args }) => /^[\w/-]+$/.test(route) && exampleBody(args) !== null)
  const write = plain.find(({ method, args }) => method === 'POST' && requiredIn(args).length > 0)
  const reads = plain.filter(({ method, args }) => method === 'GET' && requiredIn(args).length === 0)
  const open = reads.filter(({ requirement }) => requirement.kind === 'anyone')
  const read = open.find((some) => write && addressOf(some) === addressOf(write)) ?? open[0]
  const closed = reads.find(({ requirement }) => isForAdministrators(requirement))
  const body = JSON.stringify(write ? exampleBody(write.args) : { name: 'My first program' })
  const at = (path: string) => shellQuoted(`${root}${path}`)
  return [
    `curl ${at(read ? `${addressOf(read)}${pageQuery(read)}` : '/')}`,
    `curl -u ${credentials} ${at(closed ? addressOf(closed) : '/wp/v2/users/me')}`,
    `curl -u ${credentials} -H 'Content-Type: application/json' -d ${shellQuoted(body)} ${at(write ? addressOf(write) : '/wp/v2/users/me/application-passwords')}`,
  ]
}

function addressOf({ namespace, route }: RouteSummary): string {
  return `/${namespace}${route}`
}

function isForAdministrators(requirement: RouteSummary['requirement']): boolean {
  if (requirement.kind === 'logged-in') return true
  return requirement.kind === 'capability' && callerCan(callerOfRole('administrator', defaultRoles), requirement.name)
}

function pageQuery({ args }: RouteSummary): string {
  return Object.hasOwn(args, 'per_page') ? '?per_page=3' : ''
}

function requiredIn(args: ArgumentSchema): [string, ArgumentRules][] {
  return Object.entries(args).filter(([, rules]) => rules.required === true)
}

/** `null` when a required argument asks for more than can be guessed. */
function exampleBody(args: ArgumentSchema): Record<string, unknown> | null {
  const values = requiredIn(args).map(([name, rules]) => [name, exampleValue(name, rules)] as const)
  return values.some(([, value]) => value === undefined) ? null : Object.fromEntries(values)
}

/** Rules that narrow a value further than an example knows about. */
const narrowing = [
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

function exampleValue(name: string, rules: ArgumentRules): unknown {
  const { type, enum: allowed, minimum, default: fallback } = rules
  if (fallback !== undefined) return fallback
  if (allowed?.[0] !== undefined) return allowed[0]
  if (narrowing.some((rule) => rules[rule] !== undefined)) return undefined
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
