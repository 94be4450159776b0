/** How the writers of a database wait for each other. Each statement locks until the end of its transaction. */
export interface WriterLocks {
  /** The statements that lock some names, of which there is at least one. They are not prepared. */
  ofNames(names: readonly string[]): readonly string[]
  /** The statements by which repeated work waits for other repeated work. */
  readonly ofRepeatedWork: readonly string[]
  /** A query whose rows a transaction reads without locking them; null for none. */
  readonly unlocked: string | null
}
