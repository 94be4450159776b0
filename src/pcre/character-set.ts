/** A set of characters: inclusive ranges `[from, to, from, to, …]`, ascending, neither overlapping nor adjacent. */
export type CharacterSet = readonly number[]

export const nothing: CharacterSet = []

const singles: CharacterSet[] = []

export function single(code: number): CharacterSet {
  return code < 256 ? (singles[code] ??= [code, code]) : [code, code]
}

export function union(...sets: readonly CharacterSet[]): CharacterSet {
  const filled = sets.filter((set) => set.length > 0)
  if (filled.length < 2) return filled[0] ?? nothing
  const ranges: [number, number][] = []
  for (const set of filled) for (const range of rangesOf(set)) ranges.push(range)
  ranges.sort((a, b) => a[0] - b[0])
  const merged: number[] = []
  for (const [from, to] of ranges) {
    const end = merged.at(-1)
    if (end !== undefined && from <= end + 1) merged[merged.length - 1] = Math.max(end, to)
    else merged.push(from, to)
  }
  return merged
}

/** Everything from 0 to `last` that is not in the set. */
export function complement(set: CharacterSet, last: number): CharacterSet {
  const rest: number[] = []
  let next = 0
  for (const [from, to] of rangesOf(set)) {
    if (from > last) break
    if (from > next) rest.push(next, from - 1)
    next = to + 1
  }
  if (next <= last) rest.push(next, last)
  return rest
}

export function intersects(a: CharacterSet, b: CharacterSet): boolean {
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    if (at(a, i + 1) < at(b, j)) i += 2
    else if (at(b, j + 1) < at(a, i)) j += 2
    else return true
  }
  return false
}

export function contains(set: CharacterSet, code: number): boolean {
  for (let i = 0; i < set.length; i += 2) if (code >= at(set, i) && code <= at(set, i + 1)) return true
  return false
}

export function sameSet(a: CharacterSet, b: CharacterSet): boolean {
  return a === b || (a.length === b.length && a.every((code, index) => code === b[index]))
}

/** The set with the other case of every ASCII letter in it. */
export function foldAscii(set: CharacterSet): CharacterSet {
  return fold(set, asciiCapitals)
}

/** The same for the letters of Latin-1, as JavaScript's flag `i` does without the flag `u`. */
export function foldLatin1(set: CharacterSet): CharacterSet {
  return fold(set, latin1Capitals)
}

const asciiCapitals: CharacterSet = [0x41, 0x5a]
const latin1Capitals: CharacterSet = [...asciiCapitals, 0xc0, 0xd6, 0xd8, 0xde]

/** @param capitals whose other case comes 32 characters later. */
function fold(set: CharacterSet, capitals: CharacterSet): CharacterSet {
  const others: CharacterSet[] = []
  for (const [from, to] of rangesOf(set))
    for (const [first, last] of rangesOf(capitals)) {
      if (Math.max(from, first) <= Math.min(to, last))
        others.push([Math.max(from, first) + 32, Math.min(to, last) + 32])
      if (Math.max(from, first + 32) <= Math.min(to, last + 32))
        others.push([Math.max(from - 32, first), Math.min(to - 32, last)])
    }
  return others.length === 0 ? set : union(set, ...others)
}

export function* rangesOf(set: CharacterSet): Generator<[from: number, to: number]> {
  for (let i = 0; i < set.length; i += 2) yield [at(set, i), at(set, i + 1)]
}

function at(set: CharacterSet, index: number): number {
  return set[index] ?? 0
}
