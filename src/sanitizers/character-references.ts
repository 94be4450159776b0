import { entities } from './entities.js'
import { replaceText } from './replace-text.js'
import { windowsCharacter } from './windows-characters.js'

const reference = /&(?:#(0*[1-9]\d{0,6})|#[xX](0*[1-9a-fA-F][0-9a-fA-F]{0,5})|([A-Za-z]{2,8}\d{0,2}));|&/g

/**
 * A `&` that {@link normalizeReferences} may change, with its reference. The references that `esc_html` writes are left out: a
 * function call for each of a million of them would take a second.
 */
const changedReference = new RegExp(`&(?!(?:amp|lt|gt|quot|#039);)(?:${reference.source.slice(1, -2)})?`, 'g')

/** The start of a character reference. Most texts contain `&` only as a word, and need no further search. */
const referenceStart = /&[#A-Za-z]/

/**
 * `wp_kses_normalize_entities`: leaves valid character references, pads decimal ones to three digits, and turns every
 * other `&` into `&amp;`. The function is idempotent.
 */
export function normalizeReferences(text: string): string {
  if (!text.includes('&')) return text
  if (!referenceStart.test(text)) return replaceText(text, '&', '&amp;')
  return text.replace(changedReference, (match, decimal?: string, hexadecimal?: string, name?: string) => {
    if (decimal !== undefined && isCharacter(Number(decimal))) return `&#${stripZeros(decimal).padStart(3, '0')};`
    if (hexadecimal !== undefined && isCharacter(parseInt(hexadecimal, 16))) return `&#x${stripZeros(hexadecimal)};`
    if (name !== undefined && entities.has(name)) return match
    return hexadecimal === undefined ? `&amp;${match.slice(1)}` : `&amp;#x${hexadecimal};`
  })
}

/** Replaces the references that {@link normalizeReferences} leaves with their characters. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(reference, (match, decimal?: string, hexadecimal?: string, name?: string) => {
    const code =
      decimal !== undefined
        ? Number(decimal)
        : hexadecimal !== undefined
          ? parseInt(hexadecimal, 16)
          : entities.get(name ?? '')
    return code !== undefined && isCharacter(code) ? characterOf(code) : match
  })
}

/** HTML reads references to the C1 controls, U+0080 to U+009F, as characters of Windows-1252. */
function characterOf(code: number): string {
  return code >= 0x80 && code <= 0x9f ? windowsCharacter(code) : String.fromCodePoint(code)
}

function stripZeros(digits: string): string {
  return digits.replace(/^0+/, '')
}

/**
 * Whether XML allows the character: no control but tab, line feed and carriage return, no surrogate, no U+FFFE or
 * U+FFFF.
 */
function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff)
}
