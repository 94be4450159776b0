import type { LoggedErrorEntry } from './logged-error-entry.js'

/** The lines about the database, and about the WordPress whose tables it has. */
export const loggedDatabaseErrors = {
  'database-unreachable': {
    level: 'error',
    message: 'the database is not ready',
    meaning:
      '`/readyz` was answered with 503, because the database cannot be read or written, or lacks a table or trigger.',
    remedy: 'Read `err`. When the cause is gone, the service is ready again without a restart.',
  },
  'check-not-ready': {
    level: 'error',
    message: 'a readiness check failed',
    meaning:
      '`/readyz` was answered with 503, because the `check` of this name threw an error, returned `false`, or took longer than five seconds.',
    remedy: 'Read `err`. When the cause is gone, the service is ready again without a restart.',
  },
  'database-waited-for': {
    level: 'warn',
    message: 'the start waits for the database server',
    meaning:
      'The server cannot be reached, or does not accept connections yet. The start tries again until the time of the option ' +
      '`database_wait` is over, and then fails. `detail` names the server and the error.',
    remedy: 'Start the server, or correct the option `database` or `service_database`.',
  },
  'database-replaced': {
    level: 'error',
    message: 'the file of the database was removed, replaced or overwritten: requests are refused',
    meaning:
      'The files of the database are not those that the service has open. Requests that need the database are answered 503, ' +
      'and no write is accepted: writes to a removed file would be lost, and an overwritten file does not belong to its log.',
    remedy:
      'Stop every process that uses the database, remove the files that end in `-wal` and `-shm`, restore the file again, and ' +
      'start. A database in use is restored by its own commands, see [Durability and backups](operating.md#durability-and-backups).',
  },
  'database-triggers-created': {
    level: 'warn',
    message: 'the start has created triggers that the database lacked',
    meaning:
      'Triggers count the writes to each kind of row, by which cached responses become invalid. Another program has dropped ' +
      'them, or has copied the tables without them. `detail` names them.',
    remedy: 'Restart the other services on the same database: they may have missed writes.',
  },
  'database-trigger-unread': {
    level: 'warn',
    message: 'MariaDB has marked a trigger as invalid, and refuses writes to its table',
    meaning:
      'A conflict with another node of a Galera cluster has ended the session that loaded the triggers of the table. `detail` names the ' +
      'trigger and the statement that repairs it, and says whether the service could run the statement.',
    remedy:
      'Nothing, if the service has run the statement. Else run it at this node as an administrator, or grant the user of the service RELOAD.',
  },
  'companion-unreachable': {
    level: 'warn',
    message: 'the companion plugin of WordPress has not taken notices of what was written',
    meaning:
      'The notices wait in memory, and are sent again after a second, two, four, up to a minute. Until then a persistent object cache ' +
      'of WordPress may show older rows. One line is written for an outage.',
    remedy:
      'Read `err`. The site must be reachable from this machine at its address, or at that of `WORDPRESS_COMPANION`, and have the plugin.',
  },
  'companion-notices-lost': {
    level: 'warn',
    message: 'the service ends with notices that the companion plugin of WordPress has not taken',
    meaning:
      '`count` notices of what was written are lost with the process. A persistent object cache of WordPress may show older rows until ' +
      'PHP writes them, or until they expire.',
    remedy: 'Run `wp cache flush`, or empty the object cache in another way.',
  },
  'wordpress-config-unread': {
    level: 'warn',
    message: 'wp-config.php has code that may define settings of the site and is not read',
    meaning:
      'The code includes a file whose path is computed, or defines constants in a loop, in a function or with the class ' +
      '`Config` of Bedrock. The values that it defines are ignored: each setting that nothing else defines has the default of ' +
      'WordPress. `file` and `line` tell where the code begins. `detail` lists the constants that it names and the environment ' +
      'variables that set them.',
    remedy:
      'Define each constant with `define` before this code, or set the variables in the environment of the service.',
  },
  'wordpress-tracking-gone': {
    level: 'warn',
    message: 'the writes to the tables of WordPress are no longer counted',
    meaning:
      'The triggers of `wordpress install-tracking`, or their table, were removed while the service runs. From now on nothing of ' +
      'the tables is kept between requests, as without them.',
    remedy:
      'Nothing after `remove-tracking`. Otherwise run `as-rest-route wordpress install-tracking`, and restart the service.',
  },
  'wordpress-tracking-incomplete': {
    level: 'warn',
    message: 'some writes to the tables of WordPress are not counted, so nothing of them is kept between requests',
    meaning:
      'Triggers of `wordpress install-tracking` are missing or were changed, for example after a backup without triggers was restored. `detail` ' +
      'names them.',
    remedy:
      'Run `as-rest-route wordpress install-tracking` again, or `remove-tracking`, and restart the service. Where the user of the ' +
      'database may not see triggers: GRANT TRIGGER.',
  },
  'wal-index-unusable': {
    level: 'warn',
    message: 'changes of the database are detected by a statement, because its wal-index cannot be used',
    meaning:
      'Each request reads the change token by a statement, which takes some microseconds more. `detail` has the reason.',
    remedy: 'None is needed. Keep the database on a local file system of Linux for the faster way.',
  },
  'first-start-waiting': {
    level: 'warn',
    message: 'another process makes the first start of this database: waiting',
    meaning: 'Two processes started on a new database. This one waits until the other has created and seeded it.',
    remedy: 'None is needed. If it lasts, look for a process that hangs in its `seed`.',
  },
  'metadata-being-indexed': {
    level: 'warn',
    message: 'the start indexes existing records by metadata that is newly declared as indexed',
    meaning:
      'A metadata key is declared with `indexed: true`, and the database has records that are not in its index yet. The start reads each of them once. `keys` lists the indexed keys. Running services continue to serve requests.',
    remedy: 'None is needed. If the start is interrupted, the next start continues.',
  },
  'metadata-not-indexed': {
    level: 'warn',
    message: 'metadata that is declared as indexed has no index in the database',
    meaning:
      'Lists that are ordered by one of `keys` read and sort all records of the type. A transaction of another program blocked the start for 30 seconds, or the database is a MariaDB Galera cluster, on which the start does not create these indexes.',
    remedy:
      'End the transaction that stays open, and restart the service. On a cluster, no action is possible or needed.',
  },
  'scheduled-not-published': {
    level: 'error',
    message: 'scheduled records that are due could not be published',
    meaning:
      'The database refused to publish a record, or could not be read. The service tries again after `delay` milliseconds, then less often. The same error is logged at most once an hour.',
    remedy: 'Read `err`. A locked database needs no action.',
  },
} as const satisfies Readonly<Record<string, LoggedErrorEntry>>
