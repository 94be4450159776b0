import { text } from '../sql/row-values.js'
import type { SqlRow } from '../sql/sql-connection.js'
import { StorageError } from '../storage-error.js'

/** Properties of a server, read when a connection is opened. */
export interface ServerFacts {
  readonly kind: 'MariaDB' | 'MySQL'
  /** `10.11`. */
  readonly version: string
  readonly isReadOnly: boolean
  /** Whether the server is a node of a Galera cluster. */
  readonly isGalera: boolean
  /** Differs for two servers. */
  readonly identity: string
  /** Maximum length of a statement in bytes. */
  readonly maxPacket: number
  /** Whether the server stores the names of tables in lower case. */
  readonly hasLowerCaseTables: boolean
}

const names = [
  'version',
  'read_only',
  'innodb_read_only',
  'max_allowed_packet',
  'wsrep_on',
  'hostname',
  'port',
  'server_id',
  'lower_case_table_names',
] as const

/** The oldest versions of the servers, as `major.minor`. */
export type OldestServers = Readonly<Record<ServerFacts['kind'], string>>

/** The oldest versions that support the statements for our own schema. */
export const oldestServers: OldestServers = { MariaDB: '10.11', MySQL: '8.4' }

export const serverFacts = {
  query: `SHOW VARIABLES WHERE Variable_name IN (${names.map((name) => `'${name}'`).join(', ')})`,
  of(rows: readonly SqlRow[]): ServerFacts {
    const variables = new Map(rows.map(([name, value]) => [text(name).toLowerCase(), text(value)]))
    const isOn = (name: (typeof names)[number]) => ['ON', '1'].includes(variables.get(name) ?? '')
    const version = variables.get('version') ?? ''
    return {
      kind: /mariadb/i.test(version) ? 'MariaDB' : 'MySQL',
      version: /^\d+\.\d+/.exec(version)?.[0] ?? '',
      isReadOnly: isOn('read_only') || isOn('innodb_read_only'),
      isGalera: isOn('wsrep_on'),
      identity: ['hostname', 'port', 'server_id'].map((name) => variables.get(name) ?? '').join('/'),
      maxPacket: Number(variables.get('max_allowed_packet') ?? 0),
      // With 2 the names are stored as they were given.
      hasLowerCaseTables: variables.get('lower_case_table_names') === '1',
    }
  },
}

/** Whether a server takes no writes: the part of the facts that changes while connections are open. */
export const isReadOnly = {
  query: 'SELECT @@global.read_only, @@global.innodb_read_only',
  of: (rows: readonly SqlRow[]): boolean => (rows[0] ?? []).some((value) => !['0', 'OFF'].includes(text(value))),
}

/**
 * @param readsOnly whether a read-only server is accepted.
 * @param oldest the oldest accepted version of each kind of server.
 * @throws StorageError `incompatible` for a server that is too old, `read-only` for a read-only server that is not accepted.
 */
export function requireUsableServer(
  { kind, version, isReadOnly }: ServerFacts,
  readsOnly: boolean,
  oldest: OldestServers,
): void {
  if (isOlderServer(version, oldest[kind]))
    throw new StorageError(
      'incompatible',
      `The server is ${kind} ${version}. Version ${oldest[kind]} or later is needed.`,
    )
  if (isReadOnly && !readsOnly)
    throw new StorageError(
      'read-only',
      'The server is read-only, as a replica is, which shows changes late and takes no writes. Give the address of the primary, or SET GLOBAL read_only = 0.',
    )
}

/** Whether a version, such as `10.11`, is older than another one. */
export function isOlderServer(version: string, least: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [minMajor = 0, minMinor = 0] = least.split('.').map(Number)
  return major < minMajor || (major === minMajor && minor < minMinor)
}
