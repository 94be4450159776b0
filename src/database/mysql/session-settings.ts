import type { ConnectionLimits } from '../server/connection-limits.js'
import type { ServerFacts } from './server-facts.js'

/** The limits that the server enforces, in milliseconds. */
export type SessionLimits = Pick<ConnectionLimits, 'statementTimeout' | 'lockTimeout' | 'idleTransactionTimeout'>

/** The first statement of a session: the facts of the server are read in several rows, which a limit of the server would cut. */
export const withoutRowLimit = 'SET SESSION sql_select_limit = 18446744073709551615'

/**
 * The statements that give a session the same settings on every server.
 *
 * - `sql_mode`: as WordPress's, which allows dates of zeros. Unlike WordPress's it is strict, so that a value that does not
 *   fit is refused and never cut.
 * - Texts are compared as in WordPress's tables, and times are UTC.
 * - `autocommit`: with 0, a reader would see the state of its first statement for ever.
 * - MariaDB's limits for idle transactions that only read, or that write, would override the limit for all. MySQL has none.
 * - `group_concat_max_len` also limits JSON_ARRAYAGG, which would cut its JSON.
 * - `information_schema_stats_expiry`: otherwise MySQL would show a next id of a table that is up to a day old.
 * - `completion_type`: with `CHAIN` each commit would begin a transaction, so that later writes would be acknowledged and never
 *   committed.
 * - `max_sort_length`: with a smaller one texts would be ordered by their first characters only.
 * - `sql_safe_updates` would refuse changes without a key, `sql_big_selects = 0` long queries.
 * - Joins keep the order of their first table, which a page depends on.
 */
export function sessionStatements(
  { kind, isGalera }: ServerFacts,
  { statementTimeout, lockTimeout, idleTransactionTimeout }: SessionLimits,
): readonly string[] {
  const settings = [
    `sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'`,
    `time_zone = '+00:00'`,
    'autocommit = 1',
    'completion_type = 0',
    'max_sort_length = 1024',
    'sql_safe_updates = 0',
    'sql_big_selects = 1',
    'group_concat_max_len = 1073741824',
    `innodb_lock_wait_timeout = ${Math.max(1, Math.ceil(lockTimeout / 1000))}`,
    'lock_wait_timeout = 30',
    'wait_timeout = 28800',
    ...(kind === 'MariaDB'
      ? [
          `max_statement_time = ${statementTimeout / 1000}`,
          `idle_transaction_timeout = ${Math.ceil(idleTransactionTimeout / 1000)}`,
          'idle_readonly_transaction_timeout = 0',
          'idle_write_transaction_timeout = 0',
          'join_cache_level = 2',
          `optimizer_switch = 'mrr=off'`,
        ]
      : [
          `max_execution_time = ${statementTimeout}`,
          `optimizer_switch = 'batched_key_access=off'`,
          'information_schema_stats_expiry = 0',
        ]),
    // A read waits until what the other nodes have acknowledged is applied here.
    ...(isGalera ? ['wsrep_sync_wait = 1'] : []),
  ]
  return [
    'SET NAMES utf8mb4 COLLATE utf8mb4_unicode_520_ci',
    `SET SESSION ${settings.join(', ')}`,
    'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE',
  ]
}
