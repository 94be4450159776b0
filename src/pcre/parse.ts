import { alternationOf, type PatternNode, type PatternSyntax } from './ast.js'
import { complement, singleton } from './character-set.js'
import { maxCharacter } from './character-source.js'
import { charactersNode, literalNode } from './parse-characters.js'
import { parseClass } from './parse-class.js'
import { parseEscape } from './parse-escape.js'
import { parseGroup } from './parse-group.js'
import { PatternReader } from './reader.js'

export interface PatternOptions {
  /**
   * Puts `^` and `$` around the pattern as text. With a `|` outside all groups, the first alternative is anchored at the
   * start only and the last one at the end only.
   */
  readonly anchored: boolean
  /** PHP's flag `i`. */
  readonly ignoreCase: boolean
  /** PHP's flag `u`: the pattern matches code points and knows Unicode properties. Without it, bytes and ASCII. */
  readonly unicode: boolean
  /** The character that WordPress puts around the pattern. It must be escaped inside the pattern. Default: none. */
  readonly delimiter?: string
}

/**
 * @throws PatternError when PCRE refuses the pattern, or a construct has no equivalent in JavaScript. `lower` refuses more
 * patterns.
 */
export function parsePattern(source: string, options: PatternOptions): PatternSyntax {
  const reader = new PatternReader(source, options.unicode, options)
  if (options.delimiter !== undefined) rejectDelimiter(reader, options.delimiter)
  const root = alternationOf(parseBranches(reader))
  if (!reader.isAtEnd) throw reader.errorAt(`This ')' has no '('.`)
  const { insensitive, sensitive } = reader.caseUse
  if (insensitive && sensitive) throw reader.errorAt('JavaScript cannot ignore case in one part of a pattern only.', 0)
  const names = reader.names.sort((a, b) => a.number - b.number)
  const { text, unicode, captureCount } = reader
  return { source, text, unicode, root, captureCount, names, ignoreCase: insensitive }
}

function rejectDelimiter(reader: PatternReader, delimiter: string): void {
  for (let index = 0; index < reader.text.length; index += 1) {
    if (reader.text[index] === '\\') index += 1
    else if (reader.text[index] === delimiter)
      throw reader.errorAt(`'${delimiter}' ends a pattern in WordPress: write '\\${delimiter}'.`, index)
  }
}

function parseBranches(reader: PatternReader, resetsNumbers = false): readonly PatternNode[] {
  const firstNumber = reader.captureCount
  let maxNumber = firstNumber
  const branches: PatternNode[] = []
  do {
    if (resetsNumbers) reader.captureCount = firstNumber
    branches.push(parseSequence(reader))
    maxNumber = Math.max(maxNumber, reader.captureCount)
  } while (!reader.isQuoting && reader.consume('|'))
  reader.captureCount = maxNumber
  return branches
}

function parseSequence(reader: PatternReader): PatternNode {
  const items: PatternNode[] = []
  for (;;) {
    skipIgnored(reader)
    if (reader.isAtEnd || (!reader.isQuoting && (reader.startsWith('|') || reader.startsWith(')')))) break
    const index = reader.index
    const item = parseItem(reader)
    skipIgnored(reader)
    if (item === null) rejectQuantifier(reader)
    else items.push(parseQuantifier(reader, item, index))
  }
  const [first, second] = items
  if (first === undefined) return { kind: 'empty' }
  return second === undefined ? first : { kind: 'sequence', items }
}

/** Skips comments, `\Q` and `\E`, and with the flag `x` white space. */
function skipIgnored(reader: PatternReader): void {
  for (;;) {
    const index = reader.index
    // Nearly all characters end here. This check saves time at the start, which parses thousands of routes.
    if (reader.flags.extended === 0 && !'\\('.includes(reader.text.charAt(index))) return
    if (reader.consume('\\E')) reader.isQuoting = false
    else if (reader.isQuoting) return
    else if (reader.consume('\\Q')) reader.isQuoting = true
    else if (reader.consume('(?#')) {
      if (!reader.match(/[^)]*\)/y)) throw reader.errorAt(`The comment that begins here has no ')'.`, index)
    } else if (reader.flags.extended === 0 || !reader.match(/[\t-\r ]+|#[^\n]*\n?/y)) return
  }
}

function parseItem(reader: PatternReader): PatternNode | null {
  const index = reader.index
  const character = reader.text[index]
  if (!reader.isQuoting) {
    if (character === '\\') return parseEscape(reader)
    if (character === '[') return parseClass(reader)
    if (character === '(') return parseGroup(reader, parseBranches)
    rejectQuantifier(reader)
  }
  const code = reader.readCharacter()
  if (reader.isQuoting) return literalNode(reader, code, index)
  const { multiline, dotAll } = reader.flags
  if (character === '^') return { kind: 'anchor', index, anchor: multiline ? 'line-start' : 'start' }
  if (character === '$') return { kind: 'anchor', index, anchor: multiline ? 'line-end' : 'final' }
  if (character !== '.') return literalNode(reader, code, index)
  const last = maxCharacter(reader.unicode)
  return charactersNode(reader, index, dotAll ? [0, last] : complement(singleton(10), last), null)
}

const quantifier = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})([+?]?)/y
/** The limit of PCRE. */
const maxRepetitions = 65_535

function matchQuantifier(reader: PatternReader): RegExpExecArray | null {
  return '*+?{'.includes(reader.text.charAt(reader.index)) ? reader.match(quantifier) : null
}

function rejectQuantifier(reader: PatternReader): void {
  const index = reader.index
  if (!reader.isQuoting && matchQuantifier(reader)) throw reader.errorAt('There is nothing here to repeat.', index)
}

/** Parses the quantifier behind an item, if there is one, and returns the item with it. */
function parseQuantifier(reader: PatternReader, item: PatternNode, index: number): PatternNode {
  const match = reader.isQuoting ? null : matchQuantifier(reader)
  if (match === null) return item
  if (item.kind === 'anchor') throw reader.errorAt('An anchor cannot be repeated.', index)
  const sign = match[1]
  const minimum = sign === undefined ? Number(match[2]) : sign === '+' ? 1 : 0
  const countedMaximum = match[3] === undefined ? minimum : match[4] === '' ? Infinity : Number(match[4])
  const maximum = sign === undefined ? countedMaximum : sign === '?' ? 1 : Infinity
  if (maximum < minimum) throw reader.errorAt('The second number of a repetition is below the first.', index)
  if (minimum > maxRepetitions || (maximum > maxRepetitions && maximum !== Infinity))
    throw reader.errorAt(`A repetition counts up to ${maxRepetitions}.`, index)
  const lazy = (match[5] === '?') !== reader.flags.ungreedy
  const mode = match[5] === '+' ? 'possessive' : lazy ? 'lazy' : 'greedy'
  return { kind: 'repeat', index, end: reader.index, body: item, minimum, maximum, mode }
}
