import { decodeBytes } from '../php/text.js'

/** The credentials of a Basic `Authorization` header. They are not verified. The password is never empty. */
export interface BasicCredentials {
  readonly username: string
  readonly password: string
}

/**
 * Parses the header as PHP does: the scheme in any case, one space, and base64 of `name:password`. Padding and
 * characters that are not base64 are ignored. The password ends at a NUL. The name may be empty.
 *
 * PHP leaves a header with a NUL in the name to WordPress, which takes no other characters than base64 and writes each NUL
 * as `\0`. No user has such a name, so that the credentials are wrong, not missing.
 *
 * @param header raw header value; undefined when the request has none.
 * @returns null for another scheme, no colon, or an empty password. Such a header is ignored.
 */
// Rules: docs/wire.md#basic-credentials.
export function parseBasic(header: string | undefined): BasicCredentials | null {
  if (header === undefined || header.slice(0, 6).toLowerCase() !== 'basic ') return null
  const base64 = header.slice(6)
  const text = decodeBytes(Buffer.from(base64.replaceAll(/[^A-Za-z0-9+/]/g, ''), 'base64'))
  const colon = text.indexOf(':')
  if (colon === -1) return null
  const name = text.slice(0, colon)
  const rawPassword = text.slice(colon + 1)
  if (name.includes('\0')) {
    if (rawPassword === '' || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return null
    return { username: name.replaceAll('\0', '\\0'), password: rawPassword.replaceAll('\0', '\\0') }
  }
  const [password = ''] = rawPassword.split('\0', 1)
  return password === '' ? null : { username: name, password }
}
