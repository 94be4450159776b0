/** The rows of one query. They may be shared with other readers, so they are not to be changed. */
export interface RowSet<Row> {
  readonly rows: readonly Row[]
  /** Where values computed of these rows are kept; null where the rows are not cached, so that keeping would be wasted. */
  readonly derived: DerivedValues | null
}

/** Values computed of cached rows, which are dropped with them. */
export class DerivedValues {
  readonly #values = new Map<string, unknown>()

  /** @param name of the computation: the same name always stands for the same type of value. */
  get<T>(name: string): T | undefined {
    return this.#values.get(name) as T | undefined
  }

  set(name: string, value: unknown): void {
    this.#values.set(name, value)
  }
}
