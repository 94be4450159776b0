import { parseServerAddress, type ServerAddress } from '../server/server-address.js'
import type { TlsMode } from '../server/tls-options.js'
import { StorageError } from '../storage-error.js'

/** The schemes of addresses of MariaDB and MySQL. Both schemes reach both servers. */
export const mysqlSchemes = ['mysql', 'mariadb'] as const

export interface MysqlAddress {
  readonly server: ServerAddress
  readonly tls: TlsMode
  /** Path of the certificates of trusted authorities; null: those of Node. */
  readonly caFile: string | null
}

/** MySQL's names in lower case. `PREFERRED` gives no protection, so it is refused. */
const tlsModes: Readonly<Record<string, TlsMode>> = {
  disabled: 'none',
  required: 'unverified',
  verify_ca: 'chain',
  verify_identity: 'full',
}

const isIpAddress = (host: string): boolean => /^[\d.]+$|:/.test(host)

/** @throws StorageError `unavailable` for an address that names no server or no database; its message has no password. */
export function parseMysqlAddress(address: string): MysqlAddress {
  const server = parseServerAddress(address, {
    defaultPort: 3306,
    parameters: ['ssl-mode', 'ssl-ca'],
    example: 'mariadb://user:password@db.example:3306/shop?ssl-mode=verify_identity',
  })
  const { parameters } = server
  const caFile = parameters.get('ssl-ca') ?? null
  const written = parameters.get('ssl-mode')
  const mode = written?.toLowerCase().replaceAll('-', '_') ?? (caFile === null ? 'disabled' : 'verify_identity')
  const tls = tlsModes[mode]
  if (tls === undefined) {
    throw new StorageError(
      'unavailable',
      `The address of the database has the ssl-mode '${written}'. Use one of: ${Object.keys(tlsModes).join(', ')}.`,
    )
  }
  if (tls === 'full' && server.hosts.some(({ host }) => isIpAddress(host)))
    throw new StorageError(
      'unavailable',
      'The address of the database names an IP address, which the package mysql2 cannot compare with a certificate. ' +
        'Write the name of the host, or ?ssl-mode=verify_ca to check the authority only.',
    )
  return { server, tls, caFile }
}
