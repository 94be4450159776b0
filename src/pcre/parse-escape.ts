import type { Edge, PatternNode } from './ast.js'
import { union } from './character-set.js'
import { charactersNode, checkedCode, literalNode, takeCharacterEscape, takeProperty } from './parse-characters.js'
import { classOf, shorthandOf, verticalSpace } from './named-sets.js'
import type { PatternReader } from './reader.js'

const edges: Readonly<Record<string, Edge>> = {
  A: 'start',
  G: 'start',
  z: 'end',
  Z: 'final',
  b: 'word',
  B: 'not-word',
}

/** Takes an escape outside a class, from its backslash. */
export function parseEscape(reader: PatternReader): PatternNode {
  const index = reader.index
  reader.index += 1
  if (reader.done || (reader.index === reader.text.length - 1 && index === lastBackslash(reader)))
    throw reader.fault('The pattern ends with a lone backslash.', index)
  const letter = reader.text[reader.index] ?? ''
  const edge = Object.hasOwn(edges, letter) ? edges[letter] : undefined
  if (edge !== undefined) {
    reader.index += 1
    return { kind: 'edge', index, edge }
  }
  if (reader.takes(/N(?=\{(?!\d+(?:,\d*)?\}))/y)) throw reader.fault('Characters cannot be given by name.', index)
  const shorthand = shorthandOf(letter, reader.unicode)
  if (shorthand !== null) {
    reader.index += 1
    const { set, source } = classOf([shorthand], false, reader.unicode)
    return charactersNode(reader, index, set, source)
  }
  if (reader.eats('R')) return lineEnd(reader, index)
  const property = takeProperty(reader, index)
  if (property !== null) {
    const { set, source } = classOf([property], false, reader.unicode)
    return charactersNode(reader, index, set, source)
  }
  return backreference(reader, index) ?? character(reader, index)
}

/** In an anchored pattern the last character is the `$` that was added, which a trailing backslash would swallow. */
function lastBackslash(reader: PatternReader): number {
  return reader.text.length > reader.source.length && reader.source.endsWith('\\') ? reader.text.length - 2 : -1
}

function character(reader: PatternReader, index: number): PatternNode {
  const code = takeCharacterEscape(reader, index, false)
  if (code !== null) return literalNode(reader, code, index)
  const letter = reader.text[reader.index] ?? ''
  if ('CKX'.includes(letter) && letter !== '')
    throw reader.fault(`'\\${letter}' has no equivalent in JavaScript.`, index)
  throw reader.fault(`'\\${letter}' means nothing in PCRE.`, index)
}

/** `\R`: CRLF taken whole, or one vertical blank; once taken, CRLF is not split again. */
function lineEnd(reader: PatternReader, index: number): PatternNode {
  const pair: PatternNode = {
    kind: 'sequence',
    items: [literalNode(reader, 13, index), literalNode(reader, 10, index)],
  }
  const others = union(verticalSpace(reader.unicode))
  return {
    kind: 'alternation',
    branches: [
      pair,
      {
        kind: 'sequence',
        items: [
          { kind: 'look', index, ahead: true, negative: true, body: pair },
          charactersNode(reader, index, others, null),
        ],
      },
    ],
  }
}

/** `\1`, `\g{1}`, `\g{-1}`, `\g{name}`, `\k<name>`, `\k'name'`, `\k{name}`. */
function backreference(reader: PatternReader, index: number): PatternNode | null {
  const byName = reader.takes(/k(?:<([^>]*)>|'([^']*)'|\{([^}]*)\})|g\{([A-Za-z_]\w*)\}/y)
  if (byName) return namedBackreference(reader, byName.slice(1).find((name) => name !== undefined) ?? '', index)
  if (reader.takes(/g[<']/y)) throw recursion(reader, index)
  const relative = reader.takes(/g\{?([-+]\d+)\}?/y)
  if (relative) return numberedBackreference(reader, reader.captures + 1 + Number(relative[1]), index)
  if (isOctal(reader)) {
    const octal = Number.parseInt(reader.takes(/[0-7]{1,3}/y)?.[0] ?? '', 8)
    return literalNode(reader, checkedCode(reader, octal, index), index)
  }
  const absolute = reader.takes(/g(?:(\d+)|\{(\d+)\})|([1-9]\d*)/y)
  if (absolute === null) return null
  return numberedBackreference(reader, Number(absolute[1] ?? absolute[2] ?? absolute[3]), index)
}

/** `\12` is a character when the pattern has no twelve groups; up to `\9` it is always a reference. */
function isOctal(reader: PatternReader): boolean {
  const digits = /^[1-7]\d+/.exec(reader.text.slice(reader.index, reader.index + 6))?.[0]
  return digits !== undefined && Number(digits) >= reader.text.split('(').length
}

function numberedBackreference(reader: PatternReader, number: number, index: number): PatternNode {
  if (number < 1 || number > reader.captures)
    throw reader.fault('This refers to a group that does not come before it.', index)
  return { kind: 'backreference', index, numbers: [number], ignoreCase: reader.flags.ignoreCase }
}

export function namedBackreference(reader: PatternReader, name: string, index: number): PatternNode {
  const numbers = reader.numbersNamed(name)
  if (numbers.length === 0) throw reader.fault(`No group named '${name}' comes before this.`, index)
  return { kind: 'backreference', index, numbers, ignoreCase: reader.flags.ignoreCase }
}

export function recursion(reader: PatternReader, index: number): Error {
  return reader.fault('A group that calls itself or another has no equivalent in JavaScript.', index)
}
