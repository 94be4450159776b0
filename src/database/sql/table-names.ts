/** The names, in this database, of WordPress's tables and of those of this package. */
export interface TableNames {
  readonly posts: string
  readonly postmeta: string
  readonly users: string
  readonly usermeta: string
  readonly terms: string
  readonly termmeta: string
  readonly term_taxonomy: string
  readonly term_relationships: string
  readonly options: string
  /** How often rows of each kind were written: `tag`, `version`. */
  readonly versions: string
  /** Counters of failed attempts: see `AttemptRows`. */
  readonly attempts: string
  /** Work that waits: see `JobRows`. */
  readonly jobs: string
  /** Responses for repeated requests: see `StoredResponseRows`. */
  readonly storedResponses: string
  /** The terms of each post beside its type, status and date, on database servers. */
  readonly listed: string
  /** Rows that conflicting transactions both change: see `markChanged` in `postgres-lists.ts`, and `mark` in `mysql-lists.ts`. */
  readonly listed_marks: string
  /** How many posts there are of each type, status and term, on database servers. */
  readonly counts: string
  /** The keys of metadata that lists of a type are ordered by: see `IndexedMeta`. On database servers. */
  readonly indexed_keys: string
  /** The numbers of these keys. On database servers. */
  readonly indexed_values: string
}

/**
 * @param prefix what every name starts with, as WordPress's `$table_prefix`.
 * @throws RangeError for a prefix that is not letters, digits and underscores: names cannot be bound as values.
 */
export function tableNames(prefix: string): TableNames {
  if (!/^[A-Za-z0-9_]{0,40}$/.test(prefix)) {
    throw new RangeError(`A table prefix is up to 40 letters, digits and underscores; '${prefix}' is not.`)
  }
  return {
    posts: `${prefix}posts`,
    postmeta: `${prefix}postmeta`,
    users: `${prefix}users`,
    usermeta: `${prefix}usermeta`,
    terms: `${prefix}terms`,
    termmeta: `${prefix}termmeta`,
    term_taxonomy: `${prefix}term_taxonomy`,
    term_relationships: `${prefix}term_relationships`,
    options: `${prefix}options`,
    versions: `${prefix}as_rest_route_versions`,
    attempts: `${prefix}as_rest_route_attempts`,
    jobs: `${prefix}as_rest_route_jobs`,
    storedResponses: `${prefix}as_rest_route_responses`,
    listed: `${prefix}as_rest_route_listed`,
    listed_marks: `${prefix}as_rest_route_listed_marks`,
    counts: `${prefix}as_rest_route_counts`,
    indexed_keys: `${prefix}as_rest_route_indexed_keys`,
    indexed_values: `${prefix}as_rest_route_indexed_values`,
  }
}
