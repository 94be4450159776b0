import type { Complaint } from '../base/complaint.js'
import type { RestResponse } from '../http/rest-response.js'
import type { RequiredNames } from '../validation/schema-value.js'
import type { RulesCheck, WrittenRules } from './argument-checks.js'
import type { ResponseBody, ResponseValue } from '../validation/response-value.js'
import type { StandardInput, StandardSchema } from '../validation/standard-schema.js'
import type { LibraryMismatch } from './library-mismatch.js'
import type {
  Member,
  NullableSentence,
  PromiseInside,
  WidenedSentence,
  WrongTypeSentence,
} from './mismatch-sentences.js'

/** Schemas by status, as an author may write them. */
export type WrittenResponses = Readonly<Record<number, WrittenRules | StandardSchema>>

/** The compile-time messages about the response schemas of a declaration, each at the faulty rule; `unknown` without any. */
export type ResponsesCheck<S> = number extends keyof S
  ? unknown
  : {
      [Status in keyof S]: Status extends number
        ? '~standard' extends keyof S[Status]
          ? unknown
          : RulesCheck<S[Status], `responses[${Status}]`>
        : Complaint<`'${Status & string}' in 'responses' is not a status: use a number such as 200, 201 or 404`>
    }

/** Bodies that are sent as they are. No schema describes them. */
type RawBody = ArrayBuffer | ArrayBufferView | Blob | ReadableStream | AsyncIterable<unknown>

/**
 * Why the result of a handler is none of the declared responses, in one sentence.
 * @typeParam Otherwise the result when it is one.
 */
export type ResponseCheck<Returned, S, Handler extends string, Otherwise> = [keyof S] extends [never]
  ? Otherwise
  : number extends keyof S
    ? Otherwise
    : FaultCheck<ResponseFault<Returned, S, Handler>, Otherwise>

// A parameter, because the compiler evaluates `[ResponseFault<…>] extends [never]` twice.
type FaultCheck<Fault, Otherwise> = [Fault] extends [never] ? Otherwise : Complaint<FirstSentence<Fault>>

/** One member of a union of sentences. Of a union, the compiler would print the name of a type of this package. */
type FirstSentence<Sentence> = (Sentence extends unknown ? (take: () => Sentence) => void : never) extends (
  take: infer Takes,
) => void
  ? Takes extends () => infer Last
    ? Last & string
    : never
  : never

type ResponseFault<Result, S, Handler extends string> = unknown extends Result
  ? never
  : Result extends { readonly then: unknown }
    ? // First: two references to the same interface are compared by their arguments alone.
      Result extends Promise<infer Settled>
      ? ResponseFault<Settled, S, Handler>
      : Result extends PromiseLike<infer Settled>
        ? ResponseFault<Settled, S, Handler>
        : BodyFault<Result, 200, S, Handler>
    : Result extends RestResponse<infer Body, infer Status>
      ? unknown extends Body
        ? never
        : BodyFault<Body, Status, S, Handler>
      : Result extends Response
        ? never
        : BodyFault<Result, 200, S, Handler>

// A body that matches is tested first: the other conditions are computed only for a body that does not.
type BodyFault<Body, Status, S, Handler extends string> = Status extends keyof S & number
  ? Body extends ResponseBody<S[Status]>
    ? Body extends PromiseLike<unknown>
      ? PromiseSentence<Handler>
      : never
    : Body extends RawBody
      ? never
      : Body extends PromiseLike<unknown>
        ? PromiseSentence<Handler>
        : Sendable<Body> extends ResponseBody<S[Status]>
          ? never
          : S[Status] extends { readonly '~standard': unknown }
            ? LibraryMismatch<Sendable<Body>, StandardInput<S[Status]>, `${Handler} answers ${Status}`, ''>
            : RulesMismatch<Sendable<Body>, S[Status], `${Handler} answers ${Status}`, ''>
  : Body extends RawBody | null
    ? never
    : Body extends PromiseLike<unknown>
      ? PromiseSentence<Handler>
      : number extends Status
        ? Sendable<Body> extends ResponseBody<S[keyof S]>
          ? never
          : `${Handler} answers with a body that fits none of its responses: change the body or a schema, or give a literal status`
        : `${Handler} answers ${Status & number}, which 'responses' does not declare: add it there`

type PromiseSentence<Handler extends string> = `${Handler} answers with a promise as its body: write 'await' before it`

/** A body with the bodies of the responses in its list. */
type Sendable<Body> = Body extends readonly (infer Item)[]
  ? [Extract<Item, RestResponse>] extends [never]
    ? Body
    : readonly (Item extends RestResponse<infer Inner> ? Inner : Item)[]
  : Body

/** Describes why a schema does not allow a value. It runs only for such a value. @typeParam Path `''` for the body itself. */
type RulesMismatch<Value, Rules, Begin extends string, Path extends string> =
  Value extends PromiseLike<unknown>
    ? PromiseInside<Begin, Path>
    : Value extends ResponseValue<Rules>
      ? never
      : Rules extends { readonly type: 'array'; readonly items: infer Items }
        ? Value extends readonly (infer Item)[]
          ? RulesMismatch<Item, Items, Begin, `${Path}[]`>
          : WrongType<Value, Rules, Begin, Path>
        : Rules extends { readonly type: 'object'; readonly properties: infer Properties }
          ? Value extends readonly unknown[] | string | number | boolean | null | undefined
            ? WrongType<Value, Rules, Begin, Path>
            : PropertyMismatch<Value, Properties, RequiredNames<Rules, Properties>, Begin, Path>
          : WrongType<Value, Rules, Begin, Path>

type PropertyMismatch<Value, Properties, Required, Begin extends string, Path extends string> = {
  [Name in keyof Properties]: Name extends keyof Value
    ? Value[Name] extends ResponseValue<Properties[Name]>
      ? never
      : Name extends Required
        ? MemberMismatch<Value[Name], Properties[Name], Begin, Member<Path, Name>>
        : MemberMismatch<Exclude<Value[Name], undefined>, Properties[Name], Begin, Member<Path, Name>>
    : Name extends Required
      ? `${Begin} without '${Member<Path, Name>}', which its schema requires: return it, or remove 'required'`
      : never
}[keyof Properties]

type MemberMismatch<Value, Rules, Begin extends string, Path extends string> = [Value] extends [ResponseValue<Rules>]
  ? never
  : [Exclude<Value, null | undefined>] extends [ResponseValue<Rules>]
    ? NullableSentence<Begin, Path>
    : RulesMismatch<Exclude<Value, null | undefined>, Rules, Begin, Path>

type WrongType<Value, Rules, Begin extends string, Path extends string> = string extends Value
  ? Rules extends { readonly enum: unknown }
    ? WidenedSentence<Begin, Path>
    : WrongTypeSentence<Value, Begin, Path, TypeText<Rules>>
  : WrongTypeSentence<Value, Begin, Path, TypeText<Rules>>

type TypeText<Rules> = Rules extends { readonly type: infer Type extends string } ? `the type ${Type}` : 'several types'
