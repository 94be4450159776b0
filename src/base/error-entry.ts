/** An entry of docs/errors.md. */
export interface ErrorEntry {
  readonly meaning: string
  readonly remedy: string
}
