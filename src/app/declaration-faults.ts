import { fault, type Fault } from '../base/fault.js'
import { maxFiles } from '../http/multipart.js'
import { isFinalStatus } from '../http/rest-response.js'
import { argumentDiagnostics } from '../validation/argument-diagnostics.js'
import { responseDiagnostics } from '../validation/response-faults.js'
import type { ArgumentSchema, SanitizeCallback } from '../validation/rules.js'
import { isStandardSchema } from '../validation/standard-schema.js'
import { isMap } from '../php/array-shape.js'
import { declarationKeys, endpointKeys, methods, type RouteDeclaration } from '../routing/declaration.js'
import { cutPattern } from '../pcre/literal-beginning.js'
import { lostBackslash, lowerPattern, PatternError, routePattern } from '../pcre/pattern.js'
import { exponentialRisk } from '../pcre/safety.js'
import { libraryArgumentFaults } from './library-argument-faults.js'
import { idempotencyKeyFault } from './idempotency-key-faults.js'
import { rateLimitFault } from './rate-limit-faults.js'
import { aroundReason } from './around-reason.js'
import { isEndpoint, type ServedRoute } from '../routing/handler-class.js'
import { suggestion } from '../base/nearest.js'
import { describeValue } from './describe-value.js'
import { permissionFault, targetFault, type ClassOfRoute } from './target-faults.js'

/** The result of the check of one declaration by itself. */
export interface DeclarationCheck {
  readonly faults: readonly Fault[]
  /** Whether namespace, method and pattern are valid, so that the declaration can be compared with others. */
  readonly isComparable: boolean
}

/** The data that the checks of all declarations share. */
export interface DeclarationContext extends ClassOfRoute {
  readonly sanitizers: ReadonlyMap<string, SanitizeCallback>
  /**
   * The parts of valid patterns that follow the literal beginning. A part that is in the set is not checked again; each check
   * adds its own.
   */
  readonly validPatternEnds: Set<string>
  /** Valid rules of arguments as text. Rules in the set are not checked again; each check adds its own. */
  readonly validRules: Set<string>
}

/** Maximum of `body_limit`: 1 GiB. */
const maxBodyLimit = 1_073_741_824

/** Checks one declaration: its namespace, route, method, permission, arguments and further members. */
export function checkDeclaration(route: ServedRoute, context: DeclarationContext): DeclarationCheck {
  const { sanitizers, validPatternEnds, validRules } = context
  const { declaration } = route
  if (!isMap(declaration)) {
    return { faults: [noDeclaration(declaration)], isComparable: false }
  }
  const keyFaults = present([
    namespaceFault(declaration.namespace),
    methodFault(declaration.method),
    patternFault(declaration.route, validPatternEnds),
  ])
  const otherFaults = present([
    targetFault(route),
    permissionFault(route, context),
    flagFault(declaration, 'allow_batch'),
    flagFault(declaration, 'show_in_index'),
    flagFault(declaration, 'additional_args') ?? additionalArgsFault(declaration),
    schemaFault(declaration.schema),
    cacheFault(declaration),
    argsFault(declaration.args),
    aroundFault(declaration.around, "'around'"),
    timeoutFault(declaration.timeout),
    rateLimitFault(declaration.rate_limit),
    idempotencyKeyFault(declaration),
    eventStreamFault(declaration),
    bodyLimitFault(declaration.body_limit),
    maxFilesFault(declaration.max_files),
    isEndpoint(route.source)
      ? null
      : aroundFault(Reflect.get(route.source, 'around'), "the static 'around' of its class"),
    responsesFault(declaration.responses),
    dependenciesFault(declaration, isEndpoint(route.source)),
  ])
  const { args } = declaration
  const ruleFaults =
    isMap(args) && !isStandardSchema(args) ? argumentDiagnostics(withRules(args), sanitizers, validRules) : []
  const libraryFaults = keyFaults.length === 0 ? libraryArgumentFaults(declaration) : []
  const responseFaults = isMap(declaration.responses)
    ? Object.entries(declaration.responses).flatMap(([status, schema]) =>
        isStandardSchema(schema) ? [] : responseDiagnostics(status, schema),
      )
    : []
  return {
    faults: [
      ...unknownKeys(declaration, isEndpoint(route.source)),
      ...keyFaults,
      ...otherFaults,
      ...ruleFaults,
      ...libraryFaults,
      ...responseFaults,
    ],
    isComparable: keyFaults.length === 0,
  }
}

