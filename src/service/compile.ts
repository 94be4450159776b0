import { compileArguments } from '../arguments/compile.js'
import type { SanitizeCallback } from '../arguments/rules.js'
import type { FoundRoute, HandlerClass } from '../discovery/handler-class.js'
import type { RouteDeclaration } from '../route/declaration.js'
import { requirementOf } from '../permission/requirement.js'
import type { CacheRule, Endpoint } from './endpoint.js'

export interface CompileSettings {
  readonly sanitizers: ReadonlyMap<string, SanitizeCallback>
  readonly defaultCapability: string | null
  /** The object that serves the routes of a class. */
  readonly instanceOf: (handlers: HandlerClass) => object
}

/** Turns checked declarations into endpoints: everything that can be decided before the first request is decided here. */
export function compileRoutes(routes: readonly FoundRoute[], settings: CompileSettings): readonly Endpoint[] {
  const questions = new Map<object, Map<string, object>>()
  return routes.map((found) => {
    const { declaration, member, handlers } = found
    const instance = settings.instanceOf(handlers) as Record<string, (request: unknown) => unknown>
    const requirement = requirementOf(declaration.permission, settings.defaultCapability)
    const callback = requirement.kind === 'callback' ? requirement.method : null
    return {
      namespace: declaration.namespace,
      route: declaration.route,
      methods: [declaration.method ?? 'GET'],
      args: declaration.args ?? {},
      arguments: compileArguments(declaration.args ?? {}, settings.sanitizers),
      requirement,
      question: callback === null ? null : questionOf(questions, instance, callback),
      permit: callback === null ? null : (request) => instance[callback]?.(request),
      handle: (request) => instance[member]?.(request),
      allowBatch: declaration.allow_batch === true,
      showInIndex: declaration.show_in_index !== false,
      cache: cacheRuleOf(declaration.cache),
      name: `${handlers.name}.${member}`,
    }
  })
}

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
