import type { RestRequest } from '../http/rest-request.js'
import type { Complaint } from '../base/complaint.js'
import type { ResponseCheck } from './response-checks.js'

/** Why this target cannot answer the route, in one sentence; `unknown` when it can. */
export type TargetCheck<Context, Permission, P extends object, S = {}> = Context extends string | symbol
  ? Complaint<'@AsRestRoute needs standard decorators: remove "experimentalDecorators" from tsconfig.json'>
  : Context extends { readonly kind: infer Kind extends string; readonly name: infer Name }
    ? Kind extends 'method'
      ? MemberCheck<Context, Name, Permission, P, S>
      : Complaint<`@AsRestRoute is on a${Kind extends 'accessor' ? 'n' : ''} ${Kind}${NameText<Name>}: put it on a method`>
    : unknown

type NameText<Name> = Name extends string ? (string extends Name ? '' : ` ('${Name}')`) : ''

type MemberCheck<Context, Name, Permission, P extends object, S> = Context extends { readonly static: true }
  ? Complaint<`'${Name & string}' is static: a handler belongs to an object, so remove 'static'`>
  : Context extends { readonly private: true }
    ? Complaint<`'${Name & string}' is private, so the service cannot call it: name it without '#'`>
    : Name extends string
      ? Context extends ClassMethodDecoratorContext<infer This, infer Handler>
        ? MethodCheck<This, Handler, Name, Permission, P, S>
        : unknown
      : Complaint<'a handler is named by text: give the method a name that is not a symbol'>

type MethodCheck<This, Handler, Name extends string, Permission, P extends object, S> = Handler extends (
  ...parameters: infer Params
) => infer Returned
  ? NeedsMore<Params> extends true
    ? Complaint<`handler '${Name}' takes more than the request: take dependencies in the constructor, by inject`>
    : IsSendable<Returned, S> extends true
      ? RequestCheck<
          First<Params>,
          P,
          `handler '${Name}'`,
          ResponseCheck<Returned, S, `handler '${Name}'`, PermissionCheck<This, Permission, P>>
        >
      : Complaint<UnsendableSentence<`handler '${Name}'`>>
  : unknown

/** Types that a handler must not return. The service answers 500 for them. */
type Unsendable = undefined | void | bigint | symbol | Error | ((...parameters: never[]) => unknown)

/** Whether a handler may return this type, or a promise for it. `any` and `unknown` are accepted. Schemas `S` say more. */
export type IsSendable<Returned, S = {}> = 0 extends 1 & Returned
  ? true
  : [keyof S] extends [never]
    ? HasJsonForm<Returned>
    : true

type HasJsonForm<Returned> = 0 extends 1 & Awaited<Returned>
  ? true
  : [Extract<Awaited<Returned>, Unsendable>] extends [never]
    ? true
    : false

export type UnsendableSentence<Handler extends string> =
  `${Handler} must return a RestResponse, a JSON value or null, or a promise of one`

/** Whether a parameter after the first must be given. */
type NeedsMore<Params extends readonly unknown[]> = Params extends readonly [unknown?, ...infer Rest]
  ? [] extends Rest
    ? false
    : true
  : true

/** The type of the first parameter; `unknown` when there is none. */
type First<Params extends readonly unknown[]> = Params extends readonly [] ? unknown : Exclude<Params[0], undefined>

/** @typeParam Otherwise the result when the route has what the annotation of the request names. */
type RequestCheck<Annotated, P extends object, Reader extends string, Otherwise> = string extends keyof P
  ? Otherwise
  : unknown extends Annotated
    ? Otherwise
    : Annotated extends RestRequest<infer Expected>
      ? MisreadCheck<Misread<Expected, P>, Expected, P, Reader, Otherwise>
      : RestRequest<P> extends Annotated
        ? Otherwise
        : Complaint<`${Reader} must take a RestRequest, or nothing`>

type MisreadCheck<Name, Expected, P, Reader extends string, Otherwise> = [Name] extends [never]
  ? Otherwise
  : Complaint<MisreadSentence<Name, Expected, P, Reader>>

/** Names that the annotation has with another type than the route. */
type Misread<Expected, P> = string extends keyof Expected
  ? never
  : // One check of all names is fast. Only when it fails are the names checked one by one.
    [P, keyof Expected] extends [Expected, keyof P]
    ? never
    : {
        [Name in keyof Expected]-?: Name extends keyof P ? (P[Name] extends Expected[Name] ? never : Name) : Name
      }[keyof Expected]

type MisreadSentence<Name, Expected, P, Reader extends string> = Name extends keyof P & keyof Expected & string
  ? Exclude<P[Name], null> extends Expected[Name]
    ? `${Reader} reads '${Name}' as always present, but it may be absent: add '| null', or declare it required or with a default`
    : `${Reader} reads '${Name}' as another type than the route and its args give it: change the annotation or the rule`
  : `${Reader} reads '${Name & string}', which is neither in the route nor in args: declare it, or do not read it`

type PermissionCheck<This, Permission, P extends object> = [Permission] extends ['public' | null | undefined]
  ? unknown
  : string extends Permission
    ? unknown
    : Permission extends keyof This & string
      ? This[Permission] extends (...parameters: infer Params) => infer Returned
        ? NeedsMore<Params> extends true
          ? Complaint<`permission '${Permission}' takes more than the request: it takes this route's request, or nothing`>
          : [Returned] extends [boolean | Promise<boolean>]
            ? RequestCheck<First<Params>, P, `permission '${Permission}'`, unknown>
            : Complaint<`permission '${Permission}' must return true or false, or a promise of one`>
        : Complaint<`permission '${Permission}' is not a method: it takes this route's request, or nothing, and returns true or false`>
      : Complaint<`permission '${Permission & string}' is neither 'public' nor a public method of this class: correct the name, or add the method`>
