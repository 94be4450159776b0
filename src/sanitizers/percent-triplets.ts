/**
 * The text without percent triplets (`%` and two hexadecimal digits), including those that appear when another triplet
 * is removed. Triplets cannot overlap, so one pass with a stack has the same result as repeated replacement.
 * @param triplet matches the triplets to remove; all by default.
 */
export function removePercentTriplets(text: string, triplet: RegExp = /%[a-f\d]{2}/i): string {
  if (!triplet.test(text)) return text
  const output: string[] = []
  for (const character of text) {
    output.push(character)
    if (output.at(-3) === '%' && triplet.test(output.slice(-3).join(''))) output.length -= 3
  }
  return output.join('')
}
