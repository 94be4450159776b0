import type { CharactersNode } from './ast.js'
import { type CharacterSet, foldAscii, singleton, union } from './character-set.js'
import { maxCodePoint, sourceOfSet } from './character-source.js'
import { type ClassItem, dependsOnCase, propertyOf } from './named-sets.js'
import type { PatternReader } from './reader.js'

const foldedSingletons: CharacterSet[] = []

/** The node for one literal character. */
export function literalNode(reader: PatternReader, code: number, index: number): CharactersNode {
  if (!reader.unicode && reader.flags.ignoreCase)
    return { kind: 'characters', index, set: (foldedSingletons[code] ??= foldAscii(singleton(code))), source: null }
  return charactersNode(reader, index, singleton(code), null)
}

/** The node for a set. In a byte pattern that ignores case, the set must already contain both cases. */
export function charactersNode(
  reader: PatternReader,
  index: number,
  set: CharacterSet,
  source: string | null,
): CharactersNode {
  if (!reader.unicode || !dependsOnCase(set, source === null)) return { kind: 'characters', index, set, source }
  if (!reader.flags.ignoreCase) {
    reader.caseUse.sensitive = true
    return { kind: 'characters', index, set, source }
  }
  reader.caseUse.insensitive = true
  const widened = union(foldAscii(set), [0x80, maxCodePoint])
  return { kind: 'characters', index, set: widened, source: source ?? sourceOfSet(set, true) }
}

/**
 * Parses an escape for one character, from behind its backslash: `\n`, `\x41`, `\x{e9}`, `\cA`, `\012`, `\.`.
 * @returns the code of the character; null, with the reader unchanged, for another kind of escape.
 */
export function parseCharacterEscape(reader: PatternReader, index: number, inClass: boolean): number | null {
  const simple = reader.match(/[aefnrt]/y)?.[0]
  if (simple !== undefined) return { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9 }[simple] ?? 0
  if (reader.match(/c/y)) return controlCharacter(reader, index)
  const hexadecimal = reader.match(/x(?:\{([\dA-Fa-f]+)\}|(?!\{)([\dA-Fa-f]{0,2}))/y)
  if (hexadecimal) return checkedCode(reader, Number.parseInt(hexadecimal[1] ?? `0${hexadecimal[2] ?? ''}`, 16), index)
  const octal = reader.match(inClass ? /o\{([0-7]+)\}|([0-7]{1,3})/y : /o\{([0-7]+)\}|(0[0-7]{0,2})/y)
  if (octal) return checkedCode(reader, Number.parseInt(octal[1] ?? octal[2] ?? '0', 8), index)
  return reader.match(/(?=[^\dA-Za-z])/y) && !reader.isAtEnd ? reader.readCharacter() : null
}

function controlCharacter(reader: PatternReader, index: number): number {
  const character = reader.match(/[\x20-\x7e]/y)?.[0]
  if (character === undefined) throw reader.errorAt(`'\\c' must be followed by a printable ASCII character.`, index)
  return character.toUpperCase().charCodeAt(0) ^ 0x40
}

/** @throws PatternError when the code is not that of a character. */
export function checkedCode(reader: PatternReader, code: number, index: number): number {
  if (reader.unicode && (code > maxCodePoint || (code >= 0xd800 && code <= 0xdfff)))
    throw reader.errorAt('This is not the code point of a Unicode character.', index)
  if (!reader.unicode && code > 0xff)
    throw reader.errorAt('This pattern is matched byte by byte, and a byte goes up to \\xff only.', index)
  return code
}

/** Parses `\p{Lu}`, `\pL` or `\P{^L}` from behind the backslash. Null, with the reader unchanged, for another escape. */
export function parseProperty(reader: PatternReader, index: number): ClassItem | null {
  const match = reader.match(/([pP])(?:\{(\^?)([^}]*)\}|([A-Za-z]))/y)
  if (match === null) return null
  const negated = (match[1] === 'P') !== (match[2] === '^')
  const name = (match[3] ?? match[4] ?? '').trim()
  const property = propertyOf(name, negated, reader.unicode, reader.flags.ignoreCase)
  if (typeof property === 'string') throw reader.errorAt(property, index)
  return property
}
