/**
 * Answers to requests with a key, for their repeats, shared by all processes of a database. As counters, they are no content.
 * Every call is atomic, and belongs to no transaction and no request.
 */
export interface AnswerRows {
  /** @param now milliseconds since 1970; null, here and below: by the clock of the database, which is one for all machines. */
  read(name: string, now: number | null): Promise<AnswerRow | null>
  /** Adds a row, unless there is one of this name. Read it afterwards: two may add at once. */
  add(name: string, row: AnswerRow, now: number | null): Promise<void>
  /** Changes the row of this owner as long as it has no answer, so that a renewal which comes late leaves the answer. */
  change(
    name: string,
    owner: string,
    change: Pick<AnswerRow, 'expiresIn' | 'answer'>,
    now: number | null,
  ): Promise<void>
  /** Removes the row of this owner. */
  remove(name: string, owner: string): Promise<void>
  /** Deletes the rows that have expired, and of those with answers the ones that expire first while there are too many. */
  sweep(now: number | null, bounds: AnswerBounds): Promise<void>
}

export interface AnswerRow {
  /** The process that carries out the request. At most 16 characters of ASCII. */
  readonly owner: string
  /** Of the request. At most 43 characters of ASCII. */
  readonly fingerprint: string
  /** Milliseconds from now; negative or 0: it has expired. */
  readonly expiresIn: number
  /** Null while the request is carried out. */
  readonly answer: string | null
}

export interface AnswerBounds {
  readonly rows: number
  /** Of all answers together. */
  readonly characters: number
}
