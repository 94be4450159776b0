import type { BindFunction } from '../base/bind-function.js'
import { ignoreRejection, isThenable } from '../base/thenable.js'
import { RestResponse } from '../http/rest-response.js'
import type { Emitter } from './response-emitter.js'
import { withBody } from './response-emitter.js'
import type { Checker } from './response-checker.js'
import { pathOf, type StandardIssue, type StandardResult, type StandardSchema } from './standard-schema.js'
import { isZod, synchronousZodValidator } from './zod-validator.js'

/** Emits the output of a schema of a library. Most libraries remove properties that the schema does not name. */
export function standardEmitter(schema: StandardSchema, bind: BindFunction): Emitter {
  const validate = bind(synchronousValidator(schema))
  return (value, emission) => {
    emission.isPlain = false
    const result = validate(bodiesOf(value))
    if (!result.issues) return withBodies(value, result.value)
    emission.isFaulty = true
    return null
  }
}

export function standardChecker(schema: StandardSchema, bind: BindFunction): Checker {
  const validate = bind(synchronousValidator(schema))
  return (value, path) => {
    const issue = validate(bodiesOf(value)).issues?.[0]
    return issue === undefined ? null : `${path}${stepsOf(issue)}: ${issue.message}`
  }
}

/** Validates a response at once, and throws a TypeError when the schema is asynchronous. */
function synchronousValidator(schema: StandardSchema): (value: unknown) => StandardResult<unknown> {
  const validate = isZod(schema) ? synchronousZodValidator(schema) : synchronousResultOf(schema)
  return (value) => {
    const result = validate(value)
    if (result !== null) return result
    throw new TypeError(
      `A response schema of ${schema['~standard'].vendor} is asynchronous. Remove its asynchronous parts, and check in the handler what they check.`,
    )
  }
}

/** The validator of a schema of another library; null for a promise. */
const synchronousResultOf =
  (schema: StandardSchema) =>
  (value: unknown): StandardResult<unknown> | null => {
    const result = schema['~standard'].validate(value)
    if (!isThenable(result)) return result
    ignoreRejection(result)
    return null
  }

function stepsOf(issue: StandardIssue): string {
  return pathOf(issue)
    .map((segment) => (/^\d+$/.test(segment) ? `[${segment}]` : `.${segment}`))
    .join('')
}

/** The body. In a list, each response is replaced by its body. */
function bodiesOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return (value as unknown[]).map((item) => (item instanceof RestResponse ? (item.body as unknown) : item))
}

/** Puts the validated bodies back into the responses of a list, which keep their links. */
function withBodies(value: unknown, output: unknown): unknown {
  if (!Array.isArray(value) || !Array.isArray(output) || value.length !== output.length) return output
  const items: readonly unknown[] = value
  return (output as unknown[]).map((body, index) => {
    const item = items[index]
    return item instanceof RestResponse ? withBody(item, body) : body
  })
}
