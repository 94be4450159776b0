import type { CharactersNode } from './ast.js'
import { charactersNode, parseCharacterEscape, parseProperty } from './parse-characters.js'
import { type ClassItem, classOf, ignoringCase, itemOf, posixClassOf, shorthandOf } from './named-sets.js'
import type { PatternReader } from './reader.js'

/** An item of a class: a character, which can begin or end a range, or a set, which cannot. */
type Item = number | ClassItem

/** Parses a class, from its `[` to its `]`. */
export function parseClass(reader: PatternReader): CharactersNode {
  const index = reader.index
  reader.index += 1
  if (reader.match(/\[:[<>]:\]\]/y)) throw reader.errorAt(`Write '\\b' for a word boundary.`, index)
  const negated = reader.consume('^')
  const items: ClassItem[] = []
  let isFirst = true
  for (;;) {
    skipQuotes(reader)
    if (reader.isAtEnd) throw reader.errorAt(`The class that begins here has no ']'.`, index)
    if (!isFirst && !reader.isQuoting && reader.consume(']')) break
    isFirst = false
    if (reader.flags.extended === 2 && !reader.isQuoting && reader.match(/[ \t]/y)) continue
    items.push(parseRange(reader))
  }
  const { set, source } = classOf(items, negated, reader.unicode)
  return charactersNode(reader, index, set, source)
}

function parseRange(reader: PatternReader): ClassItem {
  const index = reader.index
  const from = parseItem(reader)
  skipQuotes(reader)
  if (reader.isQuoting || !reader.match(/-(?!\])/y))
    return typeof from === 'number' ? rangeItem(reader, from, from) : from
  skipQuotes(reader)
  if (reader.isAtEnd) return typeof from === 'number' ? rangeItem(reader, from, from) : from
  if (typeof from !== 'number') throw reader.errorAt(`Write '\\-' for a hyphen after a set of characters.`, index)
  const to = parseItem(reader)
  if (typeof to !== 'number') throw reader.errorAt(`Write '\\-' for a hyphen before a set of characters.`, index)
  if (to < from) throw reader.errorAt('This range runs backwards.', index)
  return rangeItem(reader, from, to)
}

function rangeItem(reader: PatternReader, from: number, to: number): ClassItem {
  const item = itemOf([from, to])
  return reader.flags.ignoreCase ? ignoringCase(item, reader.unicode) : item
}

function parseItem(reader: PatternReader): Item {
  const index = reader.index
  if (reader.isQuoting) return reader.readCharacter()
  const posix = reader.match(/\[:(\^?)([A-Za-z]*):\]/y)
  if (posix) {
    const { unicode, flags } = reader
    const item = posixClassOf(posix[2] ?? '', posix[1] === '^', unicode, flags.ignoreCase)
    if (typeof item === 'string') throw reader.errorAt(item, index)
    return item
  }
  if (reader.match(/\[([.=])[^\]]*\1\]/y)) throw reader.errorAt('Collating elements do not exist in PCRE.', index)
  return reader.consume('\\') ? parseClassEscape(reader, index) : reader.readCharacter()
}

function parseClassEscape(reader: PatternReader, index: number): Item {
  if (reader.consume('b')) return 8
  const shorthand = reader.match(/[dDwWsShHvV]/y)?.[0]
  if (shorthand !== undefined) {
    const item = shorthandOf(shorthand, reader.unicode)
    if (item !== null) return item
  }
  const code = parseProperty(reader, index) ?? parseCharacterEscape(reader, index, true)
  if (code === null) throw reader.errorAt(`'\\${reader.text[reader.index] ?? ''}' means nothing inside a class.`, index)
  return code
}

/** Consumes `\Q` and `\E`, which begin and end literal text inside classes too. */
function skipQuotes(reader: PatternReader): void {
  for (;;) {
    if (!reader.isQuoting && reader.consume('\\Q')) reader.isQuoting = true
    else if (reader.consume('\\E')) reader.isQuoting = false
    else return
  }
}
