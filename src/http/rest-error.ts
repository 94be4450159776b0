/** One entry of an error answer: what WordPress calls a code, with its message and data. */
export interface Problem {
  /** Stable, machine readable: `rest_invalid_param`. */
  readonly code: string
  /** For people. */
  readonly message: string
  /** `null` when there is nothing to add. A numeric `status` in it becomes the status of the answer. */
  readonly data: unknown
}

/** What an error says besides its message: the status of the answer, and whatever else the caller is to know. */
export type ErrorData = { readonly status: number } & Readonly<Record<string, unknown>>

/**
 * An error that a handler, permission callback, validator or sanitiser answers with.
 *
 * The answer is WordPress's error body, `{code, message, data}`, with `data.status` as its status; without a numeric
 * `status` the answer is a 500. Anything else that is thrown becomes a 500 that tells the caller nothing.
 */
export class RestError extends Error implements Problem {
  override readonly name = 'RestError'
  /**
   * @param code stable and machine readable, in WordPress's manner: `rest_forbidden`.
   * @param message for people; reaches the caller as it is.
   * @param data `{ status: 404, ... }`, sent as it is; `null` (default) means no data, and with it status 500, except
   *   where a validator or sanitiser refuses an argument, which is a 400.
   * @param others further problems, sent as `additional_errors`.
   * @param options `{ cause }`, which the caller is not told. An answer with a status from 500 on is logged with it.
   */
  constructor(
    readonly code: string,
    message: string,
    readonly data: ErrorData | null = null,
    readonly others: readonly Problem[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
