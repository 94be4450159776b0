import type { RestRequest } from 'as-rest-route'

/** Whether two types are the same, also in what they do with `any` and `unknown`. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Flat<T> = { [Name in keyof T]: T[Name] }
/** What `get_param` gives, by name. */
export type Read<R> = R extends RestRequest<infer P> ? Flat<P> : never
/** What `get_params` gives. */
export type ReadAll<R> = R extends { get_params(): infer All } ? Flat<All> : never
/** Compiles for `Equal` types only. */
export const same = <_ extends true>() => {}
