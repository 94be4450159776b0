import type { Contract } from '../container/container.js'
import { fault, type Fault } from '../base/fault.js'
import type { Complaint, ownContract } from '../base/complaint.js'
import { RecordStore } from '../content/record-store.js'
import { Mailer } from '../mail/mailer.js'
import { ViewEngineInterface } from '../views/view-engine.js'

/** A class, built on first use, or a finished object. */
type Implementation<T> = Contract<T> | T

/** A contract of the application. Its implementation is not compared with it. */
interface OtherContract extends Contract<unknown> {
  readonly [ownContract]?: Complaint<'the implementation of a contract of the package must have all its methods: let it extend the contract'>
}

/**
 * A contract and its implementation: `[ViewEngineInterface, TwigViews]`. The compiler and the start compare the two where
 * the contract is one of this package.
 */
export type Provider =
  | readonly [contract: typeof ViewEngineInterface, implementation: Implementation<ViewEngineInterface>]
  | readonly [contract: typeof RecordStore, implementation: Implementation<RecordStore>]
  | readonly [contract: typeof Mailer, implementation: Implementation<Mailer>]
  | readonly [contract: OtherContract, implementation: object]

const recordStoreMethods: Readonly<Record<keyof RecordStore, true>> = {
  get: true,
  list: true,
  count: true,
  page: true,
  each: true,
  insert: true,
  update: true,
  delete: true,
  transaction: true,
  enqueue: true,
}

const viewMethods: Readonly<Record<keyof ViewEngineInterface, true>> = {
  render: true,
  renderFirst: true,
  exists: true,
  share: true,
}

const mailerMethods: Readonly<Record<keyof Mailer, true>> = { send: true }

const methodsOf: ReadonlyMap<unknown, readonly string[]> = new Map<unknown, readonly string[]>([
  [RecordStore, Object.keys(recordStoreMethods)],
  [ViewEngineInterface, Object.keys(viewMethods)],
  [Mailer, Object.keys(mailerMethods)],
])

/** What is wrong with the implementation of a contract of this package; `null` when it has every method. */
export function providerFault(contract: Contract<unknown>, implementation: unknown): Fault | null {
  const missing = (methodsOf.get(contract) ?? []).filter((name) => typeof memberOf(implementation, name) !== 'function')
  if (missing.length === 0) return null
  const methods = `${missing.length === 1 ? 'the method' : 'the methods'} ${missing.join(', ')}`
  return fault(
    'provider-incomplete',
    `the implementation of ${contract.name}, ${described(implementation)}, lacks ${methods}. Add ${missing.length === 1 ? 'it' : 'them'}. The compiler finds missing methods in a class that extends ${contract.name}.`,
  )
}

function memberOf(implementation: unknown, name: string): unknown {
  return (implementation as Readonly<Record<string, unknown>>)[name]
}

function described(implementation: unknown): string {
  if (typeof implementation !== 'object' || implementation === null) return `a ${typeof implementation}`
  const name = implementation.constructor?.name ?? ''
  return name === '' || name === 'Object' ? 'an object' : `an object of ${name}`
}
