import { unbound } from '../base/bind-function.js'
import type { ArgumentFunctions } from '../validation/callbacks.js'
import { compileArguments, type CompiledArguments } from '../validation/compile.js'
import { argumentRulesOf } from '../validation/described-rules.js'
import { compileStandardArguments } from '../validation/standard-arguments.js'
import { itemSchemaOf } from '../validation/item-schema.js'
import { isStandardSchema } from '../validation/standard-schema.js'
import { compileResponses, type CompiledResponses } from '../validation/responses.js'
import type { ArgumentSchema } from '../validation/rules.js'
import type { Method, RouteDeclaration } from './declaration.js'
import type { CacheRule, Endpoint } from './endpoint.js'
import type { CrossOriginHeaders } from './cross-origin-headers.js'
import type { IdempotencyKey } from './idempotency-key.js'
import { rateLimitRuleOf, type RateLimitRule } from './rate-limit.js'
import { anyone, type Permission } from './permission.js'

/** The input of {@link compileEndpoint}. `declaration.namespace` is null for a route outside all namespaces. */
export interface EndpointDefinition {
  readonly declaration: Omit<RouteDeclaration, 'namespace'> & { readonly namespace: string | null }
  readonly handle: Endpoint['handle']
  /** Default: every caller is admitted. */
  readonly permission?: Permission
  /** Default: none. */
  readonly crossOrigin?: CrossOriginHeaders | null
  /** For the log. */
  readonly name: string
}

/** Compiles a declaration and the function that serves it. Every endpoint of the service is compiled here. */
export function compileEndpoint(parts: EndpointDefinition, functions: ArgumentFunctions = noFunctions): Endpoint {
  return new CompiledEndpoint(parts, functions)
}

const noFunctions: ArgumentFunctions = { sanitizers: new Map(), bind: unbound }

/** A service may have thousands of endpoints, so the properties of a declaration are read from it and not copied. */
class CompiledEndpoint implements Endpoint {
  readonly cache: CacheRule | null
  readonly handle: Endpoint['handle']
  readonly permission: Permission
  readonly crossOrigin: CrossOriginHeaders | null
  readonly rateLimit: RateLimitRule | null
  readonly isEventStream: boolean
  readonly name: string
  readonly #declaration: EndpointDefinition['declaration']
  readonly #functions: ArgumentFunctions
  #args: ArgumentSchema | null = null
  #arguments: CompiledArguments | null = null
  #itemSchema: Readonly<Record<string, unknown>> | null = null
  /** Undefined until the first response. */
  #responses: CompiledResponses | null | undefined

  constructor(
    { declaration, handle, permission = anyone, crossOrigin = null, name }: EndpointDefinition,
    functions: ArgumentFunctions,
  ) {
    this.cache = cacheRuleOf(declaration.cache)
    this.handle = handle
    this.permission = permission
    this.crossOrigin = crossOrigin
    this.rateLimit = rateLimitRuleOf(declaration)
    this.isEventStream = declaration.event_stream === true
    this.#declaration = declaration
    this.name = name
    this.#functions = functions
  }

  get namespace(): string | null {
    return this.#declaration.namespace
  }

  get route(): string {
    return this.#declaration.route
  }

  get methods(): readonly string[] {
    return methodLists[this.#declaration.method ?? 'GET']
  }

  get args(): ArgumentSchema {
    return (this.#args ??= argumentRulesOf(this.#declaration.args ?? noArguments))
  }

  get allowBatch(): boolean {
    return this.#declaration.allow_batch === true
  }

  get showInIndex(): boolean {
    return this.#declaration.show_in_index !== false
  }

  get schema(): Readonly<Record<string, unknown>> | null {
    const { schema, responses } = this.#declaration
    if (schema !== undefined) return schema
    return (this.#itemSchema ??= responses === undefined ? null : itemSchemaOf(responses))
  }

  get idempotencyKey(): IdempotencyKey | null {
    return this.#declaration.idempotency_key ?? null
  }

  get bodyLimit(): number | null {
    return this.#declaration.body_limit ?? null
  }

  get maxFiles(): number | null {
    return this.#declaration.max_files ?? null
  }

  get timeout(): number | null {
    const { timeout } = this.#declaration
    return timeout === undefined ? null : timeout * 1000
  }

  /** Compiled at the first request, because most routes of a large service are not requested soon after its start. */
  get arguments(): CompiledArguments {
    return (this.#arguments ??= compileDeclaredArguments(this.#declaration, this.#functions))
  }

  /** Compiled at the first response. */
  get responses(): CompiledResponses | null {
    if (this.#responses !== undefined) return this.#responses
    const { responses = {} } = this.#declaration
    return (this.#responses =
      Object.keys(responses).length === 0 ? null : compileResponses(responses, this.#functions.bind))
  }
}

function compileDeclaredArguments(
  { args = noArguments, additional_args: additional = true }: EndpointDefinition['declaration'],
  { sanitizers, bind }: ArgumentFunctions,
): CompiledArguments {
  return isStandardSchema(args)
    ? compileStandardArguments(args, bind)
    : compileArguments(args, sanitizers, { isClosed: !additional, bind })
}

const noArguments: ArgumentSchema = {}

const methodLists: Readonly<Record<Method, readonly Method[]>> = {
  GET: ['GET'],
  POST: ['POST'],
  PUT: ['PUT'],
  PATCH: ['PATCH'],
  DELETE: ['DELETE'],
}

function cacheRuleOf(cache: RouteDeclaration['cache']): CacheRule | null {
  if (cache === undefined) return null
  const { seconds, tags = null } = typeof cache === 'number' ? { seconds: cache } : cache
  return { seconds, tags: tags && tags.map((tag) => tag.toLowerCase()) }
}