/** The declaration of `@AsRestRoute list() {}` is the method itself. */
function noDeclaration(declaration: unknown): Fault {
  return typeof declaration === 'function'
    ? fault(
        'declaration-missing',
        "@AsRestRoute needs its declaration: @AsRestRoute({ namespace: 'shop/v1', route: '/items' }).",
      )
    : fault(
        'declaration-invalid',
        `the declaration is ${describeValue(declaration)}, but must be an object: { namespace: 'shop/v1', route: '/items' }.`,
      )
}

function present(faults: readonly (Fault | null)[]): Fault[] {
  return faults.flatMap((each) => each ?? [])
}

function unknownKeys(declaration: object, isOfEndpoint: boolean): Fault[] {
  const keys = isOfEndpoint ? endpointKeys : declarationKeys
  return Object.keys(declaration)
    .filter((key) => !keys.includes(key))
    .map((key) =>
      fault('declaration-key-unknown', `'${key}' is not a key of a declaration.${suggestionFor(key, keys)}`),
    )
}

/** Keys of WordPress's `register_rest_route` that have another name here, or none. */
const wordpressKeyHints = new Map([
  ['methods', " Did you mean 'method'? There is one @AsRestRoute for each."],
  ['permission_callback', " Did you mean 'permission'?"],
  ['callback', ' The method that carries the declaration is the callback.'],
  [
    'dependencies',
    ' A class takes its dependencies in the constructor: constructor(private records = inject(RecordStore)) {}',
  ],
])

function suggestionFor(wrong: string, keys: readonly string[]): string {
  return wordpressKeyHints.get(wrong) ?? suggestion(wrong, keys)
}

/** The namespace is part of the pattern, so its name contains no characters that have a meaning in a pattern. */
function namespaceFault(namespace: unknown): Fault | null {
  const isValid =
    typeof namespace === 'string' && /^[^/\s()[\]{}^$*+?|\\]+(?:\/[^/\s()[\]{}^$*+?|\\]+)*\/v\d+$/.test(namespace)
  return isValid
    ? null
    : fault(
        'namespace-invalid',
        `namespace ${describeValue(namespace)} must read '<name>/v<N>', for example 'shop/v1'.`,
      )
}

function methodFault(method: unknown): Fault | null {
  const validMethods: readonly unknown[] = methods
  if (method === undefined || validMethods.includes(method)) return null
  if (Array.isArray(method)) return fault('method-list', 'method is a list. Write one @AsRestRoute for each method.')
  const names = typeof method === 'string' ? method.toUpperCase().split(/[\s,|]+/) : []
  if (names.length > 1 && names.every((name) => validMethods.includes(name)))
    return fault(
      'method-list',
      `method ${describeValue(method)} names several. Write one @AsRestRoute for each method.`,
    )
  const upper = typeof method === 'string' ? method.toUpperCase() : null
  const correction = validMethods.includes(upper) ? ` Write '${upper}'.` : ''
  return fault('method-unknown', `method ${describeValue(method)} is not one of ${methods.join(', ')}.${correction}`)
}

