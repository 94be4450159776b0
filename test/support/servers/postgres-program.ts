import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerProgram } from './server-program.js'

/** Without what only a crash of the machine needs. */
const settingsOfTests = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300']

export const postgresProgram: ServerProgram = {
  name: 'PostgreSQL',
  debianPackage: 'postgresql',
  variable: 'TEST_POSTGRES_URL',
  users: ['postgres', 'nobody'],
  initialise: 'initdb',
  server: 'postgres',
  folders: () => [...namedFolder(), ...debianFolders()],
  files: (password) => ({ password: `${password}\n` }),
  initialiseArguments: (folder) => [
    `--pgdata=${join(folder, 'data')}`,
    `--pwfile=${join(folder, 'password')}`,
    '--username=test',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ],
  serverArguments({ folder, port }, settings) {
    const own = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'lc_messages=C']
    const all = [...settingsOfTests, ...settings, ...own]
    return ['-D', join(folder, 'data'), ...all.flatMap((setting) => ['-c', setting])]
  },
  readyLine: /ready to accept (?:read-only )?connections/,
  // Ends the sessions; SIGTERM waits for the clients to leave.
  stopSignal: 'SIGINT',
  dropSignal: 'SIGQUIT',
  url: ({ port, password }) => `postgres://test:${password}@127.0.0.1:${port}/postgres`,
}

/** Of another version, such as one of an npm package: `TEST_POSTGRES_PROGRAMS`. */
function namedFolder(): string[] {
  const folder = process.env['TEST_POSTGRES_PROGRAMS'] ?? ''
  return folder === '' ? [] : [folder]
}

/** Debian keeps the programs of each version outside of PATH. The newest comes first. */
function debianFolders(): string[] {
  const versions = '/usr/lib/postgresql'
  try {
    return readdirSync(versions)
      .sort((one, other) => Number(other) - Number(one))
      .map((version) => join(versions, version, 'bin'))
  } catch {
    return []
  }
}
