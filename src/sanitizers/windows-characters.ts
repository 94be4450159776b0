/**
 * The characters of Windows-1252 in place of the C1 controls, U+0080 to U+009F. Five codes are unassigned and map to
 * themselves.
 */
const characters = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/**
 * The Windows-1252 character for a code from 0x80 to 0x9f. It comes from a table, because the `TextDecoder` of some
 * Node versions (such as 20.20) decodes `windows-1252` as Latin-1.
 */
export function windowsCharacter(code: number): string {
  return characters.charAt(code - 0x80)
}
