import { entities } from './entities.js'
import { windowsCharacter } from './windows-characters.js'

const reference = /&(?:#(0*[1-9]\d{0,6})|#[xX](0*[1-9a-fA-F][0-9a-fA-F]{0,5})|([A-Za-z]{2,8}\d{0,2}));|&/g

/** What every reference begins with; most texts have an `&` as a word only. */
const mayBegin = /&[#A-Za-z]/

/**
 * Leaves the character references that a browser understands, decimal ones padded to three digits, and turns every
 * other `&` into `&amp;`. A second pass changes nothing.
 * Rules: docs/wire.md#character-references.
 */
export function normalizeReferences(text: string): string {
  if (!text.includes('&')) return text
  if (!mayBegin.test(text)) return text.replaceAll('&', '&amp;')
  return text.replace(reference, (found, decimal?: string, hexadecimal?: string, name?: string) => {
    if (decimal !== undefined && isCharacter(Number(decimal))) return `&#${stripZeros(decimal).padStart(3, '0')};`
    if (hexadecimal !== undefined && isCharacter(parseInt(hexadecimal, 16))) return `&#x${stripZeros(hexadecimal)};`
    if (name !== undefined && entities.has(name)) return found
    return hexadecimal === undefined ? `&amp;${found.slice(1)}` : `&amp;#x${hexadecimal};`
  })
}

/** Turns the references that {@link normalizeReferences} leaves into the characters they stand for. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(reference, (found, decimal?: string, hexadecimal?: string, name?: string) => {
    const code =
      decimal !== undefined
        ? Number(decimal)
        : hexadecimal !== undefined
          ? parseInt(hexadecimal, 16)
          : entities.get(name ?? '')
    return code !== undefined && isCharacter(code) ? characterOf(code) : found
  })
}

/** HTML reads references to the C1 controls as the characters that Windows has in their place. */
function characterOf(code: number): string {
  return code >= 0x80 && code <= 0x9f ? windowsCharacter(code) : String.fromCodePoint(code)
}

function stripZeros(digits: string): string {
  return digits.replace(/^0+/, '')
}

/** Whether XML allows the character: no control but tab and line ends, no surrogate, no U+FFFE and U+FFFF. */
function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff)
}
