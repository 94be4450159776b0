import type { CharactersNode } from './ast.js'
import { type CharacterSet, foldAscii, single, union } from './character-set.js'
import { lastCodePoint, sourceOfSet } from './character-source.js'
import { type Characters, dependsOnCase, propertyOf } from './named-sets.js'
import type { PatternReader } from './reader.js'

const folded: CharacterSet[] = []

/** The node for one character as written. */
export function literalNode(reader: PatternReader, code: number, index: number): CharactersNode {
  if (!reader.unicode && reader.flags.ignoreCase)
    return { kind: 'characters', index, set: (folded[code] ??= foldAscii(single(code))), source: null }
  return charactersNode(reader, index, single(code), null)
}

/** The node for a set, whose ASCII case is already folded where bytes are matched. */
export function charactersNode(
  reader: PatternReader,
  index: number,
  set: CharacterSet,
  source: string | null,
): CharactersNode {
  if (!reader.unicode || !dependsOnCase(set, source === null)) return { kind: 'characters', index, set, source }
  if (!reader.flags.ignoreCase) {
    reader.caseUse.kept = true
    return { kind: 'characters', index, set, source }
  }
  reader.caseUse.ignored = true
  const widened = union(foldAscii(set), [0x80, lastCodePoint])
  return { kind: 'characters', index, set: widened, source: source ?? sourceOfSet(set, true) }
}

/**
 * Takes an escape that stands for one given character, the backslash already taken: `\n`, `\x41`, `\x{e9}`, `\cA`,
 * `\012`, `\.`. Null, and nothing taken, when it is another kind of escape.
 */
export function takeCharacterEscape(reader: PatternReader, index: number, inClass: boolean): number | null {
  const simple = reader.takes(/[aefnrt]/y)?.[0]
  if (simple !== undefined) return { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9 }[simple] ?? 0
  if (reader.takes(/c/y)) return controlCharacter(reader, index)
  const hexadecimal = reader.takes(/x(?:\{([\dA-Fa-f]+)\}|(?!\{)([\dA-Fa-f]{0,2}))/y)
  if (hexadecimal) return checkedCode(reader, Number.parseInt(hexadecimal[1] ?? `0${hexadecimal[2] ?? ''}`, 16), index)
  const octal = reader.takes(inClass ? /o\{([0-7]+)\}|([0-7]{1,3})/y : /o\{([0-7]+)\}|(0[0-7]{0,2})/y)
  if (octal) return checkedCode(reader, Number.parseInt(octal[1] ?? octal[2] ?? '0', 8), index)
  return reader.takes(/(?=[^\dA-Za-z])/y) && !reader.done ? reader.takeCode() : null
}

function controlCharacter(reader: PatternReader, index: number): number {
  const character = reader.takes(/[\x20-\x7e]/y)?.[0]
  if (character === undefined) throw reader.fault(`'\\c' must be followed by a printable ASCII character.`, index)
  return character.toUpperCase().charCodeAt(0) ^ 0x40
}

/** @throws PatternError when no character has this number. */
export function checkedCode(reader: PatternReader, code: number, index: number): number {
  if (reader.unicode && (code > lastCodePoint || (code >= 0xd800 && code <= 0xdfff)))
    throw reader.fault('This is not the number of a Unicode character.', index)
  if (!reader.unicode && code > 0xff)
    throw reader.fault('This pattern is matched byte by byte, and a byte goes up to \\xff only.', index)
  return code
}

/** Takes `\p{Lu}`, `\pL`, `\P{^L}`; the backslash already taken. Null when it is another escape. */
export function takeProperty(reader: PatternReader, index: number): Characters | null {
  const match = reader.takes(/([pP])(?:\{(\^?)([^}]*)\}|([A-Za-z]))/y)
  if (match === null) return null
  const negated = (match[1] === 'P') !== (match[2] === '^')
  const name = (match[3] ?? match[4] ?? '').trim()
  const property = propertyOf(name, negated, reader.unicode, reader.flags.ignoreCase)
  if (typeof property === 'string') throw reader.fault(property, index)
  return property
}
