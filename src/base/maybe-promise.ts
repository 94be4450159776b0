/** A value, or a promise for it. Available values are returned directly, which saves a microtask per layer. */
export type MaybePromise<T> = T | Promise<T>

/** Applies `transform` to the value: now when the value is available, otherwise when its promise is fulfilled. */
export function mapMaybePromise<T, U>(
  value: MaybePromise<T>,
  transform: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return value instanceof Promise ? value.then(transform) : transform(value)
}
