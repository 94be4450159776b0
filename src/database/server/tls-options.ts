import { readFileSync } from 'node:fs'
import { StorageError } from '../storage-error.js'

/**
 * How a connection is encrypted:
 * - `none`: it is not.
 * - `unverified`: encrypted, and whoever answers is taken for the server.
 * - `chain`: the certificate of the server must be signed by a trusted authority.
 * - `full`: it must also name the host.
 */
export type TlsMode = 'none' | 'unverified' | 'chain' | 'full'

/** The options of `tls.connect` that both drivers pass on. */
export interface TlsOptions {
  readonly rejectUnauthorized: boolean
  readonly ca?: string
  readonly checkServerIdentity?: () => undefined
}

/**
 * @param caFile path of the certificates of the trusted authorities, in PEM; null: those of Node.
 * @returns false for a connection without encryption.
 * @throws StorageError `unavailable` when the file cannot be read.
 */
export function tlsOptions(mode: TlsMode, caFile: string | null): TlsOptions | false {
  if (mode === 'none') return false
  if (mode === 'unverified') return { rejectUnauthorized: false }
  const ca = caFile === null ? {} : { ca: certificatesIn(caFile) }
  return { rejectUnauthorized: true, ...ca, ...(mode === 'chain' && { checkServerIdentity: () => undefined }) }
}

function certificatesIn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new StorageError(
      'unavailable',
      `The certificates of the address cannot be read: ${(error as Error).message}.`,
      {
        cause: error,
      },
    )
  }
}
