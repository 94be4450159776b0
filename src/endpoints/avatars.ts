import { createHash } from 'node:crypto'
import { asciiLowerCase } from '../php/ascii-case.js'
import { toBoolean } from '../php/cast.js'
import { rawUrlEncoded } from '../php/percent-encoding.js'
import { phpTrim } from '../php/trim.js'
import { avatarSizes } from './user-schema.js'

/** The options that decide about avatars. */
export const avatarOptions = ['show_avatars', 'avatar_default', 'avatar_rating'] as const

/** WordPress's names of Gravatar's default picture `mm`, a silhouette. */
const silhouettes = new Set(['mm', 'mystery', 'mysteryman'])

/**
 * The addresses of a user's pictures at Gravatar, by their size in pixels; null when the site shows none. Nothing is sent to
 * Gravatar before a client loads a picture.
 * @param options the stored {@link avatarOptions}. Missing ones have WordPress's defaults.
 */
// Rules: docs/wire.md#the-current-user.
export function avatarUrls(email: string, options: ReadonlyMap<string, string>): Record<string, string> | null {
  if (!toBoolean(options.get('show_avatars') ?? '1')) return null
  const address = asciiLowerCase(phpTrim(email))
  const hash = address === '' ? '' : createHash('sha256').update(address).digest('hex')
  const picture = options.get('avatar_default') || 'mystery'
  const query = {
    d: silhouettes.has(picture) ? 'mm' : picture === 'gravatar_default' ? '' : picture,
    r: asciiLowerCase(options.get('avatar_rating') ?? 'G'),
  }
  const end = Object.entries(query).flatMap(([name, value]) =>
    value === '' ? [] : [`&${name}=${rawUrlEncoded(value)}`],
  )
  const urlOf = (size: number) => `https://secure.gravatar.com/avatar/${hash}?s=${size}${end.join('')}`
  return Object.fromEntries(avatarSizes.map((size) => [String(size), urlOf(size)]))
}
