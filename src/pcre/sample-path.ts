import { cutPattern } from './literal-beginning.js'
import { parsePattern, routePattern } from './pattern.js'
import type { PatternNode } from './ast.js'
import { type CharacterSet, contains } from './character-set.js'

/** Longer ones are of no use: a pattern that asks for so much is too large to be compared. */
const maxCharacters = 1500

/** For each route pattern a path that it could match, as far as its characters decide; kept by the ends of patterns. */
export class SamplePaths {
  readonly #ends = new Map<string, string | null>()

  /** In bytes; null for a pattern that nothing matches, or not from its beginning on. */
  of(pattern: string): string | null {
    const { literal, rest } = cutPattern(pattern)
    let end = this.#ends.get(rest)
    if (end === undefined) {
      const { root } = parsePattern(rest, routePattern)
      this.#ends.set(rest, (end = root.kind === 'alternation' ? null : sampleOf(root)))
    }
    return end === null ? null : literal + end
  }
}

function sampleOf(node: PatternNode): string | null {
  switch (node.kind) {
    case 'characters':
      return memberOf(node.set)
    case 'sequence':
      return joined(node.items.map(sampleOf))
    case 'alternation':
      return node.branches.map(sampleOf).find((sample) => sample !== null) ?? null
    case 'capture':
    case 'atomic':
      return sampleOf(node.body)
    case 'repeat':
      return repeated(sampleOf(node.body), node.minimum)
    case 'condition':
      return sampleOf(node.yes) ?? sampleOf(node.no)
    default:
      return ''
  }
}

function joined(samples: readonly (string | null)[]): string | null {
  return samples.includes(null) ? null : samples.join('')
}

function repeated(sample: string | null, times: number): string | null {
  if (times === 0) return ''
  return sample === null || sample.length * times > maxCharacters ? null : sample.repeat(times)
}

/** Rather a letter or a digit than a byte that no path has. */
function memberOf(set: CharacterSet): string | null {
  const code = [97, 48, 45].find((usual) => contains(set, usual)) ?? set.find((some) => some > 32) ?? set[0]
  return code === undefined ? null : String.fromCharCode(code)
}
