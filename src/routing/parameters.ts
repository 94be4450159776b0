import type { AnyParameters } from '../http/rest-request.js'
import type { ArgumentValue, IsPresent } from './argument-value.js'
import type { OptionalPathNames, PathNames } from './path-names.js'

/** What an argument reads as, null when it may be absent. */
type ReadArgument<Rules> = IsPresent<Rules> extends true ? ArgumentValue<Rules> : ArgumentValue<Rules> | null

/** A capture of the path is text, unless rules make more of it. */
type Capture<Rules> = Rules extends { readonly type: unknown } | { readonly sanitize_callback: unknown }
  ? ArgumentValue<Rules>
  : string

/** A capture is always there, unless its group is optional and no default takes its place. */
type ReadCapture<Rules, IsOptional> = IsOptional extends true
  ? IsPresent<Rules> extends true
    ? Capture<Rules>
    : Capture<Rules> | null
  : Capture<Rules>

type Parameter<Name, Args, Path, Optional> = Name extends Path
  ? ReadCapture<Name extends keyof Args ? Args[Name] : {}, Name extends Optional ? true : false>
  : Name extends keyof Args
    ? ReadArgument<Args[Name]>
    : never

/**
 * Every name that a handler of the route may read, with the type of its value; null where the value may be absent. A
 * route or arguments that are not written as literals say nothing, so that any name reads `unknown`.
 */
export type ParametersOf<R extends string, A> = string extends R | keyof A
  ? AnyParameters
  : [PathNames<R>, OptionalPathNames<R>] extends [infer Path extends string, infer Optional]
    ? { [Name in Path | (keyof A & string)]: Parameter<Name, A, Path, Optional> }
    : never
