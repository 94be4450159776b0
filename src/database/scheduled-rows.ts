/** The posts of status `future`. Their order is by UTC date, then by id. */
export interface ScheduledRows {
  /** Scheduled posts whose UTC date is `until` or earlier, after the post `after`, at most `limit`. */
  due(until: string, after: ScheduledPost | null, limit: number): Promise<readonly ScheduledPost[]>
  /**
   * Sets the status `publish` if the post is still scheduled and its UTC date is `until` or earlier. Changes no other column,
   * and keeps the counts of terms.
   * @returns whether this call has published it.
   */
  publish(id: number, until: string): Promise<boolean>
}

/** A scheduled post, as far as its publication depends on it. */
export interface ScheduledPost {
  readonly id: number
  /** `post_date_gmt`. */
  readonly date: string
}
