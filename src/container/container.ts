import { Container as NeedleContainer } from '@needle-di/core'
import { messageOf } from '../base/thrown-text.js'
import type { BindFunction } from '../base/bind-function.js'
import { fault, type Fault } from '../base/fault.js'
import type { MaybePromise } from '../base/maybe-promise.js'
import type { DiagnosticCode } from '../base/startup-errors.js'
import { TemporaryContext } from '../base/temporary-context.js'

/** A class, abstract or concrete, that a constructor injects. */
export type Contract<T> = abstract new (...parameters: never[]) => T

/** A contract and its implementation: a class, which is built on first use, or an object. */
export type Binding<T = unknown> = readonly [contract: Contract<T>, implementation: Contract<T> | T]

/** A dependency that cannot be built. `chain` lists the class names from the handler class to that dependency. */
export class UnresolvedDependencyError extends Error {
  override readonly name = 'UnresolvedDependencyError'
  readonly code: DiagnosticCode

  constructor(
    readonly chain: readonly string[],
    reason: Fault,
    options?: ErrorOptions,
  ) {
    super(`${chain.join(' -> ')}: ${reason.message}`, options)
    this.code = reason.code
  }
}

/** An object that a container has built. `chain` lists the class names from the requested class to its own. */
export interface BuiltInstance {
  readonly instance: object
  readonly chain: readonly string[]
}

/** The container of functions that are run by {@link Container.within}. */
const contexts = new TemporaryContext<Container>()

/** The container of the function in progress that {@link Container.bindFunction} has bound. */
let entered: Container | null = null

/**
 * The dependency container of one service. It builds each class once, on first use. `@needle-di/core` resolves the
 * dependencies. This class adds three things: it binds concrete classes that were not registered, it refuses a contract
 * without an implementation, and its error messages contain the chain of classes.
 */
export class Container {
  readonly #container = new NeedleContainer()
  readonly #unavailable: ReadonlyMap<unknown, Fault>
  readonly #isHandlerClass: (type: object) => boolean
  /** The classes under construction, outermost first. Errors report them as their chain. */
  readonly #underConstruction: { readonly contract: unknown; readonly name: string }[] = []
  readonly #built: BuiltInstance[] = []
  #checkLateInstance: (instance: object) => Fault | null = () => null

  /**
   * @param unavailable classes that cannot be used in this service. The value is the reason and the remedy, which
   *   becomes the error.
   * @param isHandlerClass whether a class declares routes. Such a class is not a contract, even when none of its methods can
   *   serve them.
   */
  constructor(
    bindings: readonly Binding[] = [],
    unavailable: ReadonlyMap<unknown, Fault> = new Map(),
    isHandlerClass: (type: object) => boolean = () => false,
  ) {
    this.#unavailable = unavailable
    this.#isHandlerClass = isHandlerClass
    this.#container.bind({ provide: Container, useValue: this })
    for (const [contract, implementation] of bindings) this.#bind(contract, implementation)
  }

  /** The objects that this container has built, dependencies before the objects that inject them. */
  get built(): readonly BuiltInstance[] {
    return this.#built
  }

  /** From now on, the container refuses to build an object for which `check` returns a fault. */
  checkLateInstances(check: (instance: object) => Fault | null): void {
    this.#checkLateInstance = check
  }

  /** Calls a function once as {@link bindFunction} binds it. */
  enter<T>(work: () => T): T {
    return bound(this, work)()
  }

  /**
   * The function, in which {@link inject} works until it returns, or awaits something. All code of the application that serves
   * requests, and what follows them, is bound here. A call costs next to nothing.
   */
  readonly bindFunction: BindFunction = (call) => bound(this, call)

  /** Runs `work` so that {@link inject} works in it and in everything it awaits. */
  within<T>(work: () => MaybePromise<T>): MaybePromise<T> {
    return contexts.run(this, work)
  }

  /** @throws UnresolvedDependencyError */
  get<T>(contract: Contract<T>): T {
    this.prepare(contract)
    return this.#container.get(contract)
  }

