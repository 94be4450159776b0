/**
 * Settings of functions that find rows by their keys. A session keeps the plans of a function, and those that were made while a table
 * was small read it from its beginning to its end, until the statistics of the table are collected again. A plan that has no
 * index to use is then taken for so slow that the server would compile it, which takes longer than running it: `jit` is off.
 */
export const plansWithIndexes = 'SET enable_seqscan = off SET jit = off'

type Change = 'INSERT' | 'UPDATE' | 'DELETE' | 'TRUNCATE'

/** Triggers with a function of their own each, which has the rights of its owner and no `search_path` of the session. */
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

  /** @param timing what follows the name of the table: which rows the function sees, and when it runs. */
  add(table: string, change: Change, timing: string, body: string): void {
    const name = `${table}_${change.toLowerCase()}_${this.#purpose}`
    this.functions.push(`CREATE FUNCTION ${this.#schema}.${name}() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp ${plansWithIndexes} AS $function$
    ${this.#declarations}BEGIN
      ${body}
      RETURN NULL;
    END $function$`)
    this.triggers.push(
      `CREATE TRIGGER ${name} AFTER ${change} ON ${table} ${timing} EXECUTE FUNCTION ${this.#schema}.${name}()`,
    )
  }
}
