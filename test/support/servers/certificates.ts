import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serverUser } from './server-program.js'
import { serverPrograms, type ServerKind } from './server-programs.js'

/** Files in PEM for the tests of TLS. */
export interface Certificates {
  /** Of the authority that has signed the certificate of the server. */
  readonly authority: string
  /** Of another one. */
  readonly otherAuthority: string
  /** For the host, by its name only. */
  readonly certificate: string
  readonly key: string
  remove(): void
}

/** Makes certificates with the command `openssl`. @param kind the server that must be able to read the key. */
export function makeCertificates(kind: ServerKind, host: string): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'))
  chmodSync(folder, 0o755)
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  for (const name of ['authority', 'other'])
    openssl(...`req -x509 -days 2 -keyout ${name}.key -out ${name}.pem`.split(' '), ...newKey, '-subj', `/CN=${name}`)
  openssl('req', ...newKey, '-subj', '/CN=database', '-keyout', 'server.key', '-out', 'server.csr')
  writeFileSync(join(folder, 'names'), `subjectAltName=DNS:${host}\n`)
  const signed = 'x509 -req -in server.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 2'
  openssl(...`${signed} -extfile names -out server.pem`.split(' '))
  const key = join(folder, 'server.key')
  chmodSync(key, 0o600)
  const user = serverUser(serverPrograms[kind])
  if (user) chownSync(key, user.uid, user.gid)
  return {
    authority: join(folder, 'authority.pem'),
    otherAuthority: join(folder, 'other.pem'),
    certificate: join(folder, 'server.pem'),
    key,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
