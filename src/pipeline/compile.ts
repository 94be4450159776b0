import { compileArguments, type CompiledArguments } from '../validation/compile.js'
import type { ArgumentSchema, SanitizeCallback } from '../validation/rules.js'
import type { FoundRoute, HandlerClass } from '../routing/handler-class.js'
import { requirementOf, type Requirement } from '../auth/requirement.js'
import type { HttpRequest } from '../http/rest-request.js'
import type { Method, RouteDeclaration } from '../routing/declaration.js'
import type { DeclaredRoute } from '../routing/registry.js'
import type { CacheRule, Endpoint } from '../routing/endpoint.js'

export interface CompileSettings {
  readonly sanitizers: ReadonlyMap<string, SanitizeCallback>
  readonly defaultCapability: string | null
  /** The object that serves the routes of a class. */
  readonly instanceOf: (handlers: HandlerClass) => object
}

/** Turns checked declarations into endpoints: everything that can be decided before the first request is decided. */
export function compileRoutes(routes: readonly FoundRoute[], settings: CompileSettings): readonly Endpoint[] {
  const permissions = new Permissions(settings.defaultCapability)
  return routes.map((found) => {
    const instance = settings.instanceOf(found.handlers) as HandlerObject
    const permission = permissions.of(found.declaration.permission, instance)
    return new DeclaredEndpoint(found, instance, permission, settings.sanitizers)
  })
}

type HandlerObject = Record<string, (request: unknown) => unknown>

/**
 * There are thousands of these: what may be read from the declaration is read from there, and the route as it was found,
 * which only the checks at the start need, is not kept.
 */
class DeclaredEndpoint implements Endpoint {
  readonly cache: CacheRule | null
  readonly #declared: DeclaredRoute
  readonly #handlers: HandlerClass
  readonly #instance: HandlerObject
  readonly #permission: Permission
  readonly #sanitizers: CompileSettings['sanitizers']
  #arguments: CompiledArguments | null = null

  constructor(
    { declared, handlers }: FoundRoute,
    instance: HandlerObject,
    permission: Permission,
    sanitizers: CompileSettings['sanitizers'],
  ) {
    this.cache = cacheRuleOf(declared.declaration.cache)
    this.#declared = declared
    this.#handlers = handlers
    this.#instance = instance
    this.#permission = permission
    this.#sanitizers = sanitizers
  }

  get namespace(): string {
    return this.#declared.declaration.namespace
  }

  get route(): string {
    return this.#declared.declaration.route
  }

  get methods(): readonly string[] {
    return methodLists[this.#declared.declaration.method ?? 'GET']
  }

  get args(): ArgumentSchema {
    return this.#declared.declaration.args ?? none
  }

  get allowBatch(): boolean {
    return this.#declared.declaration.allow_batch === true
  }

  get showInIndex(): boolean {
    return this.#declared.declaration.show_in_index !== false
  }

  get requirement(): Requirement {
    return this.#permission.requirement
  }

  get permit(): Endpoint['permit'] {
    return this.#permission.permit
  }

  get question(): unknown {
    return this.#permission
  }

  /** Compiled for the first request: of thousands of routes, most are not asked for soon. */
  get arguments(): CompiledArguments {
    return (this.#arguments ??= compileArguments(this.args, this.#sanitizers))
  }

  get name(): string {
    return `${this.#handlers.name}.${this.#declared.member}`
  }

  handle(request: HttpRequest): unknown {
    return this.#instance[this.#declared.member]?.(request)
  }
}

const none: ArgumentSchema = {}

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

/** A requirement, with its callback when it is one. */
interface Permission {
  readonly requirement: Requirement
  readonly permit: Endpoint['permit']
}

/** One permission for each callback of each object, and one for each other requirement, whichever routes have it. */
class Permissions {
  readonly #others = new Map<string | null | undefined, Permission>()
  readonly #callbacks = new Map<object, Map<string, Permission>>()

  readonly #defaultCapability: string | null

  constructor(defaultCapability: string | null) {
    this.#defaultCapability = defaultCapability
  }

  of(declared: string | null | undefined, instance: HandlerObject): Permission {
    const requirement = requirementOf(declared, this.#defaultCapability)
    if (requirement.kind !== 'callback') return kept(this.#others, declared, () => ({ requirement, permit: null }))
    const { method } = requirement
    const own = kept(this.#callbacks, instance, () => new Map<string, Permission>())
    return kept(own, method, () => ({ requirement, permit: (request) => instance[method]?.(request) }))
  }
}

function kept<K, V>(values: Map<K, V>, key: K, make: () => V): V {
  let value = values.get(key)
  if (value === undefined) values.set(key, (value = make()))
  return value
}
