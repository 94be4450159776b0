/**
 * The set of characters that a part of a regular expression matches: inclusive ranges `[from, to, from, to, …]`, ascending,
 * neither overlapping nor adjacent. A character is a code point, or a byte in a pattern that is not `unicode`.
 */
export type CharacterSet = readonly number[]

export const emptySet: CharacterSet = []

/** Sets of one character below 256, created once and shared. Most characters of patterns are below 256. */
const singletonCache: CharacterSet[] = []

export function singleton(code: number): CharacterSet {
  return code < 256 ? (singletonCache[code] ??= [code, code]) : [code, code]
}

export function union(...sets: readonly CharacterSet[]): CharacterSet {
  const nonEmptySets = sets.filter((set) => set.length > 0)
  if (nonEmptySets.length < 2) return nonEmptySets[0] ?? emptySet
  const ranges: [number, number][] = []
  for (const set of nonEmptySets) for (const range of rangesOf(set)) ranges.push(range)
  ranges.sort((a, b) => a[0] - b[0])
  const merged: number[] = []
  for (const [from, to] of ranges) {
    const end = merged.at(-1)
    if (end !== undefined && from <= end + 1) merged[merged.length - 1] = Math.max(end, to)
    else merged.push(from, to)
  }
  return merged
}

/** The characters from 0 to `last` that are not in the set. */
export function complement(set: CharacterSet, last: number): CharacterSet {
  const ranges: number[] = []
  let next = 0
  for (const [from, to] of rangesOf(set)) {
    if (from > last) break
    if (from > next) ranges.push(next, from - 1)
    next = to + 1
  }
  if (next <= last) ranges.push(next, last)
  return ranges
}

export function intersects(a: CharacterSet, b: CharacterSet): boolean {
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    if (codeAt(a, i + 1) < codeAt(b, j)) i += 2
    else if (codeAt(b, j + 1) < codeAt(a, i)) j += 2
    else return true
  }
  return false
}

export function contains(set: CharacterSet, code: number): boolean {
  for (let i = 0; i < set.length; i += 2) if (code >= codeAt(set, i) && code <= codeAt(set, i + 1)) return true
  return false
}

export function sameSet(a: CharacterSet, b: CharacterSet): boolean {
  return a === b || (a.length === b.length && a.every((code, index) => code === b[index]))
}

/** Adds the other case of every ASCII letter in the set. */
export function foldAscii(set: CharacterSet): CharacterSet {
  return fold(set, asciiCapitals)
}

/** Adds the other case of every Latin-1 letter in the set, as JavaScript's flag `i` does without the flag `u`. */
export function foldLatin1(set: CharacterSet): CharacterSet {
  return fold(set, latin1Capitals)
}

const asciiCapitals: CharacterSet = [0x41, 0x5a]
const latin1Capitals: CharacterSet = [...asciiCapitals, 0xc0, 0xd6, 0xd8, 0xde]

/** @param capitals the capital letters to fold. Each small letter has the code of its capital plus 32. */
function fold(set: CharacterSet, capitals: CharacterSet): CharacterSet {
  const otherCases: CharacterSet[] = []
  for (const [from, to] of rangesOf(set))
    for (const [first, last] of rangesOf(capitals)) {
      if (Math.max(from, first) <= Math.min(to, last))
        otherCases.push([Math.max(from, first) + 32, Math.min(to, last) + 32])
      if (Math.max(from, first + 32) <= Math.min(to, last + 32))
        otherCases.push([Math.max(from - 32, first), Math.min(to - 32, last)])
    }
  return otherCases.length === 0 ? set : union(set, ...otherCases)
}

/** The ranges of the set, in ascending order. */
export function* rangesOf(set: CharacterSet): Generator<[from: number, to: number]> {
  for (let i = 0; i < set.length; i += 2) yield [codeAt(set, i), codeAt(set, i + 1)]
}

/** @param index an index within the set. The default value is for the compiler alone. */
function codeAt(set: CharacterSet, index: number): number {
  return set[index] ?? 0
}