function patternFault(route: unknown, validPatternEnds: Set<string>): Fault | null {
  if (typeof route !== 'string' || !route.startsWith('/'))
    return fault('route-invalid', `route ${describeValue(route)} must start with '/'.`)
  // The index answers GET, and no path leads to other methods, because slashes at the end do not count.
  if (/^\/+$/.test(route))
    return fault(
      'route-of-index',
      `route '${route}' can never be reached: the path of a namespace belongs to its index. Give it a name: '/items'.`,
    )
  const foreign = foreignParameter(route)
  if (foreign !== null) return fault('route-parameter-invalid', `route '${route}': ${foreign}`)
  const { literal, rest } = cutPattern(route)
  if (literal !== '' && validPatternEnds.has(rest)) return null
  const lost = lostBackslash(route)
  if (lost !== null) return fault('pattern-backslash-lost', `route '${route}': ${lost}`)
  try {
    const lowered = lowerPattern(route, routePattern)
    const risk = exponentialRisk(lowered)
    if (risk !== null) return fault('pattern-slow', `route '${route}' cannot be used: ${risk}`)
    if (literal !== '' && lowered.root.kind !== 'alternation') validPatternEnds.add(rest)
    return null
  } catch (error) {
    if (error instanceof PatternError)
      return fault('pattern-invalid', `route '${route}' cannot be used: ${error.sentence}`)
    throw error
  }
}

/** Parameters as other frameworks write them, `/:id` or `/{id}`. They are literal text in a pattern. */
function foreignParameter(route: string): string | null {
  const [, written, name] = /\/([:{]\*?([A-Za-z_]\w*)\??\}?)/.exec(route.replaceAll(/\[[^\]]*\]/g, '[]')) ?? []
  return written === undefined ? null : `'${written}' is not a parameter, but text. Write (?P<${name}>[^/]+).`
}

function flagFault(
  declaration: RouteDeclaration,
  key: 'allow_batch' | 'show_in_index' | 'additional_args',
): Fault | null {
  const value: unknown = declaration[key]
  return value === undefined || typeof value === 'boolean'
    ? null
    : fault('declaration-flag-invalid', `'${key}' is ${describeValue(value)}, but must be true or false.`)
}

function schemaFault(schema: unknown): Fault | null {
  return schema === undefined || isMap(schema)
    ? null
    : fault('schema-invalid', `'schema' is ${describeValue(schema)}, but must be a JSON Schema: { type: 'object' }.`)
}

function cacheFault({ cache, method = 'GET', permission }: RouteDeclaration): Fault | null {
  const value: unknown = cache
  if (value === undefined) return null
  const { seconds, tags, ...others } = isMap(value) ? value : { seconds: value }
  if (!Number.isSafeInteger(seconds) || Number(seconds) < 1)
    return fault(
      'cache-invalid',
      `'cache' is ${describeValue(value)}, but must be a whole number of seconds from 1 on, or { seconds, tags }.`,
    )
  const [other] = Object.keys(others)
  if (other !== undefined)
    return fault('cache-key-unknown', `'${other}' is not a key of 'cache'. Use one of: seconds, tags.`)
  if (tags !== undefined && !(Array.isArray(tags) && tags.every((tag) => typeof tag === 'string')))
    return fault(
      'cache-tags-invalid',
      `the tags of 'cache' are ${describeValue(tags)}, but must be a list of types of records, such as ['product'].`,
    )
  if (method !== 'GET')
    return fault(
      'cache-not-get',
      `'cache' is for GET: a response to ${describeValue(method)} is never cached. Remove it.`,
    )
  return permission === 'public'
    ? null
    : fault(
        'cache-not-public',
        `'cache' is for public routes: only responses that every caller may see are cached. Remove it, or add permission: 'public'.`,
      )
}

function eventStreamFault({ event_stream: value, method = 'GET', cache }: RouteDeclaration): Fault | null {
  if (value === undefined || value === false) return null
  if (value !== true)
    return fault('event-stream-invalid', `'event_stream' is ${describeValue(value)}, but must be true or false.`)
  if (method !== 'GET')
    return fault('event-stream-invalid', `'event_stream' is for GET, the only method by which browsers read events.`)
  return cache === undefined
    ? null
    : fault(
        'event-stream-invalid',
        `'event_stream' and 'cache' exclude each other: the response of an event stream does not end, so it cannot be cached.`,
      )
}

