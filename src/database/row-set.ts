/** The rows of one query. They may be shared with other readers and must not be modified. */
export interface RowSet<Row> {
  readonly rows: readonly Row[]
  /** The cache of values computed from these rows; null where the rows are not cached. */
  readonly derived: DerivedValues | null
}

/** Values computed from cached rows. They are dropped together with the rows. */
export class DerivedValues {
  readonly #values = new Map<string, unknown>()

  /** @param name of the computation. Each name has one type of value. */
  get<T>(name: string): T | undefined {
    return this.#values.get(name) as T | undefined
  }

  set(name: string, value: unknown): void {
    this.#values.set(name, value)
  }
}
