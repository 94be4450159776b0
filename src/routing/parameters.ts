import type { AnyParameters } from '../http/rest-request.js'
import type { ArgumentValue, IsPresent } from './argument-value.js'
import type { StandardOutput } from '../validation/standard-schema.js'
import type { OptionalPathNames, PathNames } from './path-names.js'

/** The type of an argument as it is read, with null when it may be absent. */
type ReadArgument<Rules> = IsPresent<Rules> extends true ? ArgumentValue<Rules> : ArgumentValue<Rules> | null

/** The type of a capture of the path: text, unless rules convert it. */
type Capture<Rules> = Rules extends { readonly type: unknown } | { readonly sanitize_callback: unknown }
  ? ArgumentValue<Rules>
  : string

/** A capture is always present, unless its group is optional and has no default. */
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
 * Every name that a handler of the route may read, with the type of its value; null where the value may be absent. Where
 * the route or the arguments are not literals, any name reads `unknown`.
 */
export type ParametersOf<R extends string, A> = string extends R | keyof A
  ? AnyParameters
  : '~standard' extends keyof A
    ? SchemaParameters<R, StandardOutput<A>>
    : RuleParameters<A, PathNames<R>, OptionalPathNames<R>>

// Parameters of a type, because the compiler evaluates `[PathNames<R>] extends …` twice. A conditional type, because editors
// show the members of its result in place of its name.
type RuleParameters<A, Path, Optional> = [Path] extends [string]
  ? { [Name in Path | (keyof A & string)]: Parameter<Name, A, Path, Optional> }
  : never

/** All parameters, converted by the schema of a library, and the captures of the path that it does not name. */
type SchemaParameters<R extends string, Output> = string extends keyof Output
  ? AnyParameters
  : NamedParameters<Output, PathNames<R>, OptionalPathNames<R>>

type NamedParameters<Output, Path, Optional> = [Path] extends [string]
  ? {
      [Name in Path | (keyof Output & string)]: Name extends keyof Output
        ? undefined extends Output[Name]
          ? Exclude<Output[Name], undefined> | null
          : Output[Name]
        : ReadCapture<{}, Name extends Optional ? true : false>
    }
  : never
