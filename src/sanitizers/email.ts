import { toText } from '../php/cast.js'
import { byteLength } from '../php/text.js'
import { trimCharacters } from '../php/trim.js'

const blanks = ' \t\n\r\0\x0B'

/** The parts before and behind the first `@`; null when the text is too short for an address or begins with it. */
function halvesOf(value: unknown): { local: string; domain: string } | null {
  const text = typeof value === 'object' ? '' : toText(value)
  if (byteLength(text) < 6 || !text.includes('@', 1)) return null
  const at = text.indexOf('@')
  return { local: text.slice(0, at), domain: text.slice(at + 1) }
}

/**
 * `sanitize_email`: the address with every character dropped that an address cannot hold; nothing when what is left
 * is none.
 * Rules: docs/wire.md#the-named-sanitisers.
 */
export function sanitizeEmail(value: unknown): string {
  const halves = halvesOf(value)
  if (halves === null) return ''
  const local = halves.local.replace(/[^a-zA-Z0-9!#$%&'*+/=?^_`{|}~.-]/g, '')
  const labels = trimCharacters(halves.domain.replace(/\.{2,}/g, ''), `${blanks}.`).split('.')
  if (local === '' || labels.length < 2) return ''
  const kept = labels
    .map((label) => trimCharacters(label, `${blanks}-`).replace(/[^a-z0-9-]/gi, ''))
    .filter((label) => label !== '')
  return kept.length < 2 ? '' : `${local}@${kept.join('.')}`
}

/**
 * `is_email`: whether the value is an address that {@link sanitizeEmail} would not change. Dots in a row are fine before
 * the `@` only; characters outside ASCII are not.
 * Rules: docs/wire.md#the-named-sanitisers.
 */
export function isEmail(value: unknown): boolean {
  const halves = halvesOf(value)
  if (halves === null || !/^[a-zA-Z0-9!#$%&'*+/=?^_`{|}~.-]+$/.test(halves.local)) return false
  const labels = halves.domain.split('.')
  return labels.length > 1 && labels.every((label) => /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(label))
}
