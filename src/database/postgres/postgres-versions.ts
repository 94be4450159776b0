import { plansWithIndexes } from './trigger-functions.js'
import type { Migration } from '../sql/sql-dialect.js'
import type { TableNames } from '../sql/table-names.js'

type Change = 'INSERT' | 'UPDATE' | 'DELETE' | 'TRUNCATE'

const changes: readonly Change[] = ['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']

/** The rows before and after a statement, by the names that the functions read them under. */
const rowsOf: Readonly<Record<Change, string>> = {
  INSERT: 'REFERENCING NEW TABLE AS new_rows',
  UPDATE: 'REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows',
  DELETE: 'REFERENCING OLD TABLE AS old_rows',
  TRUNCATE: '',
}

/** Raises the counters of all kinds of rows. */
export const raiseAllVersions = (t: TableNames, schema: string): string =>
  `SELECT ${schema}.${t.versions}_raise(ARRAY(SELECT tag FROM ${t.versions} UNION
  SELECT lower(post_type COLLATE "C") FROM ${t.posts} UNION SELECT unnest(ARRAY['terms', 'users', 'options'])))`

/**
 * `Storage.versions`: counters, and triggers that raise them in the transaction of the write, whichever program writes. A
 * tag has 64 counters, of which each connection raises one: with a single one, all writers would wait for each other. The
 * version is their sum. A counter follows the clock, in microseconds, so that the first write after an
 * older state of the database was restored makes a version that never existed before.
 * @param schema of the tables, quoted: triggers run in the sessions of other programs, whatever their `search_path` is.
 */
export function versionsOfRows(t: TableNames, schema: string): Migration {
  const versions = `${schema}.${t.versions}`
  const raise = `${schema}.${t.versions}_raise`
  /** Raises the tags that a query of each change yields. */
  const raising = (name: string, tagsOf: Readonly<Record<Change, string>>): string =>
    `CREATE FUNCTION ${schema}.${name}() RETURNS trigger LANGUAGE plpgsql ${plansWithIndexes} AS $function$
    DECLARE tags text[];
    BEGIN
      ${changes.map((change, index) => `${index === 0 ? 'IF' : 'ELSIF'} TG_OP = '${change}' THEN tags := ARRAY(${tagsOf[change]});`).join(' ')} END IF;
      IF cardinality(tags) > 0 THEN PERFORM ${raise}(tags); END IF;
      RETURN NULL;
    END $function$`
  /** @param select the tags of `rows`. */
  const ofRows = (select: (rows: string) => string): Readonly<Record<Change, string>> => ({
    INSERT: select('new_rows'),
    UPDATE: `${select('new_rows')} UNION ${select('old_rows')}`,
    DELETE: select('old_rows'),
    TRUNCATE: `SELECT tag FROM ${versions}`,
  })
  const lowerType = 'lower(p.post_type COLLATE "C")'
  const ofPosts = (rows: string, owner: string): string =>
    `SELECT ${lowerType} FROM ${rows} r JOIN ${schema}.${t.posts} p ON p.ID = r.${owner}`
  const [posts, postmeta, relationships, fixed] = ['posts', 'postmeta', 'relationships', 'fixed'].map(
    (name) => `${t.versions}_of_${name}`,
  ) as [string, string, string, string]
  const triggers = (table: string, name: string, argument = ''): string[] =>
    changes.map(
      (change) =>
        `CREATE TRIGGER ${table}_${change.toLowerCase()}_raises AFTER ${change} ON ${table} ${rowsOf[change]}
        FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.${name}(${argument})`,
    )
  return [
    `CREATE TABLE ${t.versions} (
      tag text COLLATE "C" NOT NULL,
      slot integer NOT NULL,
      version bigint NOT NULL,
      PRIMARY KEY (tag, slot)) WITH (fillfactor = 50)`,
    `CREATE FUNCTION ${raise}(tags text[]) RETURNS void LANGUAGE sql AS $function$
      INSERT INTO ${versions} AS counted (tag, slot, version)
      SELECT raised.tag, pg_backend_pid() % 64, floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint
      FROM (SELECT DISTINCT unnest(tags) AS tag) AS raised ORDER BY 1
      ON CONFLICT (tag, slot) DO UPDATE SET version = greatest(counted.version + 1, excluded.version)
    $function$`,
    raising(
      posts,
      ofRows((rows) => `SELECT ${lowerType} FROM ${rows} p`),
    ),
    raising(
      postmeta,
      ofRows((rows) => ofPosts(rows, 'post_id')),
    ),
    raising(
      relationships,
      ofRows((rows) => `SELECT 'terms' FROM ${rows} UNION ${ofPosts(rows, 'object_id')}`),
    ),
    raising(fixed, {
      ...ofRows((rows) => `SELECT TG_ARGV[0] FROM ${rows} LIMIT 1`),
      UPDATE: 'SELECT TG_ARGV[0] FROM new_rows LIMIT 1',
      TRUNCATE: 'SELECT TG_ARGV[0]',
    }),
    ...triggers(t.posts, posts),
    ...triggers(t.postmeta, postmeta),
    ...triggers(t.term_relationships, relationships),
    ...[t.terms, t.termmeta, t.term_taxonomy].flatMap((table) => triggers(table, fixed, `'terms'`)),
    ...[t.users, t.usermeta].flatMap((table) => triggers(table, fixed, `'users'`)),
    ...triggers(t.options, fixed, `'options'`),
  ]
}
