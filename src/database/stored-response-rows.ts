/**
 * Responses to requests with an `Idempotency-Key`, which are sent again for repeated requests. All processes of a database share
 * them. As the counters of `AttemptRows`, they are not data of the site. Every call is atomic, and belongs to no transaction and
 * no request.
 */
export interface StoredResponseRows {
  /** @param now milliseconds since 1970; null, here and below: by the clock of the database, which all machines share. */
  read(name: string, now: number | null): Promise<StoredResponseRow | null>
  /** Adds a row, unless one exists under this name. Read the row afterwards, because two processes may add at the same time. */
  add(name: string, row: StoredResponseRow, now: number | null): Promise<void>
  /** Changes the row of this owner as long as it has no response, so that a renewal which comes late leaves the response. */
  change(
    name: string,
    owner: string,
    change: Pick<StoredResponseRow, 'expiresIn' | 'response'>,
    now: number | null,
  ): Promise<void>
  /** Removes the row of this owner. */
  remove(name: string, owner: string): Promise<void>
  /** Deletes the rows that have expired, and of those with responses the ones that expire first while there are too many. */
  sweep(now: number | null, bounds: StoredResponseBounds): Promise<void>
}

export interface StoredResponseRow {
  /** The process that carries out the request. At most 16 characters of ASCII. */
  readonly owner: string
  /** Equal for requests that are the same. At most 43 characters of ASCII. */
  readonly fingerprint: string
  /** Milliseconds from now; negative or 0: it has expired. */
  readonly expiresIn: number
  /** Null while the request is carried out. */
  readonly response: string | null
}

/** The limits of the table. */
export interface StoredResponseBounds {
  readonly rows: number
  /** Length of all responses together. */
  readonly characters: number
}
