/**
 * The valid name closest to a misspelt one, for "did you mean"; null when none is close. A close name differs in at most a
 * third of the letters, or in two of a short name, and in less than half; of two letters, one may differ. Of two names that
 * are equally close, one of the same length is chosen.
 */
export function nearest(misspelt: string, validNames: Iterable<string>): string | null {
  let best: string | null = null
  const { length } = misspelt
  const halfOfLetters = Math.max(Math.min(length, 2), Math.ceil(length / 2))
  let bestDistance = Math.min(Math.max(2, Math.floor(length / 3)) + 1, halfOfLetters)
  for (const name of validNames) {
    if (Math.abs(name.length - length) >= bestDistance) continue
    const sameLengthFirst = name.length === length ? 0 : 0.5
    const distance = editDistance(misspelt.toLowerCase(), name.toLowerCase()) + sameLengthFirst
    if (distance < bestDistance) {
      best = name
      bestDistance = distance
    }
  }
  return best
}

/**
 * Follows a sentence about a wrong name: ` Did you mean 'minimum'?`, or the list of valid names when none is close; empty
 * when there is no valid name.
 */
export function suggestion(misspelt: string, validNames: Iterable<string>): string {
  const names = [...validNames]
  const name = nearest(misspelt, names)
  if (name !== null) return ` Did you mean '${name}'?`
  return names.length === 0 ? '' : ` Use one of: ${names.join(', ')}.`
}

/** The Levenshtein distance, with two swapped letters as one mistake. Only three rows of the matrix are held in memory. */
export function editDistance(from: string, to: string): number {
  let beforeLast: readonly number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      const areSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const swap = areSwapped ? (beforeLast[j - 2] ?? 0) + 1 : Infinity
      next.push(Math.min(substitution, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    beforeLast = row
    row = next
  }
  return row[to.length] ?? 0
}
