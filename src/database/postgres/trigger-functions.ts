/**
 * Settings of functions that find rows by their keys. A session caches the plans of a function. A plan that was made while a table
 * was small, or for a statement that changes thousands of rows, reads the whole table, and later statements for one row use it as
 * well. With these settings the rows of a table are found by an index, for one changed row after the other. The server estimates a
 * plan without a suitable index as so slow that it would compile it, which takes longer than running it: `jit` is off.
 */
export const plansWithIndexes =
  'SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off'

export const newRows = 'REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT'
export const oldRows = 'REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT'
export const bothRows = 'REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows FOR EACH STATEMENT'

/**
 * Rows of one of the two tables of `bothRows` that the other does not have. EXCEPT reads each table once; a join might read one of them
 * for each row of the other.
 */
export const changedRows = (columns: string, from: 'old_rows' | 'new_rows'): string =>
  `(SELECT ${columns} FROM ${from} EXCEPT SELECT ${columns} FROM ${from === 'old_rows' ? 'new_rows' : 'old_rows'})`

/**
 * TRUNCATE also removes the rows that a repeatable or serializable transaction does not see because others have committed them since it
 * began. Such a transaction can neither remove nor change the rows that triggers have stored for them.
 */
const refuseTruncate = `IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
        RAISE EXCEPTION 'TRUNCATE of % in a transaction that is % would leave what as-rest-route stores for its rows. Use DELETE, or READ COMMITTED.',
          TG_TABLE_NAME, current_setting('transaction_isolation') USING ERRCODE = 'feature_not_supported';
      END IF;`

type Change = 'INSERT' | 'UPDATE' | 'DELETE' | 'TRUNCATE'

/** Triggers, each with its own function, which has the rights of its owner and does not use the `search_path` of the session. */
export class TriggerFunctions {
  readonly functions: string[] = []
  readonly triggers: string[] = []
  readonly #schema: string
  readonly #purpose: string
  readonly #declarations: string

  /**
   * @param schema of the tables, quoted.
   * @param purpose the end of all names.
   * @param declarations `DECLARE` of the variables of each function, with a line break; '' for none.
   */
  constructor(schema: string, purpose: string, declarations: string) {
    this.#schema = schema
    this.#purpose = purpose
    this.#declarations = declarations
  }

  /** @param timing the clauses after the name of the table: the rows that the function sees, and when it runs. */
  add(table: string, change: Change, timing: string, body: string): void {
    const name = `${table}_${change.toLowerCase()}_${this.#purpose}`
    this.functions.push(`CREATE FUNCTION ${this.#schema}.${name}() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp ${plansWithIndexes} AS $function$
    ${this.#declarations}BEGIN
      ${change === 'TRUNCATE' ? refuseTruncate : ''}${body}
      RETURN NULL;
    END $function$`)
    this.triggers.push(
      `CREATE TRIGGER ${name} AFTER ${change} ON ${table} ${timing} EXECUTE FUNCTION ${this.#schema}.${name}()`,
    )
  }
}
