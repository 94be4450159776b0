import { alternationOf, type LookaroundNode, type PatternNode } from './ast.js'
import { namedBackreferenceNode, recursionError } from './parse-escape.js'
import type { Flags, PatternReader } from './reader.js'

/** Parses branches up to the `)` of the group. With `resetsNumbers`, the groups of each branch get the same numbers. */
export type ParseBranches = (reader: PatternReader, resetsNumbers?: boolean) => readonly PatternNode[]

/** Parses a group, from its `(` to its `)`. Null for one that only sets flags, such as `(?i)`: it cannot be repeated. */
export function parseGroup(reader: PatternReader, parseBranches: ParseBranches): PatternNode | null {
  const index = reader.index
  reader.index += 1
  if (reader.startsWith('*')) throw reader.errorAt(`'(*' begins a verb, which has no equivalent in JavaScript.`, index)
  const parseBody = (): PatternNode => reader.inGroup(index, () => alternationOf(parseBranches(reader)))
  if (!reader.consume('?'))
    return reader.flags.namedCapturesOnly ? parseBody() : parseCapture(reader, null, index, parseBody)
  if (reader.consume(':')) return parseBody()
  if (reader.consume('|')) return reader.inGroup(index, () => alternationOf(parseBranches(reader, true)))
  if (reader.consume('>')) return { kind: 'atomic', index, body: parseBody() }
  if (reader.startsWith('(')) return parseCondition(reader, index, parseBranches)
  const lookaround = reader.match(/<?[=!]/y)?.[0]
  if (lookaround !== undefined)
    return {
      kind: 'lookaround',
      index,
      ahead: !lookaround.startsWith('<'),
      negative: lookaround.endsWith('!'),
      body: parseBody(),
    }
  const name = reader.match(/P?<([^>]*)>|'([^']*)'/y)
  if (name) return parseCapture(reader, validName(reader, name[1] ?? name[2] ?? '', index), index, parseBody)
  const reference = reader.match(/P=([^)]*)\)/y)
  if (reference) return namedBackreferenceNode(reader, reference[1] ?? '', index)
  if (reader.match(/R|&|P>|[-+]?\d/y)) throw recursionError(reader, index)
  return parseFlags(reader, index, parseBody)
}

function validName(reader: PatternReader, name: string, index: number): string {
  if (!/^[A-Za-z_]\w{0,31}$/.test(name))
    throw reader.errorAt(
      `'${name}' cannot name a group: a name has up to 32 letters, digits and '_', and begins with no digit.`,
      index,
    )
  return name
}

function parseCapture(
  reader: PatternReader,
  name: string | null,
  index: number,
  parseBody: () => PatternNode,
): PatternNode {
  reader.captureCount += 1
  const number = reader.captureCount
  if (name !== null) addName(reader, name, number, index)
  return { kind: 'capture', index, number, body: parseBody() }
}

function addName(reader: PatternReader, name: string, number: number, index: number): void {
  const entry = reader.names.find((other) => other.number === number)
  if (entry !== undefined && entry.name !== name)
    throw reader.errorAt(`This group shares its number with '${entry.name}' and must have the same name.`, index)
  if (entry !== undefined) return
  if (!reader.flags.duplicateNames && reader.groupNumbers(name).length > 0)
    throw reader.errorAt(`Two groups are named '${name}'.`, index)
  reader.names.push({ name, number })
}

const flagsOn: Readonly<Record<string, Partial<Flags>>> = {
  i: { ignoreCase: true },
  m: { multiline: true },
  s: { dotAll: true },
  x: { extended: 1 },
  xx: { extended: 2 },
  U: { ungreedy: true },
  J: { duplicateNames: true },
  n: { namedCapturesOnly: true },
}
const flagsOff: Readonly<Record<string, Partial<Flags>>> = {
  i: { ignoreCase: false },
  m: { multiline: false },
  s: { dotAll: false },
  x: { extended: 0 },
  xx: { extended: 0 },
  U: { ungreedy: false },
  J: { duplicateNames: false },
  n: { namedCapturesOnly: false },
}

/** Parses `(?i-x)` and `(?i-x:…)` from behind the `?`. Null for the first, which only sets flags. */
function parseFlags(reader: PatternReader, index: number, parseBody: () => PatternNode): PatternNode | null {
  const match = reader.match(/(\^?)([imsxUJn]*)(?:-([imsxUJn]*))?(?=[:)])/y)
  if (match === null || (match[1] === '^' && match[3] !== undefined))
    throw reader.errorAt('This kind of group does not exist, or has no equivalent in JavaScript.', index)
  const outerFlags = reader.flags
  let flags = outerFlags
  if (match[1] === '^')
    flags = { ...flags, ignoreCase: false, multiline: false, dotAll: false, extended: 0, namedCapturesOnly: false }
  for (const [letter] of (match[2] ?? '').matchAll(/xx|./g)) flags = { ...flags, ...flagsOn[letter] }
  for (const [letter] of (match[3] ?? '').matchAll(/xx|./g)) flags = { ...flags, ...flagsOff[letter] }
  reader.flags = flags
  if (reader.consume(')')) return null
  reader.index += 1
  const node = parseBody()
  reader.flags = outerFlags
  return node
}

/** Parses `(?(1)yes|no)`, `(?(<name>)…)`, `(?(name)…)` and `(?(?=…)…)`, from the second `(`. */
function parseCondition(reader: PatternReader, index: number, parseBranches: ParseBranches): PatternNode {
  const test = /^\(\?<?[=!]/.test(reader.text.slice(reader.index, reader.index + 4))
    ? (parseGroup(reader, parseBranches) as LookaroundNode)
    : parseGroupTest(reader, index)
  const [yes, no, third] = reader.inGroup(index, () => parseBranches(reader))
  if (yes === undefined || third !== undefined) throw reader.errorAt('A condition has at most two branches.', index)
  return { kind: 'condition', index, test, yes, no: no ?? { kind: 'empty' } }
}

function parseGroupTest(reader: PatternReader, index: number): readonly number[] {
  const number = reader.match(/\(([-+]?)(\d+)\)/y)
  if (number) {
    const distance = Number(number[2])
    const { captureCount } = reader
    const group =
      number[1] === '-' ? captureCount + 1 - distance : number[1] === '+' ? captureCount + distance : distance
    if (group < 1 || group > captureCount)
      throw reader.errorAt('This condition tests a group that does not come before it.', index)
    return [group]
  }
  const name = reader.match(/\((?:<(\w+)>|'(\w+)'|(\w+))\)/y)
  const numbers = name ? reader.groupNumbers(name[1] ?? name[2] ?? name[3] ?? '') : []
  if (numbers.length === 0)
    throw reader.errorAt(
      'This condition has no equivalent in JavaScript: it can only test a group that comes before it.',
      index,
    )
  return numbers
}
