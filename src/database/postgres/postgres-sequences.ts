import type { Migration } from '../sql/sql-dialect.js'
import type { TableNames } from '../sql/table-names.js'

/** The name of the sequence that generates the keys of a table. */
export const sequenceOf = (table: string): string => `${table}_sequence`

/**
 * Triggers that set a sequence to the highest id of an insert. PostgreSQL's sequences do not notice an id that an insert has
 * chosen, and would generate it again later.
 */
export function keepsSequence(t: TableNames, schema: string): Migration {
  return Object.entries({ [t.posts]: 'ID', [t.users]: 'ID', [t.terms]: 'term_id' }).flatMap(([table, column]) => {
    const sequence = `${schema}.${sequenceOf(table)}`
    const isBehind = `EXISTS (SELECT 1 FROM ${sequence} s WHERE highest > s.last_value OR (highest = s.last_value AND NOT s.is_called))`
    return [
      `CREATE FUNCTION ${schema}.${table}_follow() RETURNS trigger LANGUAGE plpgsql AS $function$
      DECLARE highest bigint := (SELECT max(${column}) FROM new_rows);
      BEGIN
        IF ${isBehind} THEN
          PERFORM pg_advisory_xact_lock('${sequence}'::regclass::oid::bigint);
          IF ${isBehind} THEN PERFORM setval('${sequence}'::regclass, highest); END IF;
        END IF;
        RETURN NULL;
      END $function$`,
      `CREATE TRIGGER ${table}_insert_follow AFTER INSERT ON ${table} REFERENCING NEW TABLE AS new_rows
      FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.${table}_follow()`,
    ]
  })
}
