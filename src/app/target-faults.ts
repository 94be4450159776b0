import { nearest } from '../base/nearest.js'
import { isCapability } from '../auth/primitives.js'
import { isEndpoint, type FoundRoute, type HandlerClass } from '../routing/handler-class.js'
import { shown } from './shown.js'

/** Why the member or the function that a declaration is for cannot answer requests; null when it can. */
export function targetSentence({ target, member, source, declared }: FoundRoute): string | null {
  if (isEndpoint(source)) return handlerSentence(declared.handler)
  const { kind, isStatic, isPrivate, isSymbol } = target
  if (kind === 'class') return '@AsRestRoute is on the class. Put it on a method.'
  if (kind !== 'method') return `'${member}' is ${articled(kind)}. Put @AsRestRoute on a method.`
  if (isStatic)
    return `'${member}' is static. A handler belongs to an object, so that it can have dependencies: remove 'static'.`
  if (isPrivate) return `'${member}' is private, so the service cannot call it. Rename it without '#'.`
  if (isSymbol) return `${member} is a symbol. Give the method a name that is text.`
  const handler = memberOf(source.prototype as object, member)
  if (typeof handler?.value !== 'function')
    return `'${member}' is no longer a method: a subclass made it something else.`
  const count = (handler.value as { readonly length: number }).length
  return count > 1
    ? `'${member}' takes ${count} parameters. A handler takes the request, or nothing; dependencies are taken in the constructor.`
    : null
}

function handlerSentence(handler: unknown): string | null {
  if (typeof handler !== 'function')
    return `the handler is ${shown(handler)}, but must be a function: endpoint(declaration, (request) => …).`
  return handler.length > 2
    ? `the handler takes ${handler.length} parameters. It takes the request and the dependencies.`
    : null
}

/** The class that the permission method of a route belongs to. */
export interface ClassOfRoute {
  /** The instance of the class; null when it cannot be built. Only it has the fields. */
  readonly instance: object | null
  /** The methods that answer requests. They are no permission methods. */
  readonly handlerNames: ReadonlySet<string>
}

/** What is wrong with the permission of a route; null when nothing is. */
export function permissionSentence(
  { declaration: { permission }, source }: FoundRoute,
  ofClass: ClassOfRoute,
): string | null {
  const value: unknown = permission
  if (value === undefined || value === null || value === 'public') return null
  if (isEndpoint(source)) return functionSentence(value)
  return typeof value === 'string'
    ? methodSentence(value, source, ofClass)
    : `permission is ${shown(value)}, but must be 'public', the name of a method, or null.`
}

function functionSentence(permission: unknown): string | null {
  if (typeof permission !== 'function')
    return `permission is ${shown(permission)}, but must be 'public', a function of the request, or null.`
  return permission.length > 2
    ? `permission takes ${permission.length} parameters. It takes the request and the dependencies.`
    : null
}

function methodSentence(
  permission: string,
  handlers: HandlerClass,
  { instance, handlerNames }: ClassOfRoute,
): string | null {
  const prototype = handlers.prototype as object
  const candidates = () => methodNames(prototype).filter((name) => !handlerNames.has(name))
  const callback = permission === 'constructor' ? null : memberOf(prototype, permission)
  if (callback === null) {
    return instance !== null && Object.hasOwn(instance, permission)
      ? `permission '${permission}' is a field. Write it as a method: ${permission}(request) { … }`
      : `permission '${permission}' is not a method of this class.${adviceOn(permission, candidates())}`
  }
  if (handlerNames.has(permission)) {
    const others = candidates().join(', ')
    return `permission '${permission}' is a method that answers requests itself. Name one that returns true or false${others && `: ${others}`}.`
  }
  if (typeof callback.value !== 'function') {
    return `permission '${permission}' is ${callback.get || callback.set ? 'a getter or setter' : 'not a function'}. Write it as a method that returns true or false.`
  }
  const count = (callback.value as { readonly length: number }).length
  return count > 1 ? `permission '${permission}' takes ${count} parameters. It takes the request, or nothing.` : null
}

function articled(kind: string): string {
  return kind === 'accessor' ? 'an accessor' : `a ${kind}`
}

/** A member of a class or of its base classes, without running it if it is a getter. */
function memberOf(prototype: object, name: string): PropertyDescriptor | null {
  for (const level of levelsOf(prototype)) {
    const found = Object.getOwnPropertyDescriptor(level, name)
    if (found) return found
  }
  return null
}

function* levelsOf(prototype: object): Generator<object> {
  let level: object | null = prototype
  while (level !== null && level !== Object.prototype) {
    yield level
    level = Object.getPrototypeOf(level) as object | null
  }
}

function adviceOn(permission: string, candidates: readonly string[]): string {
  const near = nearest(permission, ['public', ...candidates])
  const meant = near === null ? '' : ` Did you mean '${near}'?`
  if (isCapability(permission))
    return `${meant} It is a capability: write a method that returns currentUserCan('${permission}'), and name that.`
  return (
    meant || ` Use 'public'${candidates.length > 0 ? `, one of: ${candidates.join(', ')}` : ''}, or add the method.`
  )
}

function methodNames(prototype: object): string[] {
  const names = new Set<string>()
  for (const level of levelsOf(prototype)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      if (name !== 'constructor' && typeof value === 'function') names.add(name)
    }
  }
  return [...names]
}
