import { compileArguments, type CompiledArguments } from '../arguments/compile.js'
import type { ArgumentSchema, SanitizeCallback } from '../arguments/rules.js'
import type { FoundRoute, HandlerClass } from '../discovery/handler-class.js'
import { requirementOf, type Requirement } from '../permission/requirement.js'
import type { HttpRequest } from '../request/rest-request.js'
import type { RouteDeclaration } from '../route/declaration.js'
import type { CacheRule, Endpoint } from './endpoint.js'

export interface CompileSettings {
  readonly sanitizers: ReadonlyMap<string, SanitizeCallback>
  readonly defaultCapability: string | null
  /** The object that serves the routes of a class. */
  readonly instanceOf: (handlers: HandlerClass) => object
}

/** Turns checked declarations into endpoints: everything that can be decided before the first request is decided. */
export function compileRoutes(routes: readonly FoundRoute[], settings: CompileSettings): readonly Endpoint[] {
  const questions = new Map<object, Map<string, object>>()
  return routes.map((found) => {
    const instance = settings.instanceOf(found.handlers) as HandlerObject
    const requirement = requirementOf(found.declaration.permission, settings.defaultCapability)
    const question = requirement.kind === 'callback' ? questionOf(questions, instance, requirement.method) : null
    return new DeclaredEndpoint(found, instance, requirement, question, settings.sanitizers)
  })
}

type HandlerObject = Record<string, (request: unknown) => unknown>

class DeclaredEndpoint implements Endpoint {
  readonly namespace: string
  readonly route: string
  readonly methods: readonly string[]
  readonly args: ArgumentSchema
  readonly allowBatch: boolean
  readonly showInIndex: boolean
  readonly cache: CacheRule | null
  readonly permit: Endpoint['permit']
  readonly #found: FoundRoute
  readonly #sanitizers: CompileSettings['sanitizers']
  #arguments: CompiledArguments | null = null

  constructor(
    found: FoundRoute,
    readonly instance: HandlerObject,
    readonly requirement: Requirement,
    readonly question: object | null,
    sanitizers: CompileSettings['sanitizers'],
  ) {
    const { namespace, route, method = 'GET', args, allow_batch, show_in_index, cache } = found.declaration
    this.namespace = namespace
    this.route = route
    this.methods = [method]
    this.args = args ?? none
    this.allowBatch = allow_batch === true
    this.showInIndex = show_in_index !== false
    this.cache = cacheRuleOf(cache)
    this.permit = requirement.kind === 'callback' ? (request) => instance[requirement.method]?.(request) : null
    this.#found = found
    this.#sanitizers = sanitizers
  }

  /** Compiled for the first request: of thousands of routes, most are not asked for soon. */
  get arguments(): CompiledArguments {
    return (this.#arguments ??= compileArguments(this.args, this.#sanitizers))
  }

  get name(): string {
    return `${this.#found.handlers.name}.${this.#found.member}`
  }

  handle(request: HttpRequest): unknown {
    return this.instance[this.#found.member]?.(request)
  }
}

const none: ArgumentSchema = {}

function cacheRuleOf(cache: RouteDeclaration['cache']): CacheRule | null {
  if (cache === undefined) return null
  const { seconds, tags = null } = typeof cache === 'number' ? { seconds: cache } : cache
  return { seconds, tags: tags && tags.map((tag) => tag.toLowerCase()) }
}

/** One key for each callback of each object, whichever routes ask it. */
function questionOf(questions: Map<object, Map<string, object>>, instance: object, callback: string): object {
  let own = questions.get(instance)
  if (!own) questions.set(instance, (own = new Map<string, object>()))
  let question = own.get(callback)
  if (!question) own.set(callback, (question = {}))
  return question
}
