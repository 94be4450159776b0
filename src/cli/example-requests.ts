import type { ArgumentRules, ArgumentSchema } from '../arguments/rules.js'
import type { RouteSummary } from '../service/route-summary.js'

/**
 * Three commands that work when pasted: a public read, a read that needs credentials, and a write. The index stands in
 * where an application has no such route.
 * @param root `http://localhost:8080/wp-json`
 * @param credentials `login:password`, quoted for a shell.
 */
export function exampleRequests(routes: readonly RouteSummary[], root: string, credentials: string): readonly string[] {
  const plain = routes.filter(({ route }) => /^[\w/-]+$/.test(route))
  const address = ({ namespace, route }: RouteSummary) => `${root}/${namespace}${route}`
  const read = plain.find(({ method, requirement }) => method === 'GET' && requirement.kind === 'anyone')
  const closed = plain.find(({ method, requirement }) => method === 'GET' && requirement.kind !== 'anyone')
  const write =
    plain.find(({ method, args }) => method === 'POST' && requiredIn(args).length > 0) ??
    plain.find(({ method }) => method === 'POST')
  return [
    `curl ${read ? `'${address(read)}${pageQuery(read)}'` : `'${root}/'`}`,
    `curl -u ${credentials} ${closed ? `'${address(closed)}'` : `'${root}/'`}`,
    write
      ? `curl -u ${credentials} -H 'Content-Type: application/json' -d '${JSON.stringify(exampleBody(write.args))}' '${address(write)}'`
      : `curl -i -X OPTIONS '${root}/'`,
  ]
}

function pageQuery({ args }: RouteSummary): string {
  return Object.hasOwn(args, 'per_page') ? '?per_page=3' : ''
}

function requiredIn(args: ArgumentSchema): [string, ArgumentRules][] {
  return Object.entries(args).filter(([, rules]) => rules.required === true)
}

function exampleBody(args: ArgumentSchema): Record<string, unknown> {
  return Object.fromEntries(requiredIn(args).map(([name, rules]) => [name, exampleValue(name, rules)]))
}

function exampleValue(name: string, { type, enum: allowed, minimum, default: fallback }: ArgumentRules): unknown {
  if (fallback !== undefined) return fallback
  if (allowed?.[0] !== undefined) return allowed[0]
  switch (Array.isArray(type) ? (type[0] as unknown) : type) {
    case 'integer':
      return minimum ?? 1
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
