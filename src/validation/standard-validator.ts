import { isThenable } from '../base/thenable.js'
import type { MaybePromise } from '../base/maybe-promise.js'
import { isZod, zodValidator } from './zod-validator.js'
import type { StandardResult, StandardSchema } from './standard-schema.js'

/** How a schema of a library is called. */
export interface StandardValidator {
  /** Whether `validate` may return a promise. */
  readonly mayBeAsync: boolean
  /**
   * Validates a value once, and leaves no promise of the schema unawaited: one that rejects would end a process without a
   * handler of unhandled rejections.
   */
  readonly validate: (value: unknown) => MaybePromise<StandardResult<unknown>>
}

/** The validator of a schema, chosen at the start. */
export function standardValidator(schema: StandardSchema): StandardValidator {
  if (isZod(schema)) return zodValidator(schema)
  return {
    mayBeAsync: !isSynchronous(schema),
    validate(value) {
      const result = schema['~standard'].validate(value)
      // Promises of libraries need not be those of this realm.
      return isThenable(result) ? Promise.resolve(result) : result
    },
  }
}

/** Schemas of ArkType are synchronous. A schema of Valibot tells whether it is. */
function isSynchronous(schema: StandardSchema): boolean {
  const { vendor } = schema['~standard']
  return vendor === 'arktype' || (vendor === 'valibot' && (schema as { readonly async?: unknown }).async === false)
}
