/** The rows of one query. They may be shared with other readers and must not be modified. */
export interface RowSet<Row> {
  readonly rows: readonly Row[]
  /** The cache of values computed from these rows; null where the rows are not cached. */
  readonly derived: DerivedValues | null
}

/** Maximum number of values for the rows of one query. Clients choose the lists of fields that are part of some names. */
const maxValues = 16

/** Values computed from cached rows. They are dropped together with the rows, and when there are too many. */
export class DerivedValues {
  readonly #values = new Map<string, unknown>()

  /** @param name of the computation. Each name has one type of value. */
  get<T>(name: string): T | undefined {
    return this.#values.get(name) as T | undefined
  }

  set(name: string, value: unknown): void {
    if (this.#values.size >= maxValues && !this.#values.has(name)) this.#values.clear()
    this.#values.set(name, value)
  }
}
