import { decodeBytes, encodeText, isUtf8 } from '../php/text.js'
import { accents } from './accents.js'
import { windowsAccents } from './windows-accents.js'

/**
 * `remove_accents`: the letters without their accents, `Æ` as `AE`, `ß` as `s`. Text that is not UTF-8 is taken for
 * Windows' single bytes.
 * Rules: docs/wire.md#slugs-of-titles.
 */
export function removeAccents(text: string): string {
  if (!isUtf8(text)) return removeWindowsAccents(encodeText(text))
  return text.replace(/[\u0080-\uffff]/g, (character) => accents.get(character) ?? character)
}

function removeWindowsAccents(bytes: Uint8Array): string {
  const kept: number[] = []
  for (const byte of bytes) {
    const letters = windowsAccents.get(byte)
    if (letters === undefined) kept.push(byte)
    else kept.push(...encodeText(letters))
  }
  return decodeBytes(Uint8Array.from(kept))
}