  /** Binds a class that was not registered, so that `get` and `inject` find it. @throws UnresolvedDependencyError */
  prepare<T>(contract: Contract<T>): void {
    const value: unknown = contract
    if (typeof value !== 'function') throw this.#error(fault('inject-without-class', notAClassMessage(value)))
    if (this.#underConstruction.some((outer) => outer.contract === contract))
      throw this.#error(
        fault(
          'dependency-cycle',
          'these classes depend on each other. Break the cycle: pass one of them to the methods that use it, not to the constructor.',
        ),
        contract.name,
      )
    if (!this.#container.has(contract)) this.#bind(contract, contract)
  }

  #bind<T>(contract: Contract<T>, implementation: Contract<T> | T): void {
    // `useClass` would bind every parent class as well. A contract with two implementations in one program would then
    // be ambiguous.
    if (typeof implementation !== 'function') this.#container.bind({ provide: contract, useValue: implementation as T })
    else
      this.#container.bind({
        provide: contract,
        useFactory: () => this.#build(contract, implementation as new () => T),
      })
  }

  #build<T>(contract: Contract<T>, type: new () => T): T {
    this.#underConstruction.push({ contract, name: type.name })
    try {
      const reason = this.#unavailable.get(type)
      if (reason !== undefined) throw this.#error(reason)
      if (type.length > 0)
        throw this.#error(
          fault(
            'constructor-parameter-without-default',
            'parameter 1 of its constructor has no default, so it would be undefined. Write `= inject(ItsClass)` behind it.',
          ),
        )
      // Otherwise a constructor that runs inside a function of another service would inject the objects of that service.
      const instance = this.enter(() => new type())
      if (isContractOnly(type, instance as object) && !this.#isHandlerClass(type))
        throw this.#error(
          fault(
            'implementation-missing',
            `${type.name} is a contract without an implementation. Give one to boot: provide: [[${type.name}, YourClass]].`,
          ),
        )
      const lateFault = this.#checkLateInstance(instance as object)
      if (lateFault !== null) throw this.#error(lateFault)
      this.#built.push({ instance: instance as object, chain: this.#underConstruction.map(({ name }) => name) })
      return instance
    } catch (error) {
      if (error instanceof UnresolvedDependencyError) throw error
      throw this.#error(fault('constructor-failed', `its constructor threw: ${messageOf(error)}`), [], { cause: error })
    } finally {
      this.#underConstruction.pop()
    }
  }

  /** @param last names that end the chain, after the classes under construction. */
  #error(reason: Fault, last: string | readonly string[] = [], options?: ErrorOptions): UnresolvedDependencyError {
    const chain = this.#underConstruction.map(({ name }) => name)
    return new UnresolvedDependencyError(chain.concat(last), reason, options)
  }
}

function bound<Call extends (...parameters: never[]) => unknown>(container: Container, call: Call): Call {
  const boundCall = (...parameters: Parameters<Call>): unknown => {
    const outer = entered
    entered = container
    try {
      return call(...parameters)
    } finally {
      entered = outer
    }
  }
  return boundCall as Call
}

/** The error message for an argument of `inject` that is not a class. */
function notAClassMessage(value: unknown): string {
  return value === undefined
    ? 'inject() was given undefined: the class is part of a circular import, or not exported under this name. ' +
        'Import it from the file that declares it, and break the circular import.'
    : `inject() was given ${value === null ? 'null' : `a value of type ${typeof value}`}. Give it a class.`
}

/**
 * Whether a class has no methods, no fields and no constructor. TypeScript removes abstract members, so an abstract
 * class that was instantiated by mistake is an empty object.
 */
function isContractOnly(type: new () => unknown, instance: object): boolean {
  for (let level: object | null = type.prototype as object; level && level !== Object.prototype;) {
    if (Reflect.ownKeys(level).length > 1) return false
    level = Object.getPrototypeOf(level) as object | null
  }
  return (
    Object.getOwnPropertyNames(instance).length === 0 && !/#|constructor/.test(Function.prototype.toString.call(type))
  )
}

/**
 * Injects a dependency, as the default of a constructor parameter:
 * `constructor(private readonly records = inject(RecordStore)) {}`. A concrete class needs no registration. A contract
 * (an abstract class) needs an implementation: the service has some of its own, the boot option `provide` adds others.
 * A test passes its own object as the argument of the constructor. `inject` also works in the option `seed`. In handlers and the
 * other functions of declarations and options it works before they await anything: in permission callbacks, validators, sanitisers,
 * schemas of libraries, functions of `around` and of `defer`, jobs, and functions of `after_commit`.
 *
 * @throws UnresolvedDependencyError when the dependency cannot be built. This stops the start.
 * @throws Error when it is called outside the constructors and functions that the service calls.
 */
export function inject<T>(contract: Contract<T>): T {
  const container = entered ?? contexts.get()
  if (container === undefined) {
    const { name = String(contract) } = (contract ?? {}) as { readonly name?: string }
    throw new Error(
      `inject(${name}) works only while the service builds a class, and in functions that it calls, before they await anything. ` +
        `Write it as the default of a constructor parameter, and pass the object yourself where you build the class by hand.`,
    )
  }
  return container.get(contract)
}
