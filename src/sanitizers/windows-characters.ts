/** What Windows has in place of the C1 controls, U+0080 to U+009F; five places are empty there and stay what they are. */
const characters = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/**
 * The character that Windows has at this place, a code from 0x80 to 0x9f. A table, because the `TextDecoder` of some
 * Node versions (20.20, for one) reads `windows-1252` as Latin-1.
 */
export function windowsCharacter(code: number): string {
  return characters.charAt(code - 0x80)
}
