/** Whether a value is a promise or has a method `then` like one. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** Marks a promise that is not awaited as handled, so that its rejection does not end the process. */
export function ignoreRejection(promise: PromiseLike<unknown>): void {
  Promise.resolve(promise).catch(() => undefined)
}
