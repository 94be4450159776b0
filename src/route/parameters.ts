import type { SanitizerTypes } from '../sanitizers/index.js'

type AnyObject = Record<string, unknown>
interface ValueOf {
  string: string
  integer: number
  number: number
  boolean: boolean
  null: null
  array: unknown[]
  object: AnyObject
}

/** The type a handler reads for one argument, once the argument is present. */
export type Value<Rules> = Rules extends { sanitize_callback: infer S extends keyof SanitizerTypes }
  ? SanitizerTypes[S]
  : Rules extends { enum: readonly (infer E)[] }
    ? E
    : Rules extends { items: infer I }
      ? Value<I>[]
      : Rules extends { properties: infer F }
        ? { [N in keyof F]: Read<F[N]> }
        : Rules extends { type: infer T }
          ? ValueOf[(T extends readonly (infer U)[] ? U : T) & keyof ValueOf]
          : unknown

type IsPresent<Rules> = Rules extends { required: true } | { default: {} } ? true : false
export type Read<Rules> = IsPresent<Rules> extends true ? Value<Rules> : Value<Rules> | null

/** Names captured by `(?P<name>…)` in a route pattern. */
export type PathNames<R extends string> = R extends `${string}(?P<${infer Name}>${infer Rest}`
  ? Name | PathNames<Rest>
  : never

/** Every name a handler of the route may read. A path capture is text unless `args` types it. */
export type ParametersOf<R extends string, A> = string extends R
  ? AnyObject
  : {
        [N in PathNames<R> | (keyof A & string)]: N extends keyof A
          ? N extends PathNames<R>
            ? Value<A[N]>
            : Read<A[N]>
          : string
      } extends infer P extends object
    ? { [N in keyof P]: P[N] }
    : never
