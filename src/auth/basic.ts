import { decodeBytes } from '../php/text.js'

/** The credentials of a Basic `Authorization` header. They are not verified. The password is never empty. */
export interface BasicCredentials {
  readonly username: string
  readonly password: string
}

/**
 * Parses the header as PHP does: the scheme in any case, one space, and base64 of `name:password`. Padding and
 * characters that are not base64 are ignored. The decoded text ends at a NUL. The name may be empty.
 *
 * @param header raw header value; undefined when the request has none.
 * @returns null for another scheme, no colon, or an empty password. Such a header is ignored.
 */
// Rules: docs/wire.md#basic-credentials.
export function parseBasic(header: string | undefined): BasicCredentials | null {
  if (header === undefined || header.slice(0, 6).toLowerCase() !== 'basic ') return null
  const base64 = header.slice(6).replaceAll(/[^A-Za-z0-9+/]/g, '')
  const [text = ''] = decodeBytes(Buffer.from(base64, 'base64')).split('\0', 1)
  const colon = text.indexOf(':')
  if (colon === -1 || colon === text.length - 1) return null
  return { username: text.slice(0, colon), password: text.slice(colon + 1) }
}
