import { RestResponse } from '../http/rest-response.js'
import type { Emitter } from './response-emitter.js'
import { withBody } from './response-emitter.js'
import type { Checker } from './response-checker.js'
import { pathOf, validateNow, type StandardIssue, type StandardSchema } from './standard-schema.js'

/** A body as a schema of a library makes it: of most libraries, without properties that the schema does not name. */
export function standardEmitter(schema: StandardSchema): Emitter {
  return (value, emission) => {
    emission.isPlain = false
    const result = validateNow(schema, bodiesOf(value))
    if (!result.issues) return withBodies(value, result.value)
    emission.isFaulty = true
    return null
  }
}

export function standardChecker(schema: StandardSchema): Checker {
  return (value, path) => {
    const issue = validateNow(schema, bodiesOf(value)).issues?.[0]
    return issue === undefined ? null : `${path}${stepsOf(issue)}: ${issue.message}`
  }
}

function stepsOf(issue: StandardIssue): string {
  return pathOf(issue)
    .map((segment) => (/^\d+$/.test(segment) ? `[${segment}]` : `.${segment}`))
    .join('')
}

/** The body, with the bodies of responses in a list in place of these. */
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
