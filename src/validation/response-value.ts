import type { RequiredNames } from './schema-value.js'
import type { StandardInput } from './standard-schema.js'

/** The type of a body that a response schema describes: rules, or a schema of a library. */
export type ResponseBody<Schema> = Schema extends { readonly '~standard': unknown }
  ? ReadonlyList<StandardInput<Schema>>
  : ResponseValue<Schema>

/**
 * The type of a value that the rules of a response describe, as a handler may return it. An object may have further properties:
 * they are not sent.
 */
export type ResponseValue<Rules> = Rules extends { readonly type: infer Type }
  ? Type extends keyof Scalars
    ? ScalarValue<Type, Rules>
    : Type extends 'object'
      ? ObjectValue<Rules>
      : Type extends 'array'
        ? ListValue<Rules>
        : Type extends readonly (infer Each)[]
          ? OneOf<Each, Rules>
          : unknown
  : Rules extends { readonly anyOf: readonly (infer Candidate)[] } | { readonly oneOf: readonly (infer Candidate)[] }
    ? ResponseValue<Candidate>
    : unknown

type ReadonlyList<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value

interface Scalars {
  integer: number
  number: number
  string: string
  boolean: boolean
  null: null
}

type ScalarValue<Type extends keyof Scalars, Rules> = Rules extends { readonly enum: readonly (infer Member)[] }
  ? Member
  : Scalars[Type]

/** One of several types. */
type OneOf<Type, Rules> = Type extends keyof Scalars
  ? ScalarValue<Type, Rules>
  : Type extends 'object'
    ? ObjectValue<Rules>
    : Type extends 'array'
      ? ListValue<Rules>
      : unknown

type ListValue<Rules> = Rules extends { readonly items: infer Items }
  ? readonly ResponseValue<Items>[]
  : readonly unknown[]

type ObjectValue<Rules> = Rules extends { readonly properties: infer Properties }
  ? // One mapped type for all properties takes the compiler half the time of two, of which one has the required properties.
    { readonly [Name in keyof Properties]?: ResponseValue<Properties[Name]> | undefined } & Present<
      RequiredNames<Rules, Properties>
    >
  : Rules extends { readonly additionalProperties: infer Others }
    ? Others extends boolean
      ? object
      : { readonly [name: string]: ResponseValue<Others> }
    : object

/** Has properties of these names, which are not undefined. */
type Present<Names> = { readonly [Name in Names & string]: {} | null }
