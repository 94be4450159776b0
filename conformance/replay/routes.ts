import { isMap } from '../../src/php/array-shape.js'
import { routePathOf } from '../../src/routing/path.js'
import { routePattern, translatePattern } from '../../src/pcre/pattern.js'
import { type Handler, RouteTable } from '../../src/routing/table.js'
import { parseQuery } from '../../src/http/query.js'
import { noRoute } from '../../src/pipeline/pipeline.js'
import { unslashed } from '../records/recorded-site.js'
import type { VectorCase, VectorFile } from '../vectors.js'
import { bytesAsText, errorOf } from './recorded-form.js'
import { replayCases, type Outcome, type ReplayFile } from './replay-cases.js'

/** As PHP wrote it. */
export interface RecordedRegistration {
  readonly namespace: string
  readonly route: string
  readonly methods: string | readonly string[]
  readonly override: boolean
}

/** What answers in a table of recorded registrations. */
export interface RecordedHandler extends Handler {
  /** Its index, or what answers for a namespace. */
  readonly registration: number | 'namespace-index'
}

/** The table that these registrations make. */
export function tableOf(registrations: readonly RecordedRegistration[]): RouteTable<RecordedHandler> {
  const table = new RouteTable<RecordedHandler>(() => ({ methods: ['GET'], registration: 'namespace-index' }))
  for (const [registration, { namespace, route, methods, override }] of registrations.entries())
    table.add({ namespace, route, handler: { methods: methodsOf(methods), registration }, replace: override })
  return table
}

/** PHP may name several methods in one text; a declaration has one. */
function methodsOf(methods: string | readonly string[]): readonly string[] {
  const listed = typeof methods === 'string' ? methods.split(',') : methods
  return listed.map((method) => method.trim().toUpperCase()).filter((method) => method !== '')
}

/** The tables of a file by name. */
export function tablesOf(file: VectorFile): Map<string, RouteTable<RecordedHandler>> {
  const tables = Object.entries(file['tables'] as Record<string, RecordedRegistration[]>)
  return new Map(tables.map(([name, registrations]) => [name, tableOf(registrations)]))
}

/** `routes`: which registration answers a method and path. How often PCRE complained on the way is not asked. */
export const replayRoutes: ReplayFile = (file) => {
  const tables = tablesOf(file)
  return replayCases(file, (recorded) => {
    const table = tables.get(String(recorded['table']))
    if (!table) throw new Error(`there is no table ${String(recorded['table'])}`)
    const match = table.match(String(recorded['path']), String(recorded['method']))
    const actual = match
      ? { registration: match.handler.registration, pattern: match.route.pattern, params: match.params }
      : { error: errorOf(noRoute()) }
    return { actual: { expect: actual }, expected: { expect: without(recorded.expect, 'regexWarnings') } }
  })
}

/** `routes-register`: the patterns and namespaces of a registration. The notices of WordPress are not asked. */
export const replayRegistrations: ReplayFile = (file) =>
  replayCases(file, (recorded) => ({
    actual: { expect: registrationOf(recorded) },
    expected: { expect: without(recorded.expect, 'notice') },
  }))

function registrationOf({ namespace, route }: VectorCase): object {
  // A declaration without a namespace or a route stops the start, before there is a table.
  if (namespace === '' || route === '') return { registered: false, patterns: [], namespaces: [] }
  const table = tableOf([{ namespace: String(namespace), route: String(route), methods: 'GET', override: false }])
  return { registered: true, patterns: table.routes.map(({ pattern }) => pattern), namespaces: table.namespaces }
}

/** `routes-url`: from the address to the route path. The parameter `rest_route` on the way to it is not asked. */
export const replayUrls: ReplayFile = (file) =>
  replayCases(file, (recorded) => ({
    actual: { expect: { routePath: pathOf(String(recorded['requestUri'])) } },
    expected: { expect: without(recorded.expect, 'restRoute') },
  }))

function pathOf(requestUri: string): string | null {
  const [path = '', query = ''] = requestUri.split(/\?(.*)/s)
  const target = routePathOf(path, parseQuery(bytesAsText(query)).parameters, { rest_prefix: 'wp-json', homePath: '' })
  if (target.kind === 'refused') throw target.error
  // The call was recorded by itself, without the backslashes that WordPress puts into whatever a request brings.
  return target.kind === 'rest' ? String(unslashed(target.path)) : null
}

/** `routes-wordpress-shapes`: each shape of a named group can be used, and keeps its name. */
export const replayShapes: ReplayFile = (file) => {
  const shapes = file['shapes'] as readonly { readonly shape: string; readonly example: string }[]
  const cases = shapes.map(({ shape, example }) => ({ id: shape, rule: 'shape', expect: namesIn(example), example }))
  return replayCases({ cases }, ({ example }): Outcome => {
    return { actual: { expect: translatePattern(String(example), routePattern).names } }
  })
}

function namesIn(pattern: string): string[] {
  return [...pattern.matchAll(/\(\?P<(\w+)>/g)].map(([, name = '']) => name)
}

function without(expected: unknown, key: string): unknown {
  if (!isMap(expected)) return expected
  return Object.fromEntries(Object.entries(expected).filter(([name]) => name !== key))
}
