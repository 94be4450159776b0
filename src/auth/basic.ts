import { decodeBytes } from '../php/text.js'

/** The content of a Basic `Authorization` header. It is not verified. The password is never empty. */
export interface BasicCredentials {
  readonly username: string
  readonly password: string
}

/**
 * Parses the header as PHP does: the scheme in any case, one space, and base64 of `name:password`. Foreign characters and
 * padding are ignored, and the text ends at a NUL. The name may be empty.
 *
 * @param header raw; undefined when the request had none.
 * @returns null for another scheme, no colon, or an empty password.
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
