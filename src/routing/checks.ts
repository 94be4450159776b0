import type { Complaint } from '../base/complaint.js'
import type { Method } from './declaration.js'

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'

type IsDigits<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? First extends Digit
    ? Rest extends ''
      ? true
      : IsDigits<Rest>
    : false
  : false

/** Segments that are not empty, then `v` and digits. */
type IsNamespace<N extends string, HasName extends boolean = false> = N extends `${infer First}/${infer Rest}`
  ? First extends ''
    ? false
    : IsNamespace<Rest, true>
  : HasName extends true
    ? N extends `v${infer Digits}`
      ? IsDigits<Digits>
      : false
    : false

export type NamespaceCheck<N extends string> = string extends N
  ? unknown
  : N extends `${string}${' ' | '\t' | '\n'}${string}`
    ? Complaint<NamespaceSentence<N>>
    : IsNamespace<N> extends true
      ? unknown
      : Complaint<NamespaceSentence<N>>

type NamespaceSentence<N extends string> = `namespace '${N}' must read '<name>/v<N>', for example 'shop/v1'`

/** What remains of `\d+` when a JavaScript string has lost the backslash. No real route repeats these letters. */
type LostBackslash =
  | `${string}${'>' | '(' | '/' | '|'}${'d' | 'w' | 's' | 'D' | 'W' | 'S'}${'+' | '*' | '{'}${string}`
  | `${string}[${'d' | 'w' | 's'}${'' | '-' | '.' | '_'}]${'+' | '*' | '{'}${string}`
  | `${string}${'\b' | '\f' | '\v'}${string}`

export type RouteCheck<R extends string> = string extends R
  ? unknown
  : R extends `/${string}`
    ? R extends LostBackslash
      ? Complaint<`route '${R}' lost a backslash: inside a JavaScript string write each backslash twice`>
      : unknown
    : Complaint<`route '${R}' must start with '/'`>

export type MethodCheck<M extends string> = M extends Method
  ? unknown
  : string extends M
    ? unknown
    : Uppercase<M> extends Method
      ? Complaint<`method '${M}' must be upper case: write '${Uppercase<M>}'`>
      : Complaint<`method '${M}' is not one of GET, POST, PUT, PATCH, DELETE`>

export type CacheCheck<M extends string, P> = string extends M
  ? unknown
  : M extends 'GET'
    ? P extends 'public'
      ? unknown
      : string extends P
        ? unknown
        : Complaint<`only public responses are cached: remove 'cache', or add permission: 'public'`>
    : Complaint<`only GET responses are cached: remove 'cache' from this ${M}`>
