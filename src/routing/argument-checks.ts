import type {
  ArgumentRules,
  FileType,
  FormatName,
  SanitizeCallback,
  TypeName,
  ValidateCallback,
  ValidateCallbackResult,
} from '../validation/rules.js'
import type { SanitizerTypes } from '../sanitizers/sanitizer-types.js'
import type { SchemaSanitizer } from './argument-value.js'
import type { SchemaValue } from '../validation/schema-value.js'
import type { StandardInput, StandardOutput, StandardSchema } from '../validation/standard-schema.js'
import type { Complaint } from '../base/complaint.js'

/** Any string. Unlike `string`, it keeps the literals of a union with it, which an editor then completes. */
export type AnyString = string & {}

/**
 * Rules as an author may write them. They are looser than {@link ArgumentRules} where {@link ArgumentsCheck} reports a fault
 * more clearly than the compiler would.
 */
export interface WrittenRules extends Omit<
  ArgumentRules,
  | 'type'
  | 'format'
  | 'validate_callback'
  | 'sanitize_callback'
  | 'items'
  | 'properties'
  | 'patternProperties'
  | 'anyOf'
  | 'oneOf'
> {
  readonly type?: TypeName | FileType | AnyString | readonly (TypeName | AnyString)[]
  readonly format?: FormatName | AnyString
  readonly validate_callback?: ((...parameters: Parameters<ValidateCallback>) => unknown) | 'rest_validate_request_arg'
  readonly sanitize_callback?: keyof SanitizerTypes | SchemaSanitizer | AnyString | SanitizeCallback | null
  readonly items?: WrittenRules
  readonly properties?: WrittenSchema
  readonly patternProperties?: WrittenSchema
  readonly anyOf?: readonly WrittenRules[]
  readonly oneOf?: readonly WrittenRules[]
}

export type WrittenSchema = Readonly<Record<string, WrittenRules>>

/**
 * Rules by argument name, or one schema of a library for all arguments. A schema for one argument is accepted by
 * this type, so that {@link ArgumentsCheck} can refuse it with a clear message.
 */
export type WrittenArguments = StandardSchema | Readonly<Record<string, WrittenRules | StandardSchema>>

/** The expected type of arguments that are rules, for the parameters of their callbacks and for completion. */
export type ArgumentsContext<A> = string extends keyof A
  ? WrittenSchema
  : '~standard' extends keyof A
    ? unknown
    : [Extract<A[keyof A], { readonly '~standard': unknown }>] extends [never]
      ? WrittenSchema
      : unknown

/** The compile-time messages about the arguments of a declaration, each at the faulty rule; `unknown` without any. */
export type ArgumentsCheck<A> = string extends keyof A
  ? unknown
  : '~standard' extends keyof A
    ? LibraryCheck<StandardInput<A>, StandardOutput<A>>
    : {
        [Name in keyof A]: '~standard' extends keyof A[Name]
          ? Complaint<`the rules of '${Name & string}' are a schema of a library: write one schema for all arguments, args: z.object({ ${Name & string}: … })`>
          : RulesCheck<A[Name], Name & string>
      }

/** Refuses a schema for all arguments whose input or output is not an object. */
type LibraryCheck<Input, Output> = true extends IsNeverObject<Input> | IsNeverObject<Output>
  ? Complaint<'the schema of all arguments must accept an object and make one, with a property for each argument: write z.object({ … })'>
  : unknown

/** Whether no value of a type is an object with properties. Values of `any` and `unknown` may be. */
type IsNeverObject<T> = 0 extends 1 & T
  ? false
  : [T] extends [string | number | boolean | bigint | symbol | null | undefined | readonly unknown[]]
    ? true
    : false

export type RulesCheck<Rules, Where extends string> = { [Rule in keyof Rules]: RuleCheck<Rules, Rule, Where> }

/** Rules whose faults the compiler describes well enough. They are tested first, because most rules are among them. */
type PlainRule = Exclude<
  keyof ArgumentRules,
  | 'type'
  | 'default'
  | 'sanitize_callback'
  | 'validate_callback'
  | 'format'
  | 'items'
  | 'properties'
  | 'patternProperties'
