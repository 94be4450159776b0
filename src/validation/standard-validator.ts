import { isThenable } from '../base/thenable.js'
import type { MaybePromise } from '../base/maybe-promise.js'
import { isZod, zodValidator } from './zod-validator.js'
import type { StandardResult, StandardSchema } from './standard-schema.js'

/**
 * The validator of a schema of a library for arguments, chosen at the start. It leaves no promise of the schema unawaited: one
 * that rejects would end a process without a handler of unhandled rejections.
 */
export function standardValidator(schema: StandardSchema): (value: unknown) => MaybePromise<StandardResult<unknown>> {
  if (isZod(schema)) return zodValidator(schema)
  return (value) => {
    const result = schema['~standard'].validate(value)
    // Promises of libraries need not be those of this realm.
    return isThenable(result) ? Promise.resolve(result) : result
  }
}
