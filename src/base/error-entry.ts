/** An entry of docs/errors.md. */
export interface ErrorEntry {
  readonly meaning: string
  readonly remedy: string
}

/** An entry with the status of the response: `404`, `401 or 403`. */
export interface ResponseErrorEntry extends ErrorEntry {
  /** Absent for a problem inside another error. */
  readonly status?: string
}
