/**
 * The text without `%` and two hexadecimal digits, also where removing one leaves another. Triplets cannot overlap, so
 * the order does not matter and one pass with a stack gives what repeated replacing gives.
 * @param triplet which of them are removed; all by default.
 */
export function removePercentTriplets(text: string, triplet: RegExp = /%[a-f\d]{2}/i): string {
  if (!triplet.test(text)) return text
  const kept: string[] = []
  for (const character of text) {
    kept.push(character)
    if (kept.at(-3) === '%' && triplet.test(kept.slice(-3).join(''))) kept.length -= 3
  }
  return kept.join('')
}
