import { type Problem, RestError } from '../http/rest-error.js'
import { errorBody } from '../http/error-response.js'

/** Why a parameter is refused: a problem with a message, or a callback that said `false` and nothing else. */
export class ArgumentRefusal {
  constructor(readonly problem: Problem | null) {}

  /** What `data.params` says. */
  get message(): string {
    if (this.problem === null) return 'Invalid parameter.'
    const others = this.problem instanceof RestError ? this.problem.others : []
    return [this.problem, ...others].map(({ message }) => message).join(' ')
  }

  /** What `data.details` says; null for nothing. */
  get details(): unknown {
    if (this.problem === null) return null
    if (this.problem instanceof RestError) return errorBody(this.problem)
    const { code, message, data } = this.problem
    return { code, message, data }
  }
}

/** Required parameters that are not there (docs/wire.md#validation-errors). */
export function missingParameters(names: readonly string[]): RestError {
  return new RestError('rest_missing_callback_param', `Missing parameter(s): ${names.join(', ')}`, {
    status: 400,
    params: names,
  })
}

/**
 * Parameters with a value that is refused, in the order in which they failed (docs/wire.md#validation-errors).
 * WordPress prints a map without entries as `[]`; here that can only be `details`.
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
    details: Object.keys(details).length === 0 ? [] : details,
  })
}
