/** A value that may have to be waited for. What is at hand stays out of promises: each costs a turn of the event loop. */
export type Eventually<T> = T | Promise<T>

/** What `make` makes of the value, at once where the value is at hand. */
export function afterwards<T, U>(value: Eventually<T>, make: (value: T) => Eventually<U>): Eventually<U> {
  return value instanceof Promise ? value.then(make) : make(value)
}
