import { isNodeStream, observeErrors } from './node-stream.js'
import { isObject } from './value-type.js'

/** Whether a value is a promise or has a method `then` like one. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** Marks a promise that is not awaited as handled, so that its rejection does not end the process. */
export function ignoreRejection(promise: PromiseLike<unknown>): void {
  Promise.resolve(promise).catch(() => undefined)
}

/**
 * Marks the promises in a value, at any depth, as handled, and the streams of Node as well. A response body that holds
 * promises or streams is a fault, and they are not awaited: without this, one that fails would end the process.
 */
export function ignoreFailures(body: unknown): void {
  const objects = new Set<object>(isObject(body) ? [body] : [])
  // The loop also visits the objects that are added meanwhile.
  for (const object of objects) {
    if (isThenable(object)) ignoreRejection(object)
    else if (isNodeStream(object)) observeErrors(object)
    else for (const member of membersOf(object)) if (isObject(member)) objects.add(member)
  }
}

function membersOf(value: object): readonly unknown[] {
  try {
    return Object.values(value)
  } catch {
    // A getter threw.
    return []
  }
}
