/**
 * Counters of failed log-ins and of limited requests, shared by all processes of a database. They are not data of the site: no
 * cache depends on them, and copies of the database leave them out. Each is a leaky bucket: the time when it will be empty, in
 * milliseconds since 1970. Every call is atomic, and belongs to no transaction and no request.
 */
export interface AttemptRows {
  /** The rows that exist under these names, and the time by the clock of the database. */
  read(names: readonly string[]): Promise<AttemptReading>
  /** Adds these times to the counters, to all or none. An empty counter begins at `now`. A missing one is created, also for 0. */
  raise(counters: readonly AttemptFilling[], now: number): Promise<void>
  /**
   * Raises one counter if it then holds at most `capacity` milliseconds.
   * @returns false, and changes nothing, when there is no such row or no room.
   */
  raiseWithin(counter: AttemptFilling, capacity: number, now: number): Promise<boolean>
  /** Takes a time back out of a counter. */
  drain(name: string, milliseconds: number): Promise<void>
  /** Lowers a counter that would be empty later than `emptyAt`. */
  lower(name: string, emptyAt: number): Promise<void>
  /** Inserts a row, or overwrites the row of this name. */
  write(name: string, row: AttemptRow & { readonly kind: string }): Promise<void>
  /**
   * Deletes some empty rows of a kind. When more than `max` are left, also deletes some of those that will be empty first.
   * @returns whether rows were deleted that were not empty.
   */
  sweep(kind: string, now: number, max: number): Promise<boolean>
}

export interface AttemptReading {
  /** The time of the reading. Milliseconds since 1970. */
  readonly now: number
  readonly rows: ReadonlyMap<string, AttemptRow>
}

/** A counter, or the list of the networks from which an account has logged in. */
export interface AttemptRow {
  /** Milliseconds since 1970. */
  readonly emptyAt: number
  /** The list of networks as a text; '' for a counter. */
  readonly networks: string
}

/** What is added to a counter. */
export interface AttemptFilling {
  /** At most 43 characters of ASCII. */
  readonly name: string
  /** Rows of one kind are bounded together. At most 40 characters of ASCII. */
  readonly kind: string
  /** By how much later the counter is empty. */
  readonly milliseconds: number
}
