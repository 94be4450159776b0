// What the statements of the SQL layer need of a server, and what the documentation of distributed engines says of it. Looked
// up in November 2026. `docs/scaling.md` has the table that is made of this.

export type Engine = 'CockroachDB' | 'YugabyteDB' | 'Citus' | 'TiDB' | 'Vitess'
export type Dialect = 'PostgreSQL' | 'MariaDB'

export const enginesOf: Readonly<Record<Dialect, readonly Engine[]>> = {
  PostgreSQL: ['CockroachDB', 'YugabyteDB', 'Citus'],
  MariaDB: ['TiDB', 'Vitess'],
}

/** Whether an engine has a construct; `limited` with its bound. */
export interface Limit {
  readonly state: 'yes' | 'limited' | 'no'
  readonly note?: string
  /** Where it is documented. */
  readonly source: string
}

/** A kind of statement, or a part of one, that not every engine has. */
export interface Construct {
  readonly name: string
  /** The statements that have it. */
  readonly isIn: RegExp
  /** What the row of an engine without it in the list of engines says. */
  readonly word: string
  /** What is lost without it. Null: no statement may have it, because engines drop it silently. */
  readonly serves: string | null
  readonly on: Readonly<Partial<Record<Engine, Limit>>>
}

const cockroachLimits = 'https://www.cockroachlabs.com/docs/v25.4/known-limitations'
const cockroachIssue = (number: number): string => `https://github.com/cockroachdb/cockroach/issues/${number}`
const yugabyteIssue = (number: number): string => `https://github.com/yugabyte/yugabyte-db/issues/${number}`
const yugabyteFeatures = 'https://docs.yugabyte.com/stable/explore/ysql-language-features/'
const yugabyteLocks = 'https://docs.yugabyte.com/stable/explore/transactions/explicit-locking/'
const citusLimits = 'https://docs.citusdata.com/en/stable/develop/reference_workarounds.html'
const tidbCompatibility = 'https://docs.pingcap.com/tidb/stable/mysql-compatibility'
const tidbIssue = (number: number): string => `https://github.com/pingcap/tidb/issues/${number}`
const vitessCompatibility = 'https://vitess.io/docs/22.0/reference/compatibility/mysql-compatibility/'
const vitessUnsupported =
  'https://github.com/vitessio/vitess/blob/main/go/vt/vtgate/planbuilder/testdata/unsupported_cases.json'

const yes = (source: string): Limit => ({ state: 'yes', source })
const no = (source: string, note?: string): Limit => ({ state: 'no', source, ...(note !== undefined && { note }) })
const limited = (note: string, source: string): Limit => ({ state: 'limited', note, source })

const ofCoordinator = limited('on the coordinator; not named there', citusLimits)
const inOneShard = limited('in one shard', citusLimits)

