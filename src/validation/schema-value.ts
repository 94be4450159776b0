import type { UploadedFile } from '../http/uploaded-file.js'

/** A map with unknown keys. */
export type AnyObject = Record<string, unknown>

/** The type of a value that has passed its rules and was coerced. */
export type SchemaValue<Rules> = Rules extends { readonly type: infer Type }
  ? Chosen<Rules, OfTypes<Type extends readonly (infer Each)[] ? Each : Type, Rules>>
  : Rules extends { readonly anyOf: readonly (infer Candidate)[] } | { readonly oneOf: readonly (infer Candidate)[] }
    ? Candidate extends unknown
      ? SchemaValue<Candidate>
      : never
    : unknown

/** The members of `enum` that the type allows; the type itself when the compiler knows none of them. */
type Chosen<Rules, Value> = Rules extends { readonly enum: readonly (infer Member)[] }
  ? [Extract<Member, Value>] extends [never]
    ? Value
    : Extract<Member, Value>
  : Value

type OfTypes<Type, Rules> = string extends Type ? unknown : Type extends unknown ? OfType<Type, Rules> : never

type OfType<Type, Rules> = Type extends 'integer' | 'number'
  ? number
  : Type extends 'string'
    ? string
    : Type extends 'boolean'
      ? boolean
      : Type extends 'array'
        ? Rules extends { readonly items: infer Items }
          ? SchemaValue<Items>[]
          : unknown[]
        : Type extends 'object'
          ? ObjectValue<Rules>
          : Type extends 'null'
            ? null
            : Type extends 'file'
              ? UploadedFile
              : unknown

type ObjectValue<Rules> = Rules extends { readonly properties: infer Properties }
  ? Flat<Named<Properties, RequiredNames<Rules, Properties>>> & OtherProperties<Rules, Properties>
  : Rules extends { readonly patternProperties: unknown }
    ? AnyObject
    : Rules extends { readonly additionalProperties: infer Others }
      ? Others extends boolean
        ? Others extends false
          ? Record<string, never>
          : AnyObject
        : Record<string, SchemaValue<Others>>
      : AnyObject

type Named<Properties, Required> = {
  -readonly [Name in keyof Properties as Name extends Required ? Name : never]: SchemaValue<Properties[Name]>
} & { -readonly [Name in keyof Properties as Name extends Required ? never : Name]?: SchemaValue<Properties[Name]> }

/** A list of names on the object itself, and only without one the properties that say `required: true`. */
export type RequiredNames<Rules, Properties> = Rules extends { readonly required: readonly (infer Name)[] }
  ? Name
  : {
      [Name in keyof Properties]: Properties[Name] extends { readonly required: true } ? Name : never
    }[keyof Properties]

/** The type of the names that `properties` does not list, if the rules describe them. */
type OtherProperties<Rules, Properties> = Rules extends
  | { readonly patternProperties: unknown }
  | { readonly additionalProperties: true }
  ? { [name: string]: unknown }
  : Rules extends { readonly additionalProperties: false }
    ? unknown
    : Rules extends { readonly additionalProperties: infer Others }
      ? { [name: string]: SchemaValue<Others> | SchemaValue<Properties[keyof Properties]> | undefined }
      : unknown

type Flat<T> = { [Name in keyof T]: T[Name] }
