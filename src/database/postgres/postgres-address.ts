import { parseServerAddress, type ServerAddress } from '../server/server-address.js'
import type { TlsMode } from '../server/tls-options.js'
import { StorageError } from '../storage-error.js'

/** The schemes of addresses of PostgreSQL. */
export const postgresSchemes = ['postgres', 'postgresql'] as const

export interface PostgresAddress {
  readonly server: ServerAddress
  /** The schema with the tables; null: the first one of the server's own `search_path`. */
  readonly schema: string | null
  readonly tls: TlsMode
  /** Path of the certificates of trusted authorities; null: those of Node. */
  readonly caFile: string | null
}

/**
 * The values of `sslmode`: those of PostgreSQL, and `no-verify` of the driver `pg`. PostgreSQL's `prefer` and `allow` are
 * refused, because they fall back to a connection without TLS.
 */
const tlsModes: Readonly<Record<string, TlsMode>> = {
  disable: 'none',
  'no-verify': 'unverified',
  require: 'full',
  'verify-ca': 'chain',
  'verify-full': 'full',
}

/** @throws StorageError `unavailable` for an address that names no server or no database; its message has no password. */
export function parsePostgresAddress(address: string): PostgresAddress {
  const server = parseServerAddress(address, {
    defaultPort: 5432,
    parameters: ['schema', 'sslmode', 'sslrootcert'],
    example: `postgres://user:password@db.example:5432/shop?sslmode=verify-full`,
  })
  const { parameters } = server
  const sslmode = parameters.get('sslmode')
  const tls = sslmode === undefined ? 'none' : tlsModes[sslmode]
  if (tls === undefined) {
    throw new StorageError(
      'unavailable',
      `The address of the database has the sslmode '${sslmode}'. Use one of: ${Object.keys(tlsModes).join(', ')}.`,
    )
  }
  const schema = parameters.get('schema') ?? null
  if (schema !== null && !/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(schema)) {
    throw new StorageError(
      'unavailable',
      `The address of the database has the schema '${schema}'. A schema is up to 63 letters, digits and underscores.`,
    )
  }
  return { server, schema, tls, caFile: parameters.get('sslrootcert') ?? null }
}
