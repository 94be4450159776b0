import type { ArgumentRules } from '../arguments/rules.js'
import type { Value } from './parameters.js'
import type { Complaint } from './complaint.js'

export type NamespaceCheck<N extends string> = string extends N
  ? unknown
  : N extends `${string}/v${bigint}`
    ? unknown
    : Complaint<`namespace '${N}' must read '<name>/v<N>', for example 'shop/v1'`>

export type RouteCheck<R extends string> = string extends R
  ? unknown
  : R extends `/${string}`
    ? R extends `${string}>d+)${string}` | `${string}>w+)${string}`
      ? Complaint<`route '${R}' lost a backslash: inside a JavaScript string write it twice`>
      : unknown
    : Complaint<`route '${R}' must start with '/'`>

export type ArgumentsCheck<A> = {
  [N in keyof A]: {
    [K in keyof A[N]]: K extends 'default'
      ? A[N][K] extends Value<A[N]> | null
        ? unknown
        : Complaint<`the default of '${N & string}' does not satisfy its own type or enum`>
      : K extends keyof ArgumentRules
        ? unknown
        : Complaint<`'${K & string}' is not a rule of an argument`>
  }
}

export type PermissionCheck<This, P, Request> = [P] extends ['public' | null | undefined]
  ? unknown
  : string extends P
    ? unknown
    : P extends keyof This
      ? This[P] extends (request: Request) => boolean | Promise<boolean>
        ? unknown
        : Complaint<`permission '${P & string}' must be a method that takes this route's request, or nothing, and returns a boolean`>
      : Complaint<`permission '${P & string}' is neither 'public' nor a public method of this class`>
