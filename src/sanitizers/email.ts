import { toText } from '../php/cast.js'
import { byteLength } from '../php/text.js'
import { trimCharacters } from '../php/trim.js'

const whiteSpace = ' \t\n\r\0\x0B'

/**
 * The parts before and after the first `@`; null when the text has under 6 bytes or no `@` after its first character.
 */
function partsOf(value: unknown): { local: string; domain: string } | null {
  const text = typeof value === 'object' ? '' : toText(value)
  if (byteLength(text) < 6 || !text.includes('@', 1)) return null
  const separator = text.indexOf('@')
  return { local: text.slice(0, separator), domain: text.slice(separator + 1) }
}

/**
 * `sanitize_email`: the address without the characters that an address cannot contain; empty when the remaining text is
 * not an address.
 */
export function sanitizeEmail(value: unknown): string {
  const parts = partsOf(value)
  if (parts === null) return ''
  const local = parts.local.replace(/[^a-zA-Z0-9!#$%&'*+/=?^_`{|}~.-]/g, '')
  const labels = trimCharacters(parts.domain.replace(/\.{2,}/g, ''), `${whiteSpace}.`).split('.')
  if (local === '' || labels.length < 2) return ''
  const cleanLabels = labels
    .map((label) => trimCharacters(label, `${whiteSpace}-`).replace(/[^a-z0-9-]/gi, ''))
    .filter((label) => label !== '')
  return cleanLabels.length < 2 ? '' : `${local}@${cleanLabels.join('.')}`
}

/**
 * `is_email`: whether the value is an address that {@link sanitizeEmail} would not change. Consecutive dots are allowed
 * before the `@` only. Characters outside ASCII are not allowed.
 */
export function isEmail(value: unknown): boolean {
  const parts = partsOf(value)
  if (parts === null || !/^[a-zA-Z0-9!#$%&'*+/=?^_`{|}~.-]+$/.test(parts.local)) return false
  const labels = parts.domain.split('.')
  return labels.length > 1 && labels.every((label) => /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(label))
}
