/** A value that may have to be waited for. What is at hand stays out of promises: each costs a turn of the event loop. */
export type MaybePromise<T> = T | Promise<T>

/** What `make` makes of the value, at once where the value is at hand. */
export function mapMaybePromise<T, U>(value: MaybePromise<T>, make: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(make) : make(value)
}
