import type { ErrorEntry } from '../base/error-entry.js'

interface CommandErrorEntry extends ErrorEntry {
  /** 1 for a failure, 2 for an invalid command line. */
  readonly exitCode: 1 | 2
}

/** The errors of the command line, by section of docs/errors.md and by code. */
export const commandErrors = {
  'Command line': {
    'application-faulty': {
      exitCode: 1,
      meaning: 'A declaration or an option is wrong, so that the application does not start.',
      remedy: 'Run `as-rest-route check`, and correct what it lists.',
    },
    'application-configuration-unreadable': {
      exitCode: 1,
      meaning: '`as-rest-route.config.ts` or `.js` throws an error, or does not export options.',
      remedy: 'Correct the file at the line that the message names.',
    },
    'application-folder-missing': {
      exitCode: 2,
      meaning: 'The folder of the command line does not exist.',
      remedy: 'Give the folder of the handler classes or of the configuration.',
    },
    'application-folder-is-file': {
      exitCode: 2,
      meaning: 'The command line names a file.',
      remedy: 'Give the folder of the file.',
    },
    'application-folder-is-project': {
      exitCode: 2,
      meaning: 'The command line names no folder, and the current one has a `package.json`. All its modules would run.',
      remedy:
        'Give the folder of the handler classes, or name it in the configuration: `handlers`. `.` on the command line runs all modules.',
    },
    'database-is-memory': {
      exitCode: 2,
      meaning: 'A command for stored data got the address of a database in memory.',
      remedy: 'Name a file with `--database`.',
    },
    'database-address-invalid': {
      exitCode: 2,
      meaning: '`db copy` got something that is not the address of a database.',
      remedy: 'Give an address as [Addresses](databases.md#addresses) describes it.',
    },
    'database-missing': {
      exitCode: 1,
      meaning: 'The database does not exist, or has no tables. Only the first start of an application creates them.',
      remedy: 'Start the application once, or correct `--database`.',
    },
    'database-options-invalid': {
      exitCode: 1,
      meaning: 'An option that says where the data is or how it is read is wrong, so that no user can be looked up.',
      remedy: 'Run `as-rest-route check`, and correct the option.',
    },
    'job-not-chosen': {
      exitCode: 2,
      meaning: '`jobs retry` or `jobs remove` got neither the id of a job nor `--failed`, or both.',
      remedy: 'Give an id of `as-rest-route jobs list`, or `--failed`.',
    },
    'job-missing': {
      exitCode: 1,
      meaning: 'No job with this id waits or has failed. It may be done, or a process is doing it.',
      remedy: 'List the jobs: `as-rest-route jobs list`.',
    },
    'jobs-without-table': {
      exitCode: 1,
      meaning: 'A command for jobs was run for an application on the database of a WordPress site, which has none.',
      remedy: 'Name a database of your own with `--database`.',
    },
    'database-faulty': {
      exitCode: 1,
      meaning: '`db check` has found something wrong with the tables, keys, triggers or rows of the database.',
      remedy: 'Do what the line of each problem says, and check again.',
    },
    'move-interrupted': {
      exitCode: 1,
      meaning:
        '`db copy`, `db export` or `db import` was ended by a signal. No service starts on a database that is half filled.',
      remedy: 'Run the same command again. A copy and an import go on where they were.',
    },
    'password-file-unreadable': {
      exitCode: 1,
      meaning: 'The file of `FROM_DATABASE_PASSWORD_FILE` or `TO_DATABASE_PASSWORD_FILE` cannot be read.',
      remedy: 'Correct the path, or the rights of the file.',
    },
    'export-not-written': {
      exitCode: 1,
      meaning: 'The file of `db export` exists already, or cannot be written.',
      remedy: 'Name a new file in a folder that this user may write.',
    },
    'import-unreadable': {
      exitCode: 1,
      meaning: 'The file of `db import` cannot be read.',
      remedy: 'Correct the path, or the rights of the file.',
    },
    'import-unnamed': {
      exitCode: 2,
      meaning: '`db import` names no file, and its standard input is a terminal.',
      remedy: 'Name the file, or write `< file`.',
    },
    'wordpress-config-missing': {
      exitCode: 2,
      meaning: 'A command `wordpress` names no wp-config.php.',
      remedy: 'Give `--wordpress /path/to/wp-config.php`, or set WORDPRESS_CONFIG.',
    },
    'wordpress-config-unreadable': {
      exitCode: 1,
      meaning: 'wp-config.php, or a constant in it, cannot be read as text. Its code is not executed.',
      remedy: 'Set the variable of the environment that the message names, or pass the file that has the constants.',
    },
    'wordpress-database-unreadable': {
      exitCode: 1,
      meaning: 'The database that wp-config.php names cannot be reached or read.',
      remedy: 'Do what the message says. `WORDPRESS_DB_HOST` names another host than wp-config.php.',
    },
    'wordpress-unusable': {
      exitCode: 1,
      meaning: '`wordpress check` has found something that keeps a service from working on the site.',
      remedy: 'Do what the line of each error says, and check again.',
    },
    'wordpress-tracking-unconfirmed': {
      exitCode: 2,
      meaning:
        '`wordpress install-tracking` or `remove-tracking` has printed its SQL and changed nothing, because there is no terminal to confirm it, or the answer was no.',
      remedy: 'Read the SQL, and answer `y` on a terminal or give `--yes`.',
    },
    'wordpress-site-unreadable': {
      exitCode: 1,
      meaning: '`wordpress routes` cannot read the index of the REST API at the address.',
      remedy: 'Give the address of the site as a browser opens it, and look at `/wp-json/` there.',
    },
    'wordpress-namespace-unknown': {
      exitCode: 2,
      meaning: '`wordpress routes` names no namespace, or one that the site does not have.',
      remedy: 'Give one of those that the message lists: `--namespace shop/v1`.',
    },
    'port-invalid': {
      exitCode: 2,
      meaning: '`--port` or the environment variable `PORT` is not a number from 0 to 65535.',
      remedy: 'Give such a number. With 0 the system chooses a free port.',
    },
    'port-taken': {
      exitCode: 1,
      meaning: 'Another program listens on the port.',
      remedy: 'Give another port: `--port 8081`.',
    },
    'port-forbidden': {
      exitCode: 1,
      meaning: 'The user of the process may not listen on the port. Ports below 1024 need a privilege.',
      remedy: 'Give a port above 1023, and a proxy in front of it.',
    },
    'host-empty': {
      exitCode: 2,
      meaning: '`--host` is empty. Node would listen on all addresses of the machine.',
      remedy: 'Leave it out for 127.0.0.1, or give 0.0.0.0 for all addresses.',
    },
    'host-unknown': {
      exitCode: 1,
      meaning: 'The machine does not have the address of `--host` or of the environment variable `HOST`.',
      remedy: 'Give `--host 127.0.0.1`, or 0.0.0.0 for all addresses.',
    },
    'workers-invalid': {
      exitCode: 2,
      meaning: '`--workers` or the environment variable `WORKERS` is neither `auto` nor a number from 1 to 256.',
      remedy: 'Give such a number, or `auto` for one worker a processor.',
    },
    'workers-unsupported': {
      exitCode: 2,
      meaning:
        'More than one worker is wanted where `serve` has no supervisor: on Windows, under a debugger, under `tsx`.',
      remedy: 'Give `--workers 1`.',
    },
    'workers-share-database': {
      exitCode: 2,
      meaning: 'More than one worker is wanted on a database in memory, which belongs to one process.',
      remedy: 'Name a file with `--database`, or give `--workers 1`.',
    },
    'worker-ended': {
      exitCode: 1,
      meaning: 'One of several workers has ended by itself. Another one is started in its place.',
      remedy: 'Read what the worker has written before. Look for the memory limit of the system when it was SIGKILL.',
    },
    'worker-not-started': {
      exitCode: 1,
      meaning: 'The system cannot start another process.',
      remedy: 'Raise its limits of processes, memory and open files, or give fewer `--workers`.',
    },
    'workers-not-starting': {
      exitCode: 1,
      meaning: 'A worker ended before it accepted requests, five times in a row. The service has stopped.',
      remedy: 'Correct the error that the workers have printed.',
    },
    'service-failed': {
      exitCode: 1,
      meaning: 'An error outside of all requests ended the service: an uncaught exception, or an unhandled rejection.',
      remedy: 'Read the line of the log that has the error, and correct the code that threw.',
    },
    'service-hung': {
      exitCode: 1,
      meaning: 'The service did not stop within 15 seconds: a handler or a timer is in an endless loop. It was killed.',
      remedy: 'Correct the code that loops. Requests that were in flight have no response.',
    },
    'restart-failed': {
      exitCode: 1,
      meaning:
        'After SIGHUP a new process did not start. The process before it goes on, and so do other workers that were not exchanged yet.',
      remedy: 'Correct the error that the new process has printed, and send SIGHUP again.',
    },
    'passwords-not-written': {
      exitCode: 1,
      meaning: "The first start cannot write the file with the administrator's passwords.",
      remedy: 'Make the folder of the database or the folder for temporary files writable.',
    },
    'user-missing': {
      exitCode: 1,
      meaning: 'No user has this id, login or e-mail address.',
      remedy: 'Run `as-rest-route user list`.',
    },
    'role-missing': {
      exitCode: 1,
      meaning: 'No role has this name.',
      remedy: 'Give one of the names that the message lists, or declare the role in the option `roles`.',
    },
    'caller-missing': {
      exitCode: 1,
      meaning: 'The value of `--as` or `--user` is neither a role nor a user.',
      remedy: 'Give a role, a login, an id or an e-mail address.',
    },
    'user-unchanged': {
      exitCode: 2,
      meaning: '`user update` has no option that says what to change.',
      remedy: 'Give `--role`, `--user_pass`, `--user_email` or `--display_name`.',
    },
    'application-password-unnamed': {
      exitCode: 2,
      meaning: 'The name of the application password is empty.',
      remedy: 'Give the name of the program that will use it.',
    },
    'application-password-unspecified': {
      exitCode: 2,
      meaning: '`application-password delete` has neither a UUID nor `--all`.',
      remedy: 'Give the UUID that `application-password list` shows, or `--all`.',
    },
    'application-password-missing': {
      exitCode: 1,
      meaning: 'The user has no application password with this UUID.',
      remedy: 'Run `as-rest-route user application-password list <user>`.',
    },
    'credentials-contradictory': {
      exitCode: 2,
      meaning: '`explain` got more than one of `--cookie`, `--basic` and `--no-nonce`.',
      remedy: 'Give one of them.',
    },
    'credentials-without-user': {
      exitCode: 2,
      meaning: '`explain` got `--cookie`, `--basic` or `--no-nonce` without `--user`.',
      remedy: 'Name the user or the role whose credentials the request has.',
    },
    'header-invalid': {
      exitCode: 2,
      meaning: 'The value of `--header` has no name and colon.',
      remedy: "Write `--header 'Name: value'`.",
    },
    'site-address-unusable': {
      exitCode: 2,
      meaning: '`--base-url` is not an http or https URL.',
      remedy: 'Give one such as `https://shop.example`.',
    },
  },
} satisfies Record<string, Record<string, CommandErrorEntry>>

export type CommandErrorCode = keyof (typeof commandErrors)['Command line']
