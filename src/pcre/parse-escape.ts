import type { Anchor, PatternNode } from './ast.js'
import { union } from './character-set.js'
import { charactersNode, checkedCode, literalNode, parseCharacterEscape, parseProperty } from './parse-characters.js'
import { classOf, shorthandOf, verticalSpace } from './named-sets.js'
import type { PatternReader } from './reader.js'

const anchors: Readonly<Record<string, Anchor>> = {
  A: 'start',
  G: 'start',
  z: 'end',
  Z: 'final',
  b: 'word',
  B: 'not-word',
}

/** Parses an escape outside a class, from its backslash. */
export function parseEscape(reader: PatternReader): PatternNode {
  const index = reader.index
  reader.index += 1
  if (reader.isAtEnd || (reader.index === reader.text.length - 1 && index === trailingBackslashIndex(reader)))
    throw reader.errorAt('The pattern ends with a lone backslash.', index)
  const letter = reader.text[reader.index] ?? ''
  const anchor = Object.hasOwn(anchors, letter) ? anchors[letter] : undefined
  if (anchor !== undefined) {
    reader.index += 1
    return { kind: 'anchor', index, anchor }
  }
  if (reader.match(/N(?=\{(?!\d+(?:,\d*)?\}))/y))
    throw reader.errorAt('A character cannot be written by its name.', index)
  const shorthand = shorthandOf(letter, reader.unicode)
  if (shorthand !== null) {
    reader.index += 1
    const { set, source } = classOf([shorthand], false, reader.unicode)
    return charactersNode(reader, index, set, source)
  }
  if (reader.consume('R')) return lineBreakNode(reader, index)
  const property = parseProperty(reader, index)
  if (property !== null) {
    const { set, source } = classOf([property], false, reader.unicode)
    return charactersNode(reader, index, set, source)
  }
  return parseBackreference(reader, index) ?? parseCharacter(reader, index)
}

/**
 * The index of a backslash at the end of an anchored pattern, which would escape the `$` that the reader appends; -1 without
 * one.
 */
function trailingBackslashIndex(reader: PatternReader): number {
  return reader.text.length > reader.source.length && reader.source.endsWith('\\') ? reader.text.length - 2 : -1
}

function parseCharacter(reader: PatternReader, index: number): PatternNode {
  const code = parseCharacterEscape(reader, index, false)
  if (code !== null) return literalNode(reader, code, index)
  const letter = reader.text[reader.index] ?? ''
  if ('CKX'.includes(letter) && letter !== '')
    throw reader.errorAt(`'\\${letter}' has no equivalent in JavaScript.`, index)
  throw reader.errorAt(`'\\${letter}' means nothing in PCRE.`, index)
}

/** `\R`: CRLF, or one vertical space that does not begin a CRLF, so that backtracking cannot split a CRLF. */
function lineBreakNode(reader: PatternReader, index: number): PatternNode {
  const pair: PatternNode = {
    kind: 'sequence',
    items: [literalNode(reader, 13, index), literalNode(reader, 10, index)],
  }
  const singleBreaks = union(verticalSpace(reader.unicode))
  const single: PatternNode = {
    kind: 'sequence',
    items: [
      { kind: 'lookaround', index, ahead: true, negative: true, body: pair },
      charactersNode(reader, index, singleBreaks, null),
    ],
  }
  // A sequence around the alternation, as around that of a group: in a lookbehind it has no fixed length.
  return { kind: 'sequence', items: [{ kind: 'alternation', branches: [pair, single] }] }
}

/** Parses `\1`, `\g{1}`, `\g{-1}`, `\g{name}`, `\k<name>`, `\k'name'`, `\k{name}`. */
function parseBackreference(reader: PatternReader, index: number): PatternNode | null {
  const byName = reader.match(/k(?:<([^>]*)>|'([^']*)'|\{([^}]*)\})|g\{([A-Za-z_]\w*)\}/y)
  if (byName) return namedBackreferenceNode(reader, byName.slice(1).find((name) => name !== undefined) ?? '', index)
  if (reader.match(/g[<']/y)) throw recursionError(reader, index)
  const relative = reader.match(/g\{?([-+]\d+)\}?/y)
  if (relative) return numberedBackreferenceNode(reader, reader.captureCount + 1 + Number(relative[1]), index)
  if (isOctal(reader)) {
    const octal = Number.parseInt(reader.match(/[0-7]{1,3}/y)?.[0] ?? '', 8)
    return literalNode(reader, checkedCode(reader, octal, index), index)
  }
  const absolute = reader.match(/g(?:(\d+)|\{(\d+)\})|([1-9]\d*)/y)
  if (absolute === null) return null
  return numberedBackreferenceNode(reader, Number(absolute[1] ?? absolute[2] ?? absolute[3]), index)
}

/** `\12` is a character code when the pattern has fewer than twelve groups. `\1` to `\9` are always references. */
function isOctal(reader: PatternReader): boolean {
  const digits = /^[1-7]\d+/.exec(reader.text.slice(reader.index, reader.index + 6))?.[0]
  return digits !== undefined && Number(digits) >= reader.text.split('(').length
}

function numberedBackreferenceNode(reader: PatternReader, number: number, index: number): PatternNode {
  if (number < 1 || number > reader.captureCount)
    throw reader.errorAt('This refers to a group that does not come before it.', index)
  return { kind: 'backreference', index, numbers: [number], ignoreCase: reader.flags.ignoreCase }
}

export function namedBackreferenceNode(reader: PatternReader, name: string, index: number): PatternNode {
  const numbers = reader.groupNumbers(name)
  if (numbers.length === 0) throw reader.errorAt(`No group named '${name}' comes before this.`, index)
  return { kind: 'backreference', index, numbers, ignoreCase: reader.flags.ignoreCase }
}

export function recursionError(reader: PatternReader, index: number): Error {
  return reader.errorAt('A group that calls itself or another has no equivalent in JavaScript.', index)
}
