import { readFileSync } from 'node:fs'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { StorageError } from '../storage-error.js'

/**
 * How a connection is encrypted:
 * - `none`: not at all.
 * - `unverified`: encrypted. The certificate is not checked, so another machine can pose as the server.
 * - `chain`: the certificate of the server must be signed by a trusted authority.
 * - `full`: it must also name the host.
 */
export type TlsMode = 'none' | 'unverified' | 'chain' | 'full'

/** The options of `tls.connect` that both drivers pass on. */
export interface TlsOptions {
  readonly rejectUnauthorized: boolean
  readonly ca?: string
  /** For `pg`, which passes it on. For an IP address, the driver would compare the certificate with `localhost`. */
  readonly checkServerIdentity?: (name: string, certificate: PeerCertificate) => Error | undefined
  /** For `mysql2`, which compares the certificate with the host only if this is true. */
  readonly verifyIdentity?: boolean
}

/**
 * @param host that the address names.
 * @param caFile path of the certificates of the trusted authorities, in PEM; null: those of Node.
 * @returns false for a connection without encryption.
 * @throws StorageError `unavailable` when the file cannot be read.
 */
export function tlsOptions(mode: TlsMode, host: string, caFile: string | null): TlsOptions | false {
  if (mode === 'none') return false
  if (mode === 'unverified') return { rejectUnauthorized: false }
  const ca = caFile === null ? {} : { ca: certificatesIn(caFile) }
  if (mode === 'chain') return { rejectUnauthorized: true, ...ca, checkServerIdentity: () => undefined }
  return {
    rejectUnauthorized: true,
    ...ca,
    checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate),
    verifyIdentity: true,
  }
}

/**
 * The remedy for a certificate that is refused; '' for an error of another kind. The drivers replace codes
 * of errors, so the message is examined.
 * @param names `ca`: the parameter of the address for the file of authorities. `chain`: the parameter and its value for the mode
 *   that does not check the host.
 */
export function certificateRemedy(message: string, names: { readonly ca: string; readonly chain: string }): string {
  if (/certificate's altnames/.test(message))
    return `Use a host in the address that the certificate names, or a certificate for this host; ?${names.chain} checks the authority only.`
  if (/self[- ]signed certificate|unable to (?:verify|get)\b.*\b(?:certificate|issuer)/i.test(message))
    return `Name the file of the authority that has signed the certificate of the server: ?${names.ca}=/path/ca.pem`
  return /certificate (?:has expired|is not yet valid)/.test(message) ? 'Renew the certificate of the server.' : ''
}

function certificatesIn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    // Without a cause: the code of a missing file would mean a server that is not there yet.
    throw new StorageError(
      'unavailable',
      `The certificates of the authorities cannot be read: ${(error as Error).message}. Correct their path in the address.`,
    )
  }
}