>

type RuleCheck<Rules, Rule extends keyof Rules, Where extends string> = Rule extends PlainRule
  ? unknown
  : Rule extends 'type'
    ? TypeCheck<Rules[Rule], Where>
    : Rule extends 'default'
      ? DefaultCheck<Rules[Rule], Rules, Where>
      : Rule extends 'properties' | 'patternProperties'
        ? { [Name in keyof Rules[Rule]]: RulesCheck<Rules[Rule][Name], `${Where}[${Name & string}]`> }
        : Rule extends 'items'
          ? RulesCheck<Rules[Rule], `${Where}[]`>
          : Rule extends 'sanitize_callback'
            ? SanitizerCheck<Rules[Rule], Where>
            : Rule extends 'validate_callback'
              ? ValidatorCheck<Rules[Rule], Where>
              : Rule extends 'format'
                ? FormatCheck<Rules[Rule], Where>
                : Complaint<`'${Rule & string}' of '${Where}' is not a rule: remove it, or see The rules of an argument in docs/declaring.md`>

type TypeCheck<Type, Where extends string> = Type extends TypeName
  ? unknown
  : Type extends FileType
    ? FileCheck<Where>
    : Type extends readonly unknown[]
      ? { [Index in keyof Type]: TypeCheck<Type[Index], Where> }
      : string extends Type
        ? Complaint<`the compiler knows the type of '${Where}' only as string: write the args in place, or add 'as const'`>
        : Complaint<`type '${Type & string}' of '${Where}' is unknown: use string, integer, number, boolean, array, object${FileCheck<Where> extends Complaint<string> ? ' or null' : ', null or file'}`>

/** Only an argument and its items can be files: `poster` and `pages[]`, but neither `box[picture]` nor `responses[200]`. */
type FileCheck<Where extends string> = Where extends `${string}[${infer Inner}`
  ? Inner extends ']'
    ? unknown
    : Complaint<`'${Where}' cannot be a file: only an argument, or the items of a list that is one, has the type file`>
  : unknown

type FormatCheck<Format, Where extends string> = Format extends FormatName
  ? unknown
  : string extends Format
    ? unknown
    : Complaint<`format '${Format & string}' of '${Where}' is unknown: use date-time, email, ip, uuid, hex-color, uri, text-field or textarea-field`>

type SanitizerCheck<Sanitizer, Where extends string> = Sanitizer extends keyof SanitizerTypes | SchemaSanitizer | ''
  ? unknown
  : Sanitizer extends string
    ? string extends Sanitizer
      ? unknown
      : Complaint<`sanitiser '${Sanitizer}' of '${Where}' is unknown: use one of WordPress's, or add yours to the interface SanitizerTypes`>
    : Sanitizer extends (...parameters: never[]) => infer Returned
      ? // A function that only throws returns never, which is assignable to everything.
        [Returned] extends [never]
        ? unknown
        : Returned extends Promise<unknown>
          ? Complaint<`the sanitiser of '${Where}' must not be asynchronous: return the value itself`>
          : unknown
      : unknown

type ValidatorCheck<Validator, Where extends string> = Validator extends (...parameters: never[]) => infer Returned
  ? [Returned] extends [ValidateCallbackResult]
    ? unknown
    : [Extract<Returned, PromiseLike<unknown>>] extends [never]
      ? Complaint<`the validator of '${Where}' must return true, false or a RestError: any other value would accept`>
      : Complaint<`the validator of '${Where}' must not be asynchronous: return true, false or a RestError itself`>
  : unknown

type DefaultCheck<Default, Rules, Where extends string> = Default extends null | undefined
  ? unknown
  : Default extends object
    ? Default extends DeepReadonly<SchemaValue<Rules>>
      ? unknown
      : Complaint<DefaultSentence<Where>>
    : Default extends SchemaValue<Rules>
      ? unknown
      : Complaint<DefaultSentence<Where>>

type DefaultSentence<Where extends string> =
  `the default of '${Where}' does not satisfy its own type or enum: change one of them`

/** A type with all its members read-only, as a literal of a declaration has them. */
type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
    : T
