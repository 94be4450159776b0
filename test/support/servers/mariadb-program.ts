import { join } from 'node:path'
import type { ServerProgram } from './server-program.js'

/** Without what only a crash of the machine needs; the packet size is what bodies of 16 MB ask for. */
const settingsOfTests = [
  'innodb-flush-log-at-trx-commit=0',
  'innodb-doublewrite=0',
  'max-connections=300',
  'max-allowed-packet=64M',
]

export const mariadbProgram: ServerProgram = {
  name: 'MariaDB',
  debianPackage: 'mariadb-server',
  variable: 'TEST_MARIADB_URL',
  users: ['mysql', 'nobody'],
  initialise: 'mariadb-install-db',
  server: 'mariadbd',
  folders: () => ['/usr/sbin', '/usr/local/sbin'],
  // Read at each start, before the first connection.
  files: (password) => ({
    'init.sql': [
      `ALTER USER root@localhost IDENTIFIED BY '${password}';`,
      `CREATE USER IF NOT EXISTS test@'127.0.0.1' IDENTIFIED BY '${password}';`,
      `GRANT ALL ON *.* TO test@'127.0.0.1' WITH GRANT OPTION;`,
      'CREATE DATABASE IF NOT EXISTS test;',
      '',
    ].join('\n'),
  }),
  initialiseArguments: (folder) => [
    '--no-defaults',
    `--datadir=${join(folder, 'data')}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    '--skip-name-resolve',
    '--innodb-flush-log-at-trx-commit=0',
    `--tmpdir=${folder}`,
  ],
  serverArguments({ folder, port }, settings) {
    const own = [
      `datadir=${join(folder, 'data')}`,
      `init-file=${join(folder, 'init.sql')}`,
      `port=${port}`,
      'bind-address=127.0.0.1',
      `socket=${join(folder, 'socket')}`,
      `pid-file=${join(folder, 'pid')}`,
      // A server that starts removes the temporary tables of all others in the same folder.
      `tmpdir=${folder}`,
    ]
    const all = [...settingsOfTests, ...settings, ...own]
    return ['--no-defaults', '--skip-name-resolve', ...all.map((setting) => `--${setting}`)]
  },
  readyLine: /ready for connections/,
  stopSignal: 'SIGTERM',
  dropSignal: 'SIGKILL',
  url: ({ port, password }) => `mariadb://test:${password}@127.0.0.1:${port}/test`,
}
