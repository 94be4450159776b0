import { type Problem, RestError } from '../http/rest-error.js'
import { errorBody } from '../http/error-response.js'

/** The reason why a parameter is rejected: a problem with a message, or null when a validator returned `false`. */
export class ArgumentRefusal {
  constructor(readonly problem: Problem | null) {}

  /** The message for `data.params` of the response. */
  get message(): string {
    if (this.problem === null) return 'Invalid parameter.'
    const others = this.problem instanceof RestError ? this.problem.additional_errors : []
    return [this.problem, ...others].map(({ message }) => message).join(' ')
  }

  /** The value for `data.details` of the response; null for no entry. */
  get details(): unknown {
    if (this.problem === null) return null
    if (this.problem instanceof RestError) return errorBody(this.problem)
    const { code, message, data } = this.problem
    return { code, message, data }
  }
}

/** The error for required parameters that are missing. */
export function missingParameters(names: readonly string[]): RestError {
  return new RestError('rest_missing_callback_param', `Missing parameter(s): ${names.join(', ')}`, {
    status: 400,
    params: names,
  })
}

/**
 * The error for parameters with rejected values.
 * @param refusals in the order in which the parameters are named.
 */
export function invalidParameters(refusals: ReadonlyMap<string, ArgumentRefusal>): RestError {
  const params = Object.create(null) as Record<string, string>
  const details = Object.create(null) as Record<string, unknown>
  for (const [name, refusal] of refusals) {
    params[name] = refusal.message
    if (refusal.details !== null) details[name] = refusal.details
  }
  return new RestError('rest_invalid_param', `Invalid parameter(s): ${[...refusals.keys()].join(', ')}`, {
    status: 400,
    params,
    // PHP encodes an empty map as `[]`.
    details: Object.keys(details).length === 0 ? [] : details,
  })
}
