import { parsePattern, routePattern, type PatternNode } from '../../src/pcre/pattern.js'
import { percentEncode } from './encode.js'
import { hostileTexts } from './values.js'
import type { Random } from '../support/random.js'

/** Texts for a named group, tried before its pattern is. */
export type GroupTexts = (name: string, random: Random) => string | null

const syntaxes = new Map<string, ReturnType<typeof parsePattern>>()

/** A path that a route pattern matches, for all patterns without lookarounds and references. */
export function pathOf(pattern: string, random: Random, groupTexts: GroupTexts): string {
  let syntax = syntaxes.get(pattern)
  if (!syntax) syntaxes.set(pattern, (syntax = parsePattern(pattern, routePattern)))
  const names = new Map(syntax.names.map(({ name, number }) => [number, name]))
  const written = (node: PatternNode): string => {
    switch (node.kind) {
      case 'characters':
        return memberOf(node.set, random)
      case 'sequence':
        return node.items.map(written).join('')
      case 'alternation':
        return written(random.pick(node.branches))
      case 'capture': {
        const name = names.get(node.number)
        return (name === undefined ? null : groupTexts(name, random)) ?? written(node.body)
      }
      case 'atomic':
        return written(node.body)
      case 'repeat': {
        const times = random.integer(node.minimum, Math.min(node.maximum, node.minimum + 3))
        return Array.from({ length: times }, () => written(node.body)).join('')
      }
      default:
        return ''
    }
  }
  return written(syntax.root)
}

/** A character of the set; a letter or digit that is in it, if there is one. */
function memberOf(set: readonly number[], random: Random): string {
  const ranges = Array.from(
    { length: set.length / 2 },
    (_, index) => [set[2 * index] ?? 0, set[2 * index + 1] ?? 0] as const,
  )
  // A letter of a literal text is in the set in both cases; the second one is small.
  const [first, second] = ranges
  if (ranges.length === 2 && first && second && first[0] === first[1] && second[0] === second[1])
    return String.fromCharCode(second[0])
  const plain = ranges.filter(([from]) => from >= 0x2d && from <= 0x7a)
  const [from, to] = random.pick(plain.length > 0 ? plain : ranges)
  const code = random.integer(from, Math.min(to, 0x7e, from + 40))
  return code > 0x20 && code < 0x7f ? String.fromCharCode(code) : percentEncode(String.fromCharCode(code))
}

/** The path with something changed. */
export function damagedPath(path: string, random: Random): string {
  const at = random.integer(1, path.length)
  return random.choose([
    [2, () => `${path}/${percentEncode(random.pick(hostileTexts)).slice(0, 900)}`],
    [1, () => path.slice(0, at)],
    [1, () => path.toUpperCase()],
    [1, () => `${path.slice(0, at)}/${path.slice(at)}`],
    [1, () => `${path}/`],
    [1, () => path.replaceAll('/', '//')],
    [1, () => `${path.slice(0, at)}%2e%2e%2f${path.slice(at)}`],
    [1, () => `${path.slice(0, at)}%00${path.slice(at)}`],
    [0.2, () => `${path}/${'a'.repeat(random.integer(900, 5_000))}`],
  ])
}
