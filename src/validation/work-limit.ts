import { RestError } from '../http/rest-error.js'

/**
 * The work that the validation of one request may take, in units of about the comparison of one value with one schema. A
 * body has at most 50,000 values, but each of them may be compared with many schemas of `anyOf` and `oneOf`.
 */
export const maxWork = 500_000

/** Less work is not counted: a callback may read the arguments of the request many times. */
const minCountedWork = 1000

const charactersPerUnit = 32

class WorkLimitError extends Error {
  override readonly name = 'WorkLimitError'
}

/** The units of work that are left to one validation. */
export class WorkLimit {
  #remaining: number

  constructor(remaining: number) {
    this.#remaining = remaining
  }

  get remaining(): number {
    return this.#remaining
  }

  /** Counts work. @throws WorkLimitError when less than that is left. */
  spend(units: number): void {
    this.#remaining -= units
    if (this.#remaining < 0) throw new WorkLimitError()
  }

  /** Counts the comparison of a value with one schema. Lists and maps count their members themselves. */
  spendOn(value: unknown): void {
    this.spend(typeof value === 'string' ? 1 + value.length / charactersPerUnit : 1)
  }
}

/** For values of the application and of the database. Infinity stays the same whatever is subtracted. */
export const unlimitedWork = new WorkLimit(Infinity)

/** A request whose validations share one limit. */
export interface LimitedWork {
  /** The units of work that its validations have taken. */
  validationWork: number
}

/** Runs a validation. @returns the error `rest_params_too_complex` when the request has not enough work left for it. */
export function limitWork<T>(request: LimitedWork, validate: (work: WorkLimit) => T): T | RestError {
  const earlierWork = request.validationWork
  const limit = new WorkLimit(maxWork - earlierWork)
  try {
    return validate(limit)
  } catch (error) {
    if (!(error instanceof WorkLimitError)) throw error
    return paramsTooComplex()
  } finally {
    const work = maxWork - limit.remaining
    if (work - earlierWork > minCountedWork) request.validationWork = work
  }
}

export function paramsTooComplex(): RestError {
  return new RestError('rest_params_too_complex', 'The parameters take too much work to validate.', { status: 400 })
}
