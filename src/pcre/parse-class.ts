import type { CharactersNode } from './ast.js'
import { charactersNode, takeCharacterEscape, takeProperty } from './parse-characters.js'
import { type Characters, classOf, ignoringCase, listed, posixClassOf, shorthandOf } from './named-sets.js'
import type { PatternReader } from './reader.js'

/** One thing inside `[…]`: a character that may begin a range, or a set that may not. */
type Item = number | Characters

/** Takes a class, from its `[` to its `]`. */
export function parseClass(reader: PatternReader): CharactersNode {
  const index = reader.index
  reader.index += 1
  if (reader.takes(/\[:[<>]:\]\]/y)) throw reader.fault(`Word ends are written '\\b'.`, index)
  const negated = reader.eats('^')
  const parts: Characters[] = []
  let first = true
  for (;;) {
    skipQuotes(reader)
    if (reader.done) throw reader.fault(`The class that begins here has no ']'.`, index)
    if (!first && !reader.quoting && reader.eats(']')) break
    first = false
    if (reader.flags.extended === 2 && !reader.quoting && reader.takes(/[ \t]/y)) continue
    parts.push(takeRange(reader))
  }
  const { set, source } = classOf(parts, negated, reader.unicode)
  return charactersNode(reader, index, set, source)
}

function takeRange(reader: PatternReader): Characters {
  const index = reader.index
  const from = takeItem(reader)
  skipQuotes(reader)
  if (reader.quoting || !reader.takes(/-(?!\])/y))
    return typeof from === 'number' ? listedRange(reader, from, from) : from
  skipQuotes(reader)
  if (reader.done) return typeof from === 'number' ? listedRange(reader, from, from) : from
  if (typeof from !== 'number') throw reader.fault(`Write '\\-' for a hyphen after a set of characters.`, index)
  const to = takeItem(reader)
  if (typeof to !== 'number') throw reader.fault(`Write '\\-' for a hyphen before a set of characters.`, index)
  if (to < from) throw reader.fault('This range runs backwards.', index)
  return listedRange(reader, from, to)
}

function listedRange(reader: PatternReader, from: number, to: number): Characters {
  const part = listed([from, to])
  return reader.flags.ignoreCase ? ignoringCase(part, reader.unicode) : part
}

function takeItem(reader: PatternReader): Item {
  const index = reader.index
  if (reader.quoting) return reader.takeCode()
  const posix = reader.takes(/\[:(\^?)([A-Za-z]*):\]/y)
  if (posix) {
    const { unicode, flags } = reader
    const found = posixClassOf(posix[2] ?? '', posix[1] === '^', unicode, flags.ignoreCase)
    if (typeof found === 'string') throw reader.fault(found, index)
    return found
  }
  if (reader.takes(/\[([.=])[^\]]*\1\]/y)) throw reader.fault('Collating elements do not exist in PCRE.', index)
  return reader.eats('\\') ? takeEscape(reader, index) : reader.takeCode()
}

function takeEscape(reader: PatternReader, index: number): Item {
  if (reader.eats('b')) return 8
  const shorthand = reader.takes(/[dDwWsShHvV]/y)?.[0]
  if (shorthand !== undefined) {
    const found = shorthandOf(shorthand, reader.unicode)
    if (found !== null) return found
  }
  const code = takeProperty(reader, index) ?? takeCharacterEscape(reader, index, true)
  if (code === null) throw reader.fault(`'\\${reader.text[reader.index] ?? ''}' means nothing inside a class.`, index)
  return code
}

/** `\Q` and `\E` switch quoting, inside classes too. */
function skipQuotes(reader: PatternReader): void {
  for (;;) {
    if (!reader.quoting && reader.eats('\\Q')) reader.quoting = true
    else if (reader.eats('\\E')) reader.quoting = false
    else return
  }
}
