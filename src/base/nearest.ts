/** The known name that is closest to a misspelt one, if any is close: for "did you mean". */
export function nearest(wrong: string, known: Iterable<string>): string | null {
  let best: string | null = null
  let bestDistance = Math.max(2, Math.floor(wrong.length / 3)) + 1
  for (const name of known) {
    if (Math.abs(name.length - wrong.length) >= bestDistance) continue
    const distance = editDistance(wrong.toLowerCase(), name.toLowerCase())
    if (distance < bestDistance) {
      best = name
      bestDistance = distance
    }
  }
  return best
}

/** Ends a sentence about a wrong name: ` Did you mean 'minimum'?`, or all that is known. */
export function suggestion(wrong: string, known: Iterable<string>): string {
  const near = nearest(wrong, known)
  return near === null ? ` Known are: ${[...known].join(', ')}.` : ` Did you mean '${near}'?`
}

/** Levenshtein's distance, one row at a time. */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
