import { fault, type Fault } from '../base/fault.js'
import { nearest } from '../base/nearest.js'
import { isCapability } from '../auth/primitives.js'
import { isEndpoint, type ServedRoute, type HandlerClass } from '../routing/handler-class.js'
import { describeValue } from './describe-value.js'

/** What is wrong with the member or the function that a declaration is for; null when it can answer requests. */
export function targetFault({ target, member, source, declared }: ServedRoute): Fault | null {
  if (isEndpoint(source)) return handlerFault(declared.handler)
  const { kind, isStatic, isPrivate, isSymbol } = target
  if (kind === 'class') return fault('handler-is-class', '@AsRestRoute is on the class. Put it on a method.')
  if (kind !== 'method')
    return fault('handler-not-method', `'${member}' is ${articled(kind)}. Put @AsRestRoute on a method.`)
  if (isStatic)
    return fault(
      'handler-static',
      `'${member}' is static. A handler belongs to an object, so that it can have dependencies: remove 'static'.`,
    )
  if (isPrivate)
    return fault('handler-private', `'${member}' is private, so the service cannot call it. Rename it without '#'.`)
  if (isSymbol) return fault('handler-symbol', `${member} is a symbol. Give the method a name that is text.`)
  const handler = memberOf(source.prototype as object, member)
  if (typeof handler?.value !== 'function')
    return fault('handler-overridden', `'${member}' is no longer a method: a subclass made it something else.`)
  const count = (handler.value as { readonly length: number }).length
  return count > 1
    ? fault(
        'handler-parameters',
        `'${member}' takes ${count} parameters. A handler takes the request, or nothing; dependencies are taken in the constructor.`,
      )
    : null
}

function handlerFault(handler: unknown): Fault | null {
  if (typeof handler !== 'function')
    return fault(
      'handler-not-function',
      `the handler is ${describeValue(handler)}, but must be a function: endpoint(declaration, (request) => …).`,
    )
  return handler.length > 2
    ? fault(
        'handler-parameters',
        `the handler takes ${handler.length} parameters. It takes the request and the dependencies.`,
      )
    : null
}

/** The class that the permission method of a route belongs to. */
export interface ClassOfRoute {
  /** The instance of the class; null when it cannot be built. Only it has the fields. */
  readonly instance: object | null
  /** The methods that answer requests. They are not permission methods. */
  readonly handlerNames: ReadonlySet<string>
}

/** What is wrong with the permission of a route; null when nothing is. */
export function permissionFault(
  { declaration: { permission }, source }: ServedRoute,
  routeClass: ClassOfRoute,
): Fault | null {
  const value: unknown = permission
  if (value === undefined || value === null || value === 'public') return null
  if (isEndpoint(source)) return functionFault(value)
  return typeof value === 'string'
    ? methodFault(value, source, routeClass)
    : fault(
        'permission-invalid',
        `permission is ${describeValue(value)}, but must be 'public', the name of a method, or null.`,
      )
}

function functionFault(permission: unknown): Fault | null {
  if (typeof permission !== 'function')
    return fault(
      'permission-not-function',
      `permission is ${describeValue(permission)}, but must be 'public', a function of the request, or null.`,
    )
  return permission.length > 2
    ? fault(
        'permission-parameters',
        `permission takes ${permission.length} parameters. It takes the request and the dependencies.`,
      )
    : null
}

function methodFault(
  permission: string,
  handlers: HandlerClass,
  { instance, handlerNames }: ClassOfRoute,
): Fault | null {
  const prototype = handlers.prototype as object
  const candidates = () => methodNames(prototype).filter((name) => !handlerNames.has(name))
  const callback = permission === 'constructor' ? null : memberOf(prototype, permission)
  if (callback === null) {
    return instance !== null && Object.hasOwn(instance, permission)
      ? fault(
          'permission-not-method',
          `permission '${permission}' is a field. Write it as a method: ${permission}(request) { … }`,
        )
      : fault(
          'permission-unknown',
          `permission '${permission}' is not a method of this class.${adviceOn(permission, candidates())}`,
        )
  }
  if (handlerNames.has(permission)) {
    const others = candidates().join(', ')
    return fault(
      'permission-is-handler',
      `permission '${permission}' is a method that answers requests itself. Name one that returns true or false${others && `: ${others}`}.`,
    )
  }
  if (typeof callback.value !== 'function') {
    return fault(
      'permission-not-method',
      `permission '${permission}' is ${callback.get || callback.set ? 'a getter or setter' : 'not a function'}. Write it as a method that returns true or false.`,
    )
  }
  const count = (callback.value as { readonly length: number }).length
  return count > 1
    ? fault(
        'permission-parameters',
        `permission '${permission}' takes ${count} parameters. It takes the request, or nothing.`,
      )
    : null
}

function articled(kind: string): string {
  return kind === 'accessor' ? 'an accessor' : `a ${kind}`
}

/** A member of a class or of its base classes, without running it if it is a getter. */
function memberOf(prototype: object, name: string): PropertyDescriptor | null {
  for (const level of levelsOf(prototype)) {
    const descriptor = Object.getOwnPropertyDescriptor(level, name)
    if (descriptor) return descriptor
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
