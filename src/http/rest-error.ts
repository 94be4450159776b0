/** One error of an error response: WordPress's code, message and data. */
export interface Problem {
  /** Stable, machine readable: `rest_invalid_param`. */
  readonly code: string
  /** For people. */
  readonly message: string
  /** Further data for the client; `null` without any. A numeric `status` in it is the status of the response. */
  readonly data: unknown
}

/** The `data` of an error response: its status, and further members for the client. */
export type ErrorData = { readonly status: number } & Readonly<Record<string, unknown>>

/** The options of an error that are not part of its `data`. */
interface ErrorDetails {
  /** Further problems, sent under the same name. */
  readonly additional_errors?: readonly Problem[]
  /** Headers of the response, such as `Retry-After` or `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Never sent. The log has it for a response with a status from 500 on. */
  readonly cause?: unknown
}

/**
 * The options of a {@link RestError}: `{ status: 404 }`, `{ status: 502, cause: error }`. Members with other names than
 * these are sent in `data`, beside the status.
 */
export type RestErrorOptions = ErrorDetails & (ErrorData | { readonly status?: never })

/**
 * An error for the response, thrown by a handler or permission callback, or returned or thrown by a validator or
 * sanitiser.
 *
 * The response is WordPress's error body, `{code, message, data}`, with `data.status` as its status; without a numeric
 * `status` the response is a 500. Any other error becomes a 500 that says nothing to the client.
 */
export class RestError extends Error implements Problem {
  override readonly name = 'RestError'
  /** `null` without a status: the response is a 500, or a 400 where a validator or sanitiser refuses an argument. */
  readonly data: ErrorData | null
  readonly additional_errors: readonly Problem[]
  /** `null` without any. */
  readonly headers: Readonly<Record<string, string>> | null

  /**
   * @param code stable and machine readable, in WordPress's manner: `rest_forbidden`.
   * @param message for people; sent unchanged.
   */
  constructor(
    readonly code: string,
    message: string,
    options: RestErrorOptions = {},
  ) {
    const { additional_errors = [], cause, headers = null, ...data } = options
    super(message, cause === undefined ? undefined : { cause })
    this.data = Object.keys(data).length === 0 ? null : (data as ErrorData)
    this.additional_errors = additional_errors
    this.headers = headers
  }
}
