import { unbound, type BindFunction } from '../base/bind-function.js'
import type { SanitizeCallback } from '../validation/rules.js'
import { declaredAround, isEndpoint, type ServedRoute, type RouteSource } from '../routing/handler-class.js'
import { requirementOf } from '../auth/requirement.js'
import type { HttpRequest } from '../http/http-request.js'
import { compileEndpoint } from '../routing/compile-endpoint.js'
import { conditionalHeaders, hasConditional } from '../routing/conditional.js'
import { joined, type CrossOriginHeaders } from '../routing/cross-origin-headers.js'
import { idempotencyHeaders } from '../routing/idempotency-key.js'
import { rateLimitHeaders } from '../routing/rate-limit.js'
import type { RouteDeclaration } from '../routing/declaration.js'
import type { Endpoint } from '../routing/endpoint.js'
import type { Permission } from '../routing/permission.js'
import { withAround, type AroundFunction, type OnLateFailure } from './around.js'
import { CallbackPermission, permissionFor } from './authorize.js'

export interface CompileSettings {
  readonly sanitizers: ReadonlyMap<string, SanitizeCallback>
  readonly defaultCapability: string | null
  /** The instance of a handler class, or the dependencies of an endpoint. */
  readonly instanceOf: (source: RouteSource) => object
  /** Functions around every handler, the outermost first. Default: none. */
  readonly around?: readonly AroundFunction[]
  /** Binds each function of the declarations. Default: `inject` does not work in them. */
  readonly bind?: BindFunction
  /** See {@link OnLateFailure}. Default: the failure is ignored. */
  readonly onLateFailure?: OnLateFailure
}

/** Compiles checked declarations to endpoints, so that requests only do what depends on them. */
export function compileRoutes(routes: readonly ServedRoute[], settings: CompileSettings): readonly Endpoint[] {
  const { bind = unbound, onLateFailure = () => {} } = settings
  const permissions = new Permissions(settings.defaultCapability, bind)
  const argumentFunctions = { sanitizers: settings.sanitizers, bind }
  return routes.map((route) => {
    const { declaration, source, declared, member, name } = route
    const instance = settings.instanceOf(source)
    const permission = permissions.of(declaration, instance)
    const call = bind(
      isEndpoint(source)
        ? withDependencies(declared.handler as HandlerFunction, instance)
        : methodOf(instance as HandlerInstance, member),
    )
    const around = declaredAround(route, settings.around).map((each) => each.around as AroundFunction)
    const handle = around.length === 0 ? call : withAround(call, around, name, bind, onLateFailure)
    const crossOrigin = crossOriginHeadersOf(declaration, around)
    return compileEndpoint({ declaration, handle, permission, name, crossOrigin }, argumentFunctions)
  })
}

/** The headers that the keys and the functions of a declaration add to the CORS headers of its route. */
function crossOriginHeadersOf(
  { rate_limit: limit, idempotency_key: key, event_stream: hasEvents }: RouteDeclaration,
  around: readonly object[],
): CrossOriginHeaders | null {
  return joined(
    [
      hasConditional(around) ? conditionalHeaders : null,
      limit === undefined ? null : rateLimitHeaders,
      key === undefined ? null : idempotencyHeaders,
      hasEvents === true ? { request: ['Last-Event-ID'], response: [] } : null,
    ].filter((headers) => headers !== null),
  )
}

type HandlerFunction = (request: HttpRequest, dependencies: object) => unknown
type HandlerInstance = Record<string, (request: HttpRequest) => unknown>

/** The method is looked up for each request, because a field of the instance may replace it. */
function methodOf(instance: HandlerInstance, name: string): Endpoint['handle'] {
  return (request) => instance[name]?.(request)
}

function withDependencies(call: HandlerFunction, dependencies: object): Endpoint['handle'] {
  return (request) => call(request, dependencies)
}

/** Creates one permission for each callback of each object, and one for each requirement without a callback. Routes share them. */
class Permissions {
  readonly #withoutCallback = new Map<unknown, Permission>()
  readonly #callbacks = new Map<object, Map<unknown, Permission>>()
  readonly #defaultCapability: string | null
  readonly #bind: BindFunction

  constructor(defaultCapability: string | null, bind: BindFunction) {
    this.#defaultCapability = defaultCapability
    this.#bind = bind
  }

  /** @param instance of a handler class, or the dependencies of an endpoint. */
  of(declaration: RouteDeclaration, instance: object): Permission {
    const { permission } = declaration
    const requirement = requirementOf(permission, this.#defaultCapability)
    if (requirement.kind !== 'callback')
      return getOrCreate(this.#withoutCallback, permission, () => permissionFor(requirement))
    // Endpoints with the same function share its verdict, unless the function gets dependencies.
    const isShared = typeof permission === 'function' && declaration.dependencies === undefined
    const owner = isShared ? permission : instance
    const ofOwner = getOrCreate(this.#callbacks, owner, () => new Map<unknown, Permission>())
    return getOrCreate(ofOwner, permission, () => {
      const callback =
        typeof permission === 'function'
          ? withDependencies(permission as HandlerFunction, instance)
          : methodOf(instance as HandlerInstance, requirement.method)
      return new CallbackPermission(requirement, this.#bind(callback))
    })
  }
}

function getOrCreate<K, V>(values: Map<K, V>, key: K, create: () => V): V {
  let value = values.get(key)
  if (value === undefined) values.set(key, (value = create()))
  return value
}
