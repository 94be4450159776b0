import { cutPattern } from './literal-beginning.js'
import { parsePattern, routePattern } from './pattern.js'
import type { PatternNode } from './ast.js'
import { type CharacterSet, contains } from './character-set.js'

/** The maximum length of a sample. A pattern that needs more is too large to be compared with others. */
const maxCharacters = 1500

/**
 * Computes, for route patterns, a path that each could match. Anchors, lookarounds and references are ignored, so the
 * pattern may not match it. Samples are cached by the rest of a pattern behind its literal text, see {@link cutPattern}.
 */
export class SamplePaths {
  readonly #ends = new Map<string, string | null>()

  /** The path, one character per byte. Null for a pattern that matches no path, or that has a `|` outside all groups. */
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

/** A character of the set: a letter, digit or hyphen if possible, because paths seldom have other bytes. */
function memberOf(set: CharacterSet): string | null {
  const member = [97, 48, 45].find((code) => contains(set, code)) ?? set.find((code) => code > 32) ?? set[0]
  return member === undefined ? null : String.fromCharCode(member)
}
