import { alternationOf, type LookNode, type PatternNode } from './ast.js'
import { namedBackreference, recursion } from './parse-escape.js'
import type { Flags, PatternReader } from './reader.js'

/** Parses the branches up to the group's `)`; with `reset`, each branch numbers its groups from the same start. */
export type ParseBranches = (reader: PatternReader, reset?: boolean) => readonly PatternNode[]

/** Takes a group, from its `(` to its `)`. Null when it only sets flags: then there is nothing to repeat. */
export function parseGroup(reader: PatternReader, branches: ParseBranches): PatternNode | null {
  const index = reader.index
  reader.index += 1
  if (reader.sees('*')) throw reader.fault(`'(*' begins a verb, which has no equivalent in JavaScript.`, index)
  const body = (): PatternNode => reader.inGroup(index, () => alternationOf(branches(reader)))
  if (!reader.eats('?')) return reader.flags.namedCapturesOnly ? body() : capture(reader, null, index, body)
  if (reader.eats(':')) return body()
  if (reader.eats('|')) return reader.inGroup(index, () => alternationOf(branches(reader, true)))
  if (reader.eats('>')) return { kind: 'atomic', index, body: body() }
  if (reader.sees('(')) return condition(reader, index, branches)
  const look = reader.takes(/<?[=!]/y)?.[0]
  if (look !== undefined)
    return { kind: 'look', index, ahead: !look.startsWith('<'), negative: look.endsWith('!'), body: body() }
  const name = reader.takes(/P?<([^>]*)>|'([^']*)'/y)
  if (name) return capture(reader, validName(reader, name[1] ?? name[2] ?? '', index), index, body)
  const reference = reader.takes(/P=([^)]*)\)/y)
  if (reference) return namedBackreference(reader, reference[1] ?? '', index)
  if (reader.takes(/R|&|P>|[-+]?\d/y)) throw recursion(reader, index)
  return flagged(reader, index, body)
}

function validName(reader: PatternReader, name: string, index: number): string {
  if (!/^[A-Za-z_]\w{0,31}$/.test(name))
    throw reader.fault(
      `'${name}' cannot name a group: a name has up to 32 letters, digits and '_', and begins with no digit.`,
      index,
    )
  return name
}

function capture(reader: PatternReader, name: string | null, index: number, body: () => PatternNode): PatternNode {
  reader.captures += 1
  const number = reader.captures
  if (name !== null) remember(reader, name, number, index)
  return { kind: 'capture', index, number, body: body() }
}

function remember(reader: PatternReader, name: string, number: number, index: number): void {
  const same = reader.names.find((entry) => entry.number === number)
  if (same !== undefined && same.name !== name)
    throw reader.fault(`This group shares its number with '${same.name}' and must have the same name.`, index)
  if (same !== undefined) return
  if (!reader.flags.duplicateNames && reader.numbersNamed(name).length > 0)
    throw reader.fault(`Two groups are named '${name}'.`, index)
  reader.names.push({ name, number })
}

const letters: Readonly<Record<string, Partial<Flags>>> = {
  i: { ignoreCase: true },
  m: { multiline: true },
  s: { dotAll: true },
  x: { extended: 1 },
  xx: { extended: 2 },
  U: { ungreedy: true },
  J: { duplicateNames: true },
  n: { namedCapturesOnly: true },
}
const cleared: Readonly<Record<string, Partial<Flags>>> = {
  i: { ignoreCase: false },
  m: { multiline: false },
  s: { dotAll: false },
  x: { extended: 0 },
  xx: { extended: 0 },
  U: { ungreedy: false },
  J: { duplicateNames: false },
  n: { namedCapturesOnly: false },
}

/** `(?i-x)` and `(?i-x:…)`, after the `?`. */
function flagged(reader: PatternReader, index: number, body: () => PatternNode): PatternNode | null {
  const match = reader.takes(/(\^?)([imsxUJn]*)(?:-([imsxUJn]*))?(?=[:)])/y)
  if (match === null || (match[1] === '^' && match[3] !== undefined))
    throw reader.fault('This kind of group does not exist, or has no equivalent in JavaScript.', index)
  const before = reader.flags
  let flags = before
  if (match[1] === '^')
    flags = { ...flags, ignoreCase: false, multiline: false, dotAll: false, extended: 0, namedCapturesOnly: false }
  for (const [letter] of (match[2] ?? '').matchAll(/xx|./g)) flags = { ...flags, ...letters[letter] }
  for (const [letter] of (match[3] ?? '').matchAll(/xx|./g)) flags = { ...flags, ...cleared[letter] }
  reader.flags = flags
  if (reader.eats(')')) return null
  reader.index += 1
  const parsed = body()
  reader.flags = before
  return parsed
}

/** `(?(1)yes|no)`, `(?(<name>)…)`, `(?(name)…)`, `(?(?=…)…)`, from its second `(`. */
function condition(reader: PatternReader, index: number, branches: ParseBranches): PatternNode {
  const test = /^\(\?<?[=!]/.test(reader.text.slice(reader.index, reader.index + 4))
    ? (parseGroup(reader, branches) as LookNode)
    : groupTest(reader, index)
  const [yes, no, third] = reader.inGroup(index, () => branches(reader))
  if (yes === undefined || third !== undefined) throw reader.fault('A condition has at most two branches.', index)
  return { kind: 'condition', index, test, yes, no: no ?? { kind: 'empty' } }
}

function groupTest(reader: PatternReader, index: number): readonly number[] {
  const number = reader.takes(/\(([-+]?)(\d+)\)/y)
  if (number) {
    const given = Number(number[2])
    const wanted = number[1] === '-' ? reader.captures + 1 - given : number[1] === '+' ? reader.captures + given : given
    if (wanted < 1 || wanted > reader.captures)
      throw reader.fault('This asks for a group that does not come before it.', index)
    return [wanted]
  }
  const name = reader.takes(/\((?:<(\w+)>|'(\w+)'|(\w+))\)/y)
  const numbers = name ? reader.numbersNamed(name[1] ?? name[2] ?? name[3] ?? '') : []
  if (numbers.length === 0)
    throw reader.fault(
      'This condition has no equivalent in JavaScript: it can ask for a group that comes before it.',
      index,
    )
  return numbers
}
