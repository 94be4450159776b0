import { decodeBytes, encodeText, isUtf8 } from '../php/text.js'
import { accents } from './accents.js'
import { windowsAccents } from './windows-accents.js'

/**
 * `remove_accents`: replaces accented letters by plain ones, `Æ` by `AE`, `ß` by `s`. Text that is not UTF-8 is read as
 * Windows-1252.
 */
export function removeAccents(text: string): string {
  if (!isUtf8(text)) return removeWindowsAccents(encodeText(text))
  return text.replace(/[\u0080-\uffff]/g, (character) => accents.get(character) ?? character)
}

function removeWindowsAccents(bytes: Uint8Array): string {
  const output: number[] = []
  for (const byte of bytes) {
    const letters = windowsAccents.get(byte)
    if (letters === undefined) output.push(byte)
    else output.push(...encodeText(letters))
  }
  return decodeBytes(Uint8Array.from(output))
}
