/** The valid name closest to a misspelt one, for "did you mean"; null when none is close. */
export function nearest(misspelt: string, validNames: Iterable<string>): string | null {
  let best: string | null = null
  let bestDistance = Math.max(2, Math.floor(misspelt.length / 3)) + 1
  for (const name of validNames) {
    if (Math.abs(name.length - misspelt.length) >= bestDistance) continue
    const distance = editDistance(misspelt.toLowerCase(), name.toLowerCase())
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

/** The Levenshtein distance. Only one row of the matrix is held in memory. */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
