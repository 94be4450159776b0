import { isMap } from '../php/array-shape.js'
import { parseJson } from '../php/json-parser.js'
import { decodeBytes } from '../php/text.js'
import { methods, type Method } from '../routing/declaration.js'
import { ruleShapes } from '../validation/rule-shapes.js'
import { typeNames } from '../validation/rules.js'

/** An endpoint as the index of a namespace describes it. */
interface DescribedEndpoint {
  readonly path: string
  readonly method: Method
  readonly args: Readonly<Record<string, unknown>>
}

const supportedTypes: ReadonlySet<unknown> = new Set(typeNames)
/** Maximum nesting of rules. */
const maxDepth = 10
const maxRoutes = 1000
/** Maximum number of values in one index. */
const maxValues = 500_000

/** Decodes an index of the REST API. @throws Error when it is not JSON, or has too many values. */
export const decodedIndex = (bytes: Uint8Array): unknown => parseJson(decodeBytes(bytes), { maxValues })

/** The namespaces in the decoded response to `GET /wp-json/`; null when the value is not such a response. */
export function namespacesIn(index: unknown): readonly string[] | null {
  if (!isMap(index) || !Array.isArray(index['namespaces'])) return null
  return (index['namespaces'] as unknown[]).filter((name) => typeof name === 'string')
}

/**
 * Declarations in TypeScript for the routes of one namespace, each with a handler that answers 501 until it is written.
 * @param index the decoded response to `GET /wp-json/<namespace>`. It is not trusted: its texts are printed as literals.
 * @param origin printed in a comment.
 */
export function declarationSource(namespace: string, index: unknown, origin: string): string {
  const endpoints = endpointsIn(namespace, index)
  const names = uniqueNames(endpoints)
  const className = `${words(namespace).map(capitalized).join('') || 'Shop'}Api`
  const imports =
    endpoints.length === 0 ? '' : `import { AsRestRoute, RestResponse, route, type RequestOf } from 'as-rest-route'\n`
  const blocks = endpoints.map((endpoint, position) => declarationOf(namespace, endpoint, names[position] ?? ''))
  return [
    `// The routes of ${comment(namespace)} at ${comment(origin)}, written by as-rest-route.`,
    '// WordPress does not say who may call a route, and not what its callbacks check. Each declaration without `permission`',
    '// is closed: add it, and write the handler. Until then the route answers 501.',
    imports,
    ...blocks,
    `export class ${className} {`,
    endpoints.map((_, position) => handlerOf(names[position] ?? '')).join('\n\n'),
    '}',
    '',
    'function notWritten() {',
    "  return new RestResponse({ code: 'not_written', message: 'This handler is not written yet.' }, 501)",
    '}',
    '',
  ].join('\n')
}

function endpointsIn(namespace: string, index: unknown): DescribedEndpoint[] {
  const routes = isMap(index) && isMap(index['routes']) ? index['routes'] : {}
  const endpoints: DescribedEndpoint[] = []
  for (const [route, described] of Object.entries(routes).slice(0, maxRoutes)) {
    const path = route.slice(namespace.length + 1)
    if (!route.startsWith(`/${namespace}/`) || !isMap(described) || !Array.isArray(described['endpoints'])) continue
    for (const endpoint of described['endpoints'] as unknown[]) {
      if (!isMap(endpoint) || !Array.isArray(endpoint['methods'])) continue
      for (const method of methods)
        if (endpoint['methods'].includes(method))
          endpoints.push({ path, method, args: isMap(endpoint['args']) ? endpoint['args'] : {} })
    }
  }
  return endpoints
}

function declarationOf(namespace: string, { path, method, args }: DescribedEndpoint, name: string): string {
  const dropped: string[] = []
  const rules = Object.entries(args).map(
    ([argument, schema]) => [argument, rulesOf(schema, argument, dropped, 0)] as const,
  )
  const lines = [
    `  namespace: ${literal(namespace, 2)},`,
    `  route: ${literal(path, 2)},`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(rules.length === 0 ? [] : [`  args: ${literal(new Map(rules), 2)},`]),
  ]
  const note = dropped.length === 0 ? '' : `// Left out, because it is no rule here: ${comment(dropped.join(', '))}.\n`
  return `${note}const ${name} = route({\n${lines.join('\n')}\n})\n`
}

