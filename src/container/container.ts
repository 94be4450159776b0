import { Container as NeedleContainer, inject as injectWithin } from '@needle-di/core'
import { declaredRoutes } from '../routing/registry.js'

/** A class, abstract or not: what a constructor asks for. */
export type Contract<T> = abstract new (...given: never[]) => T

/** A contract and what stands for it: a class, built on first use, or a finished object. */
export type Provision<T = unknown> = readonly [contract: Contract<T>, implementation: Contract<T> | T]

/** A dependency that cannot be built. `chain` leads from the handler class to the culprit. */
export class UnresolvedDependencyError extends Error {
  override readonly name = 'UnresolvedDependencyError'
  constructor(
    readonly chain: readonly string[],
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`${chain.join(' -> ')}: ${reason}`, options)
  }
}

/**
 * The objects of one service: each class is built once, on first use, with whatever its constructor asks for by
 * `inject`. Around `@needle-di/core`, which does the resolving; ours are the binding of plain classes on first use,
 * the complaint about a contract without an implementation, and the chain in the message.
 */
export class Container {
  readonly #container = new NeedleContainer()
  readonly #lacking: ReadonlyMap<unknown, string>
  /** What is under construction, outermost first: the chain of a fault. */
  readonly #building: { readonly contract: unknown; readonly name: string }[] = []

  /** @param lacking contracts that nothing stands for, each with a sentence that says why and what to do. */
  constructor(provisions: readonly Provision[] = [], lacking: ReadonlyMap<unknown, string> = new Map()) {
    this.#lacking = lacking
    this.#container.bind({ provide: Container, useValue: this })
    for (const [contract, implementation] of provisions) this.#bind(contract, implementation)
  }

  /** @throws UnresolvedDependencyError */
  get<T>(contract: Contract<T>): T {
    this.prepare(contract)
    return this.#container.get(contract)
  }

  /** Binds a class that nobody registered, so that it can be asked for. @throws UnresolvedDependencyError */
  prepare<T>(contract: Contract<T>): void {
    const given: unknown = contract
    if (typeof given !== 'function') throw this.#fault(notAClass(given))
    if (this.#building.some((outer) => outer.contract === contract))
      throw this.#fault(
        'they need each other in a circle. Break it: let one of them take what it needs when it is called.',
        contract.name,
      )
    if (!this.#container.has(contract)) this.#bind(contract, contract)
  }

  #bind<T>(contract: Contract<T>, implementation: Contract<T> | T): void {
    // A factory, not `useClass`: that would bind every parent class as well, and a contract with two implementations
    // in one program would be ambiguous.
    if (typeof implementation !== 'function') this.#container.bind({ provide: contract, useValue: implementation as T })
    else
      this.#container.bind({
        provide: contract,
        useFactory: () => this.#build(contract, implementation as new () => T),
      })
  }

  #build<T>(contract: Contract<T>, type: new () => T): T {
    this.#building.push({ contract, name: type.name })
    try {
      const lack = this.#lacking.get(type)
      if (lack !== undefined) throw this.#fault(lack)
      if (type.length > 0)
        throw this.#fault(
          'parameter 1 of its constructor has no default, so nothing would be given for it. Write `= inject(ItsClass)` behind it.',
        )
      const built = new type()
      // Routes make a class more than a contract, even where no method of it can answer them.
      if (isContractOnly(type, built as object) && declaredRoutes(type).length === 0)
        throw this.#fault(
          `${type.name} is a contract without an implementation. Give one to boot: provide: [[${type.name}, YourClass]].`,
        )
      return built
    } catch (error) {
      if (error instanceof UnresolvedDependencyError) throw error
      const text = error instanceof Error ? error.message : String(error)
      throw this.#fault(`its constructor threw: ${text}`, [], { cause: error })
    } finally {
      this.#building.pop()
    }
  }

  /** @param further what the chain ends with, behind all that is under construction. */
  #fault(reason: string, further: string | readonly string[] = [], options?: ErrorOptions): UnresolvedDependencyError {
    const chain = this.#building.map(({ name }) => name)
    return new UnresolvedDependencyError(chain.concat(further), reason, options)
  }
}

/** What `inject` was given instead of a class. */
function notAClass(given: unknown): string {
  return given === undefined
    ? 'inject() was given undefined: the class is imported in a circle, or not exported under this name. ' +
        'Import it from the file that declares it, and break the circle of imports.'
    : `inject() was given ${given === null ? 'null' : `a value of type ${typeof given}`}. Give it a class.`
}

/** An abstract class leaves nothing behind at run time: no method, no field. Built by mistake, it is an empty object. */
function isContractOnly(type: new () => unknown, built: object): boolean {
  for (let level: object | null = type.prototype as object; level && level !== Object.prototype;) {
    if (Object.getOwnPropertyNames(level).length > 1) return false
    level = Object.getPrototypeOf(level) as object | null
  }
  return Object.getOwnPropertyNames(built).length === 0 && !/#|constructor/.test(Function.prototype.toString.call(type))
}

/**
 * Asks for a dependency, as the default of a constructor parameter:
 * `constructor(private readonly records = inject(RecordStore)) {}`. A concrete class needs no registration; a contract
 * (an abstract class) is bound by boot's `provide`, or has an implementation already. Tests pass their own object.
 *
 * @throws UnresolvedDependencyError when it cannot be built, which stops the start; Error outside a constructor that the
 * service calls.
 */
export function inject<T>(contract: Contract<T>): T {
  let owner: Container
  try {
    owner = injectWithin(Container)
  } catch {
    const { name = String(contract) } = (contract ?? {}) as { readonly name?: string }
    throw new Error(
      `inject(${name}) works only while the service builds a class. ` +
        `Write it as the default of a constructor parameter, and pass the object yourself where you build the class by hand.`,
    )
  }
  owner.prepare(contract)
  return injectWithin(contract)
}
