import { alternationOf, type PatternNode, type PatternSyntax } from './ast.js'
import { complement, single } from './character-set.js'
import { lastCharacter } from './character-source.js'
import { charactersNode, literalNode } from './parse-characters.js'
import { parseClass } from './parse-class.js'
import { parseEscape } from './parse-escape.js'
import { parseGroup } from './parse-group.js'
import { PatternReader } from './reader.js'

export interface PatternOptions {
  /** The whole text must match: as if written `^pattern$`, with all that this means for `|` at the top. */
  readonly anchored: boolean
  /** PHP's flag `i`. */
  readonly ignoreCase: boolean
  /** PHP's flag `u`: characters are code points and Unicode's properties count; without it, bytes and ASCII. */
  readonly unicode: boolean
  /** The character that ends the pattern in WordPress: inside it must be escaped. Default: none. */
  readonly delimiter?: string
}

/** @throws PatternError when the pattern is not one that PCRE accepts, or has no JavaScript equivalent. */
export function parsePattern(source: string, options: PatternOptions): PatternSyntax {
  const reader = new PatternReader(source, options.unicode, options)
  if (options.delimiter !== undefined) refuseDelimiter(reader, options.delimiter)
  const root = alternationOf(parseBranches(reader))
  if (!reader.done) throw reader.fault(`This ')' has no '('.`)
  const { ignored, kept } = reader.caseUse
  if (ignored && kept) throw reader.fault('JavaScript cannot ignore case in one part of a pattern only.', 0)
  const names = reader.names.sort((a, b) => a.number - b.number)
  const { text, unicode, captures } = reader
  return { source, text, unicode, root, captures, names, ignoreCase: ignored }
}

function refuseDelimiter(reader: PatternReader, delimiter: string): void {
  for (let index = 0; index < reader.text.length; index += 1) {
    if (reader.text[index] === '\\') index += 1
    else if (reader.text[index] === delimiter)
      throw reader.fault(`'${delimiter}' ends a pattern in WordPress: write '\\${delimiter}'.`, index)
  }
}

function parseBranches(reader: PatternReader, reset = false): readonly PatternNode[] {
  const first = reader.captures
  let highest = first
  const branches: PatternNode[] = []
  do {
    if (reset) reader.captures = first
    branches.push(parseSequence(reader))
    highest = Math.max(highest, reader.captures)
  } while (!reader.quoting && reader.eats('|'))
  reader.captures = highest
  return branches
}

function parseSequence(reader: PatternReader): PatternNode {
  const items: PatternNode[] = []
  for (;;) {
    skipIgnored(reader)
    if (reader.done || (!reader.quoting && (reader.sees('|') || reader.sees(')')))) break
    const index = reader.index
    const item = parseItem(reader)
    skipIgnored(reader)
    if (item === null) refuseQuantifier(reader)
    else items.push(quantified(reader, item, index))
  }
  const [only, second] = items
  if (only === undefined) return { kind: 'empty' }
  return second === undefined ? only : { kind: 'sequence', items }
}

/** Skips comments, `\Q`, `\E`, and with the flag `x` blanks. */
function skipIgnored(reader: PatternReader): void {
  for (;;) {
    const index = reader.index
    // Most characters are none of these: thousands of routes are read at the start.
    if (reader.flags.extended === 0 && !'\\('.includes(reader.text.charAt(index))) return
    if (reader.eats('\\E')) reader.quoting = false
    else if (reader.quoting) return
    else if (reader.eats('\\Q')) reader.quoting = true
    else if (reader.eats('(?#')) {
      if (!reader.takes(/[^)]*\)/y)) throw reader.fault(`The comment that begins here has no ')'.`, index)
    } else if (reader.flags.extended === 0 || !reader.takes(/[\t-\r ]+|#[^\n]*\n?/y)) return
  }
}

function parseItem(reader: PatternReader): PatternNode | null {
  const index = reader.index
  const character = reader.text[index]
  if (!reader.quoting) {
    if (character === '\\') return parseEscape(reader)
    if (character === '[') return parseClass(reader)
    if (character === '(') return parseGroup(reader, parseBranches)
    refuseQuantifier(reader)
  }
  const code = reader.takeCode()
  if (reader.quoting) return literalNode(reader, code, index)
  const { multiline, dotAll } = reader.flags
  if (character === '^') return { kind: 'edge', index, edge: multiline ? 'line-start' : 'start' }
  if (character === '$') return { kind: 'edge', index, edge: multiline ? 'line-end' : 'final' }
  if (character !== '.') return literalNode(reader, code, index)
  const last = lastCharacter(reader.unicode)
  return charactersNode(reader, index, dotAll ? [0, last] : complement(single(10), last), null)
}

const quantifier = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})([+?]?)/y
/** PCRE's own limit. */
const maxRepetitions = 65_535

function takeQuantifier(reader: PatternReader): RegExpExecArray | null {
  return '*+?{'.includes(reader.text.charAt(reader.index)) ? reader.takes(quantifier) : null
}

function refuseQuantifier(reader: PatternReader): void {
  const index = reader.index
  if (!reader.quoting && takeQuantifier(reader)) throw reader.fault('There is nothing here to repeat.', index)
}

/** The item with the quantifier that follows it. */
function quantified(reader: PatternReader, item: PatternNode, index: number): PatternNode {
  const match = reader.quoting ? null : takeQuantifier(reader)
  if (match === null) return item
  if (item.kind === 'edge') throw reader.fault('An edge cannot be repeated.', index)
  const sign = match[1]
  const minimum = sign === undefined ? Number(match[2]) : sign === '+' ? 1 : 0
  const counted = match[3] === undefined ? minimum : match[4] === '' ? Infinity : Number(match[4])
  const maximum = sign === undefined ? counted : sign === '?' ? 1 : Infinity
  if (maximum < minimum) throw reader.fault('The second number of a repetition is below the first.', index)
  if (minimum > maxRepetitions || (maximum > maxRepetitions && maximum !== Infinity))
    throw reader.fault(`A repetition counts up to ${maxRepetitions}.`, index)
  const lazy = (match[5] === '?') !== reader.flags.ungreedy
  const mode = match[5] === '+' ? 'possessive' : lazy ? 'lazy' : 'greedy'
  return { kind: 'repeat', index, end: reader.index, body: item, minimum, maximum, mode }
}