const postgres: readonly Construct[] = [
  {
    name: 'collation that is not deterministic',
    word: 'collation',
    isIn: /\bCREATE COLLATION\b/,
    serves: 'comparison without case and accents',
    on: {
      CockroachDB: no(cockroachIssue(59567), 'no `CREATE COLLATION`'),
      YugabyteDB: no('https://github.com/yugabyte/yb-voyager/issues/2245'),
      Citus: yes(citusLimits),
    },
  },
  {
    name: 'trigger for each statement, with its rows',
    word: 'triggers',
    isIn: /\bCREATE TRIGGER\b/,
    serves: 'counters per kind, also for writes of other programs',
    on: {
      CockroachDB: limited('since 2026', cockroachIssue(135655)),
      YugabyteDB: no(yugabyteIssue(1668), 'no transition tables'),
      Citus: limited('on local tables', 'https://docs.citusdata.com/en/stable/extra/triggers.html'),
    },
  },
  {
    name: 'function in PL/pgSQL or SQL',
    word: 'functions',
    isIn: /\bCREATE FUNCTION\b/,
    serves: 'what the triggers run',
    on: {
      CockroachDB: limited('parts of PL/pgSQL', cockroachLimits),
      YugabyteDB: yes(yugabyteFeatures),
      Citus: yes(citusLimits),
    },
  },
  {
    name: '`pg_current_snapshot()`, and the identity of the server',
    word: '`pg_current_snapshot()`',
    isIn: /\bpg_current_snapshot\b|\bpg_control_\w+\(|\bpg_postmaster_start_time\(/,
    serves: 'change token',
    on: {
      CockroachDB: no(
        'https://github.com/cockroachdb/cockroach/blob/master/docs/generated/sql/functions.md#compatibility-functions',
      ),
      YugabyteDB: no(
        'https://docs.yugabyte.com/stable/architecture/transactions/isolation-levels/',
        'versions of rows are hybrid times of all nodes',
      ),
      Citus: ofCoordinator,
    },
  },
  {
    name: 'advisory lock of a transaction',
    word: 'advisory locks of a transaction',
    isIn: /\bpg_(?:try_)?advisory_xact_lock/,
    serves: 'unique slugs, logins and addresses',
    on: {
      CockroachDB: limited('since 2026, before without effect', 'https://github.com/cockroachdb/cockroach/pull/168353'),
      YugabyteDB: limited('since 2025.1', 'https://github.com/yugabyte/yugabyte-db/pull/27744'),
      Citus: ofCoordinator,
    },
  },
  {
    name: 'advisory lock of a session',
    word: 'advisory locks of a session',
    isIn: /\bpg_(?:try_)?advisory_(?:lock|unlock)/,
    serves: 'one first start, one migration, transactions that run again',
    on: {
      CockroachDB: no(cockroachIssue(169981), 'without effect'),
      YugabyteDB: limited('since 2025.1', 'https://github.com/yugabyte/yugabyte-db/pull/27744'),
      Citus: ofCoordinator,
    },
  },
  {
    name: '`SELECT … FOR UPDATE`',
    word: '`FOR UPDATE`',
    isIn: /\bFOR UPDATE\b/,
    serves: 'rows that are read and then written',
    on: { CockroachDB: yes(cockroachIssue(40205)), YugabyteDB: yes(yugabyteLocks), Citus: inOneShard },
  },
  {
    name: 'savepoint',
    word: 'savepoints',
    isIn: /\bSAVEPOINT\b/,
    serves: 'a statement that may fail in a transaction',
    on: {
      CockroachDB: yes(cockroachLimits),
      YugabyteDB: yes(yugabyteFeatures),
      Citus: yes(citusLimits),
    },
  },
  {
    name: '`SERIALIZABLE`',
    word: '`SERIALIZABLE`',
    isIn: /\bISOLATION LEVEL SERIALIZABLE\b/,
    serves: '`storage.transaction`',
    on: {
      CockroachDB: yes('https://www.cockroachlabs.com/docs/v25.4/read-committed'),
      YugabyteDB: yes('https://docs.yugabyte.com/stable/architecture/transactions/isolation-levels/'),
      Citus: inOneShard,
    },
  },
  {
    name: 'recursive query',
    word: 'recursive queries',
    isIn: /\bWITH RECURSIVE\b/,
    serves: 'records of a category and of those below it',
    on: {
      CockroachDB: yes('https://www.cockroachlabs.com/docs/v26.3/common-table-expressions'),
      YugabyteDB: yes(yugabyteFeatures),
      Citus: inOneShard,
    },
  },
  {
    name: 'insert in a `WITH`',
    word: 'insert in a `WITH`',
    isIn: /\bowner AS \(INSERT\b/,
    serves: 'a record and its metadata in one statement',
    on: {
      CockroachDB: limited('each of another table', cockroachLimits),
      YugabyteDB: yes(yugabyteFeatures),
      Citus: no(citusLimits, 'no subquery in an `INSERT`'),
    },
  },
  {
    name: 'correlated subquery',
    word: 'correlated subqueries',
    isIn: /\(SELECT\b[^()]*(?:\([^()]*\)[^()]*)*\bp\.ID\b|\bEXISTS \(SELECT\b/,
    serves: 'metadata of a record, conditions of terms and metadata',
    on: {
      CockroachDB: yes('https://www.cockroachlabs.com/docs/v20.1/subqueries'),
      YugabyteDB: yes(yugabyteFeatures),
      Citus: limited('by the distribution column', citusLimits),
    },
  },
  {
    name: 'ids by an identity',
    word: 'ids',
    isIn: /\bGENERATED BY DEFAULT AS IDENTITY\b|\bsetval\(/,
    serves: 'ids up to 2^53−1; no statement expects them without gaps or in the order of commits',
    on: {
      CockroachDB: limited('gaps', cockroachLimits),
      YugabyteDB: limited(
        'a range for each node, so not in the order of time',
        'https://docs.yugabyte.com/stable/api/ysql/exprs/sequence_functions/func_nextval/',
      ),
      Citus: no(citusLimits, 'a node is a part of the id, which then is above 2^53'),
    },
  },
  {
    name: '`INSERT … ON CONFLICT`',
    word: '`ON CONFLICT`',
    isIn: /\bON CONFLICT\b/,
    serves: 'counters, options',
    on: {
      CockroachDB: yes(cockroachLimits),
      YugabyteDB: yes(yugabyteFeatures),
      Citus: limited('with the distribution column in the key', citusLimits),
    },
  },
  {
    name: '`LISTEN` or `NOTIFY`',
    word: '`LISTEN`',
    isIn: /\b(?:LISTEN|NOTIFY)\b|\bpg_notify\b/,
    serves: null,
    on: {
      CockroachDB: no(cockroachIssue(41522)),
      YugabyteDB: limited(
        'since 2025.2.3',
        'https://docs.yugabyte.com/stable/api/ysql/the-sql-language/statements/cmd_listen_notify/',
      ),
      Citus: ofCoordinator,
    },
  },
  {
    name: '`LOCK TABLE`',
    word: '`LOCK TABLE`',
    isIn: /\bLOCK TABLE\b/,
    serves: 'lists and numbers that are made anew',
    on: {
      CockroachDB: no(cockroachIssue(43654)),
      YugabyteDB: limited('since 2025.2, with a flag', yugabyteIssue(5384)),
      Citus: ofCoordinator,
    },
  },
]

const mysql: readonly Construct[] = [
  {
    name: 'block of statements (`BEGIN NOT ATOMIC`)',
    word: 'blocks of statements',
    isIn: /\bBEGIN NOT ATOMIC\b/,
    serves: 'a new record in one round trip; sent to MariaDB only',
    on: {
      TiDB: no(tidbCompatibility, 'not sent there'),
      Vitess: limited('not sent there', vitessCompatibility),
    },
  },
  {
    name: 'trigger',
    word: 'triggers',
    isIn: /\bCREATE TRIGGER\b/,
    serves: 'change token and counters per kind, also for writes of other programs',
    on: {
      TiDB: no(tidbCompatibility),
      Vitess: limited('not named there', vitessCompatibility),
    },
  },
  {
    name: '`utf8mb4_unicode_520_ci`',
    word: '`utf8mb4_unicode_520_ci`',
    isIn: /\butf8mb4_unicode_520_ci\b/,
    serves: 'comparison without case and accents',
    on: {
      TiDB: no('https://docs.pingcap.com/tidb/stable/character-set-and-collation'),
      Vitess: yes(vitessCompatibility),
    },
  },
  {
    name: 'invisible column',
    word: 'invisible columns',
    isIn: /\bINVISIBLE\b/,
    serves: 'lists in the order of titles',
    on: { TiDB: no(tidbIssue(59233)), Vitess: yes(vitessCompatibility) },
  },
  {
    name: '`JSON_TABLE`',
    word: '`JSON_TABLE`',
    isIn: /\bJSON_TABLE\(/,
    serves: 'rows by a list of ids',
    on: {
      TiDB: no(tidbIssue(7968)),
      Vitess: no('https://planetscale.com/docs/reference/mysql-compatibility', 'is parsed only'),
    },
  },
  {
    name: '`SERIALIZABLE` for the next transaction',
    word: '`SERIALIZABLE`',
    isIn: /^SET TRANSACTION ISOLATION LEVEL\b/,
    serves: '`storage.transaction`',
    on: {
      TiDB: no(tidbIssue(45487), 'an error, or ignored'),
      Vitess: no(vitessCompatibility, 'for a session only'),
    },
  },
  {
    name: 'recursive query',
    word: 'recursive queries',
    isIn: /\bWITH RECURSIVE\b/,
    serves: 'records of a category and of those below it',
    on: {
      TiDB: yes('https://docs.pingcap.com/tidb/stable/sql-statement-with'),
      Vitess: limited('experimental', vitessCompatibility),
    },
  },
  {
    name: '`GET_LOCK`',
    word: '`GET_LOCK`',
    isIn: /\bGET_LOCK\(/,
    serves: 'one first start, one migration',
    on: {
      TiDB: yes('https://github.com/pingcap/tidb/pull/33947'),
      Vitess: yes(vitessUnsupported),
    },
  },
  {
    name: '`SELECT … FOR UPDATE`',
    word: '`FOR UPDATE`',
    isIn: /\bFOR UPDATE\b/,
    serves: 'rows that are read and then written',
    on: {
      TiDB: yes('https://docs.pingcap.com/tidb/stable/sql-statement-select'),
      Vitess: yes(vitessCompatibility),
    },
  },
  {
    name: 'ids by `AUTO_INCREMENT`',
    word: 'ids',
    isIn: /\bAUTO_INCREMENT\b/i,
    serves: 'ids; no statement expects them without gaps or in the order of commits',
    on: {
      TiDB: limited('a range for each node, so not in the order of time', tidbCompatibility),
      Vitess: limited('on tables of one shard; else sequences', vitessCompatibility),
    },
  },
  {
    name: '`ON DUPLICATE KEY UPDATE`',
    word: '`ON DUPLICATE KEY UPDATE`',
    isIn: /\bON DUPLICATE KEY UPDATE\b/,
    serves: 'counters, options, rows of locks',
    on: {
      TiDB: yes('https://docs.pingcap.com/tidb/stable/sql-statement-insert'),
      Vitess: limited('not of a sharding key', vitessUnsupported),
    },
  },
  {
    name: '`SKIP LOCKED`',
    word: '`SKIP LOCKED`',
    isIn: /\bSKIP LOCKED\b/,
    serves: null,
    on: { TiDB: no(tidbIssue(18207), 'takes no lock'), Vitess: limited('not named there', vitessCompatibility) },
  },
]

export const constructsOf: Readonly<Record<Dialect, readonly Construct[]>> = { PostgreSQL: postgres, MariaDB: mysql }

/** Statements that follow an error which only a node of a Galera cluster gives. */
export const onlyOnGalera = /^FLUSH LOCAL TABLES /

/** Words of statements that every engine of the dialect has, in upper case. A further one has to be looked up first. */
export const commonWords: Readonly<Record<Dialect, string>> = {
  PostgreSQL: `AFTER ALL ANALYZE AND ANY ARRAY AS ASC BEGIN BETWEEN BY CASE CAST COALESCE COLLATE COLLATION COMMIT COMMITTED CONFLICT COUNT CREATE
    CROSS DECLARE DEFAULT DEFINER DELETE DESC DISTINCT DO DROP EACH ELSE ELSIF END ERRCODE EXCEPTION EXCLUSIVE EXECUTE EXCEPT EXISTS EXTRACT FOR FROM FUNCTION GENERATED
    GREATEST GROUP HAVING ID IDENTITY IF IN INDEX INSERT INTO IS ISOLATION JOIN KEY LANGUAGE LATERAL LEVEL LIMIT LOCK LOCKED MATERIALIZED MAXVALUE MIN
    MODE NAME NEW NOT NOTHING NULL OF OFFSET OLD ON ONLY OR ORDER ORDINALITY OVER PERFORM PRIMARY RAISE READ RECURSIVE REFERENCING RELEASE REPEATABLE
    RETURN RETURNING RETURNS ROLLBACK ROW SAVEPOINT SCHEMA SECURITY SELECT SEQUENCE SERIALIZABLE SET SHARE SKIP STATEMENT SUM TABLE TG_ARGV TG_OP TG_TABLE_NAME THEN
    TO TRIGGER TRUNCATE UNION UNIQUE UPDATE USING VALUES WHEN WHERE WITH`,
  MariaDB: `ADD AFTER ALL ALTER ALWAYS AND AS ASC ATOMIC AUTO_INCREMENT BEGIN BETWEEN BIGINT BINARY BY CASE CAST CHAR CHARACTER CHARSET COALESCE
    COLLATE COLUMN COLUMNS COMMIT COMMITTED CONCAT CONNECTION_ID CONSISTENT COUNT CREATE CROSS DATABASE DECLARE DEFAULT DELETE DESC DISTINCT
    DOUBLE DROP DUAL DUPLICATE DYNAMIC EACH ELSE ELSEIF END ENGINE ESCAPE EXISTS FOR FORCE FROM GENERATED GET_LOCK GLOBAL GREATEST GROUP ID IF IGNORE IN INDEX INSERT
    INSTR INTO INVISIBLE IS ISOLATION IS_USED_LOCK JOIN JSON_ARRAY JSON_ARRAYAGG JSON_EXTRACT JSON_QUOTE JSON_TABLE JSON_UNQUOTE KEY LAST_INSERT_ID LEFT LEVEL
    LIKE LIMIT LOCK LOWER MIN MODE NAMES NEW NOT NOW NULL NULLIF OCTET_LENGTH OFFSET OLD ON ONLY OR ORDER PATH PRIMARY READ RECURSIVE REGEXP REGEXP_REPLACE REGEXP_SUBSTR RELEASE REPEATABLE ROLLBACK
    ROW ROW_COUNT ROW_FORMAT SAVEPOINT SELECT SERIALIZABLE SESSION SET SHARE SHOW SNAPSHOT START STRAIGHT_JOIN SUBSTRING_INDEX SUM TABLE THEN TO TRANSACTION
    TRIGGER UNION UNIQUE UNIX_TIMESTAMP UNSIGNED UPDATE VALUES VARIABLES VERSION VIRTUAL WHEN WHERE WITH WRITE`,
}

/** Functions of statements by their names in lower case, also those of our own schema. A further one has to be looked up first. */
export const commonFunctions: Readonly<Record<Dialect, string>> = {
  PostgreSQL: `bool_and cardinality clock_timestamp coalesce current_database current_schema current_setting extract floor greatest has_function_privilege
    json_agg json_build_array left lower max octet_length pg_advisory_lock pg_advisory_unlock_all pg_advisory_xact_lock
    pg_advisory_xact_lock_shared pg_advisory_lock_shared pg_backend_pid pg_control_checkpoint pg_control_system pg_current_snapshot
    pg_is_in_recovery pg_postmaster_start_time pg_total_relation_size pg_try_advisory_lock pg_try_advisory_xact_lock row_number set_config
    setval statement_timestamp strpos substr substring sum to_json to_jsonb unnest varchar`,
  MariaDB: 'varchar',
}