const handlerOf = (name: string): string =>
  [
    '  /** Not written yet. */',
    `  @AsRestRoute(${name})`,
    `  ${name}(_request: RequestOf<typeof ${name}>) {`,
    '    return notWritten()',
    '  }',
  ].join('\n')

/** The rules that the start accepts. @param dropped gets the names of the others. */
function rulesOf(schema: unknown, name: string, dropped: string[], depth: number): ReadonlyMap<string, unknown> {
  const rules = new Map<string, unknown>()
  if (!isMap(schema) || depth > maxDepth) return rules
  const { type } = schema
  const types = (Array.isArray(type) ? (type as unknown[]) : [type]).filter((typeName) => supportedTypes.has(typeName))
  if (types.length > 0) rules.set('type', types.length === 1 ? types[0] : types)
  for (const [rule, value] of Object.entries(schema)) {
    if (rule === 'type' || (rule === 'required' && value === false)) continue
    const shape = Object.hasOwn(ruleShapes, rule) ? ruleShapes[rule as keyof typeof ruleShapes] : undefined
    const isForType = shape?.types == null || shape.types.some((typeName) => types.includes(typeName))
    const ruleValue =
      shape === undefined || !isForType ? undefined : nestedRules(rule, value, `${name}.${rule}`, dropped, depth)
    // PHP writes an empty map as a list.
    const fits = ruleValue instanceof Map || shape?.fits(value) === true
    if (ruleValue === undefined || !fits) dropped.push(`${name}.${rule}`)
    else rules.set(rule, ruleValue)
  }
  return rules
}

function nestedRules(rule: string, value: unknown, name: string, dropped: string[], depth: number): unknown {
  const below = (schema: unknown, key: string) => rulesOf(schema, `${name}.${key}`, dropped, depth + 1)
  switch (rule) {
    case 'items':
      return rulesOf(value, name, dropped, depth + 1)
    case 'additionalProperties':
      return isMap(value) ? rulesOf(value, name, dropped, depth + 1) : value
    case 'properties':
    case 'patternProperties':
      return new Map(isMap(value) ? Object.entries(value).map(([key, schema]) => [key, below(schema, key)]) : [])
    case 'anyOf':
    case 'oneOf':
      return Array.isArray(value)
        ? value.map((schema: unknown, position) => below(schema, String(position)))
        : undefined
    default:
      return value
  }
}

function uniqueNames(endpoints: readonly DescribedEndpoint[]): string[] {
  const used = new Set<string>()
  return endpoints.map(({ path, method }) => {
    const parts = path.replace(/\(\?P?<(\w+)>[^/]*\)/g, ' by $1 ')
    const name = `${method.toLowerCase()}${words(parts).map(capitalized).join('')}`.slice(0, 60)
    let unique = name
    for (let number = 2; used.has(unique); number += 1) unique = `${name}${number}`
    used.add(unique)
    return unique
  })
}

const words = (text: string): string[] => text.match(/[A-Za-z0-9]+/g) ?? []
const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** A text in one line of a comment. */
const comment = (text: string): string => escaped(text).slice(0, 500)

/** A text as JSON, without quotes. */
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

/** A value in TypeScript. Maps are objects. */
function literal(value: unknown, indent: number): string {
  if (typeof value === 'string') return `'${escaped(value).replace(/\\"/g, '"').replace(/'/g, "\\'")}'`
  const isList = Array.isArray(value)
  if (!isList && (typeof value !== 'object' || value === null)) return JSON.stringify(value) ?? 'undefined'
  const inner = indent + 2
  const members = isList
    ? value.map((item) => literal(item, inner))
    : entriesOf(value).map(([key, item]) => `${keyText(key)}: ${literal(item, inner)}`)
  if (members.length === 0) return isList ? '[]' : '{}'
  const [open, close, padding] = isList ? ['[', ']', ''] : ['{', '}', ' ']
  const line = `${open}${padding}${members.join(', ')}${padding}${close}`
  if (line.length + indent < 100 && !line.includes('\n')) return line
  return `${open}\n${members.map((member) => `${' '.repeat(inner)}${member},\n`).join('')}${' '.repeat(indent)}${close}`
}

const entriesOf = (value: object): [string, unknown][] =>
  value instanceof Map ? [...(value as ReadonlyMap<string, unknown>)] : Object.entries(value)

function keyText(key: string): string {
  if (key === '__proto__') return "['__proto__']"
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key, 0)
}