function bodyLimitFault(limit: unknown): Fault | null {
  if (limit === undefined) return null
  return Number.isSafeInteger(limit) && Number(limit) >= 0 && Number(limit) <= maxBodyLimit
    ? null
    : fault(
        'body-limit-invalid',
        `'body_limit' is ${describeValue(limit)}, but must be a whole number of bytes up to ${maxBodyLimit.toLocaleString('en')}.`,
      )
}

function maxFilesFault(files: unknown): Fault | null {
  if (files === undefined) return null
  return Number.isSafeInteger(files) && Number(files) >= 0 && Number(files) <= maxFiles
    ? null
    : fault(
        'max-files-invalid',
        `'max_files' is ${describeValue(files)}, but must be a whole number from 0 to ${maxFiles.toLocaleString('en')}.`,
      )
}

function timeoutFault(timeout: unknown): Fault | null {
  if (timeout === undefined) return null
  return typeof timeout === 'number' && timeout >= 0 && timeout <= 86_400
    ? null
    : fault(
        'timeout-invalid',
        `'timeout' is ${describeValue(timeout)}, but must be a number of seconds up to 86,400, or 0 for no limit.`,
      )
}

function aroundFault(around: unknown, subject: string): Fault | null {
  if (around === undefined) return null
  if (!Array.isArray(around))
    return fault(
      'around-invalid',
      `${subject} is ${describeValue(around)}, but must be a list of functions: [async (request, next) => next()].`,
    )
  for (const [index, entry] of around.entries()) {
    const reason = aroundReason(entry)
    if (reason !== null) return fault('around-invalid', `entry ${index} of ${subject} ${reason}`)
  }
  return null
}

function dependenciesFault({ dependencies }: RouteDeclaration, isOfEndpoint: boolean): Fault | null {
  const value: unknown = dependencies
  if (value === undefined || !isOfEndpoint) return null
  if (!isMap(value))
    return fault(
      'dependencies-invalid',
      `'dependencies' is ${describeValue(value)}, but must map names to classes: { records: RecordStore }.`,
    )
  const wrong = Object.keys(value).find((name) => typeof value[name] !== 'function')
  return wrong === undefined
    ? null
    : fault(
        'dependencies-invalid',
        `the dependency '${wrong}' is ${describeValue(value[wrong])}, but must be a class: { records: RecordStore }.`,
      )
}

function responsesFault(responses: unknown): Fault | null {
  if (responses === undefined) return null
  if (!isMap(responses))
    return fault(
      'responses-invalid',
      `'responses' is ${describeValue(responses)}, but must map statuses to schemas: { 200: { type: 'object', properties: {} } }.`,
    )
  const wrong = Object.keys(responses).find((status) => !isFinalStatus(Number(status)))
  return wrong === undefined
    ? null
    : fault('responses-invalid', `'${wrong}' in 'responses' is not the status of a final response, such as 200 or 404.`)
}

function additionalArgsFault({ args, additional_args: additional }: RouteDeclaration): Fault | null {
  return additional !== undefined && isStandardSchema(args)
    ? fault(
        'additional-args-invalid',
        `'additional_args' is for rules. Remove it, and use a strict object of ${vendorOf(args)}.`,
      )
    : null
}

function vendorOf(schema: unknown): string {
  return isStandardSchema(schema) ? schema['~standard'].vendor : 'a library'
}

/** The arguments with rules. A schema of a library in place of rules is reported by itself. */
function withRules(args: ArgumentSchema): ArgumentSchema {
  return Object.fromEntries(Object.entries(args).filter(([, rules]) => !isStandardSchema(rules)))
}

function argsFault(args: unknown): Fault | null {
  if (args === undefined || isStandardSchema(args)) return null
  if (!isMap(args))
    return fault(
      'args-invalid',
      `'args' is ${describeValue(args)}, but must map the name of each argument to its rules.`,
    )
  const name = Object.keys(args).find((each) => isStandardSchema(args[each]))
  return name === undefined
    ? null
    : fault(
        'args-invalid',
        `the rules of argument '${name}' are a schema of ${vendorOf(args[name])}. Write one schema for all arguments: args: z.object({ ${name}: … }).`,
      )
}
